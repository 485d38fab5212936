internal import KeychainModel
internal import SecretMemory

/// A row's sealed parts, made for an identity.
struct SealedParts {
  let wrappedKey: [UInt8]
  let stretching: StretchingParameters?
  let value: [UInt8]?
}

/// The application password as a key, with the parameters it was stretched by.
struct PasswordKey: Sendable {
  let key: SecretBytes
  let parameters: StretchingParameters

  init(_ password: SecretBytes, _ parameters: StretchingParameters) throws(StoreError) {
    do { key = try PasscodeStretching.stretch(password, parameters: parameters) } catch { throw .outOfMemory }
    self.parameters = parameters
  }
}

/// Seals and opens the parts of one item.
struct ItemSealing {
  let identity: ItemIdentity

  /// Seals a value under a new item key and wraps that key.
  func seal(
    value: SecretBytes?, classKey: SecretBytes, password: PasswordKey?
  ) throws(StoreError) -> SealedParts {
    let itemKey = try SecretBytes.randomKey()
    var sealedValue: [UInt8]?
    if let value { sealedValue = try Seal.seal(value, itemKey, identity.associatedData(.value)) }
    return SealedParts(
      wrappedKey: try wrap(itemKey, classKey: classKey, password: password), stretching: password?.parameters,
      value: sealedValue)
  }

  /// Wraps an item key by its class key, and by the application password inside that.
  func wrap(_ itemKey: SecretBytes, classKey: SecretBytes, password: PasswordKey?) throws(StoreError) -> [UInt8] {
    var inner = itemKey
    if let password {
      inner = try Seal.secret(Seal.seal(itemKey, password.key, identity.associatedData(.passwordWrap)))
    }
    return try Seal.seal(inner, classKey, identity.associatedData(.wrappedKey))
  }

  /// The item key, or what stands for it where an application password is needed; `nil` where it does not open.
  func unwrap(_ wrapped: [UInt8], classKey: SecretBytes) throws(StoreError) -> SecretBytes? {
    try Seal.open(wrapped, classKey, identity.associatedData(.wrappedKey))
  }

  /// The item key under an application password.
  ///
  /// - Throws: `.applicationPasswordWrong`.
  func unwrap(inner: SecretBytes, password: PasswordKey) throws(StoreError) -> SecretBytes {
    let sealed = inner.unprotectedCopy()  // Ciphertext; needs no wiping.
    guard let key = try Seal.open(sealed, password.key, identity.associatedData(.passwordWrap)) else {
      throw .applicationPasswordWrong
    }
    return key
  }

  func openValue(_ sealed: [UInt8], itemKey: SecretBytes) throws(StoreError) -> SecretBytes? {
    try Seal.open(sealed, itemKey, identity.associatedData(.value))
  }

  func sealMetadata(
    _ attributes: ItemAttributes, classKey: SecretBytes, created: Double, changed: Double
  ) throws(StoreError) -> [UInt8] {
    try Seal.seal(
      Seal.secret(attributes.encoded), classKey,
      identity.metadataAssociatedData(created: created, changed: changed))
  }
}

extension ItemRow {
  /// The attributes, or `nil` where they do not open under this key.
  func openMetadata(classKey: SecretBytes) throws(StoreError) -> ItemAttributes? {
    let data = identity.metadataAssociatedData(created: created, changed: changed)
    guard let plain = try Seal.open(sealedMetadata, classKey, data) else { return nil }
    guard var attributes = ItemAttributes(encoded: plain.unprotectedCopy()) else { return nil }
    attributes[.creationDate] = .date(created)
    attributes[.modificationDate] = .date(changed)
    return attributes
  }
}
