internal import SecretMemory

/// What the store derives from the device key: each purpose has a key of its own.
struct DeviceKeys: Sendable {
  /// Wraps the index key.
  let indexWrap: SecretBytes
  /// Wraps the class keys that need no passcode.
  let classWrap: SecretBytes
  /// Authenticates the keybag record.
  let keybagMark: SecretBytes
  /// Seals the user's policies.
  let policies: SecretBytes
  /// Tells this device key from any other: 32 bytes that stand in the header.
  let check: [UInt8]
  private let device: SecretBytes

  init(device: SecretBytes) throws(StoreError) {
    guard device.count == 32 else { throw .internalFailure }
    self.device = device
    indexWrap = try Self.derive(device, "latchkey store index wrap")
    classWrap = try Self.derive(device, "latchkey store class wrap")
    keybagMark = try Self.derive(device, "latchkey store keybag mark")
    policies = try Self.derive(device, "latchkey store policies")
    check = KeyedHash.hash(Array("check".utf8), key: try Self.derive(device, "latchkey store device check"))
  }

  /// The key that wraps class keys under device key and passcode together.
  func passcodeWrap(_ stretched: SecretBytes) throws(StoreError) -> SecretBytes {
    try mixed(with: stretched, "latchkey store passcode wrap")
  }

  /// The key that wraps under device key and recovery key together.
  func recoveryWrap(_ recovery: SecretBytes) throws(StoreError) -> SecretBytes {
    try mixed(with: recovery, "latchkey store recovery wrap")
  }

  /// Device key and another secret of at most 32 bytes, joined as one BLAKE2b key: neither alone gives the result.
  private func mixed(with secret: SecretBytes, _ label: String) throws(StoreError) -> SecretBytes {
    guard secret.count > 0, secret.count <= 32 else { throw .internalFailure }
    do { return try Self.derive(SecretBytes.joined([device, secret]), label) } catch { throw .outOfMemory }
  }

  private static func derive(_ key: SecretBytes, _ label: String) throws(StoreError) -> SecretBytes {
    do { return try KeyedHash.derive(key: key, label: label, context: []) } catch { throw .outOfMemory }
  }
}
