internal import KeychainModel
internal import SecretMemory

/// The keyed hashes under which a row is found; without the index key they tell nothing but which rows agree.
struct IndexHashes: Equatable {
  /// Class and every attribute of the primary key: 32 bytes, of which the first half is the name's for the classes that
  /// have one: class, service (or server) and account.
  let primary: [UInt8]
  /// Class and service (or server): 16 bytes.
  let service: [UInt8]
  /// Class and account: 16 bytes.
  let account: [UInt8]
  /// The access group: 16 bytes.
  let group: [UInt8]
}

/// Makes the hashes. The key lies in the store, wrapped by the device key: looking up works while locked.
struct Index: Sendable {
  private let key: SecretBytes

  init(key: SecretBytes) { self.key = key }

  func hashes(_ itemClass: ItemClass, _ attributes: ItemAttributes) -> IndexHashes {
    let service = attributes.hashedBytes(itemClass.serviceAttribute)
    let account = attributes.hashedBytes(.account)
    return IndexHashes(
      primary: primary(itemClass, attributes), service: self.service(itemClass, service),
      account: self.account(itemClass, account),
      group: group(attributes.hashedBytes(.accessGroup)))
  }

  func primary(_ itemClass: ItemClass, _ attributes: ItemAttributes) -> [UInt8] {
    primary(
      itemClass, attributes, group: attributes.hashedBytes(.accessGroup),
      twin: attributes.hashedBytes(.synchronizable))
  }

  /// The hash of these attributes in a group and a twin of their own.
  func primary(_ itemClass: ItemClass, _ attributes: ItemAttributes, group: [UInt8], twin: [UInt8]) -> [UInt8] {
    var parts = Self.begun(1, itemClass)
    for key in itemClass.primaryKey {
      switch key {
      case .accessGroup: parts.string(group)
      case .synchronizable: parts.string(twin)
      default: parts.string(attributes.hashedBytes(key))
      }
    }
    guard itemClass.hasName else { return hash(parts, size: 32) }
    let service = attributes.hashedBytes(itemClass.serviceAttribute)
    var whole = name(itemClass, service: service, account: attributes.hashedBytes(.account))
    whole.append(contentsOf: hash(parts, size: 16))
    return whole
  }

  func name(_ itemClass: ItemClass, service: [UInt8], account: [UInt8]) -> [UInt8] {
    hash(2, itemClass, [service, account], size: 16)
  }

  func service(_ itemClass: ItemClass, _ service: [UInt8]) -> [UInt8] { hash(3, itemClass, [service], size: 16) }

  func account(_ itemClass: ItemClass, _ account: [UInt8]) -> [UInt8] { hash(4, itemClass, [account], size: 16) }

  func group(_ group: [UInt8]) -> [UInt8] { hash(5, nil, [group], size: 16) }

  func policy(_ pattern: [UInt8]) -> [UInt8] { hash(6, nil, [pattern], size: 16) }

  private func hash(_ purpose: UInt8, _ itemClass: ItemClass?, _ parts: [[UInt8]], size: Int) -> [UInt8] {
    var writer = Self.begun(purpose, itemClass)
    for part in parts { writer.string(part) }
    return hash(writer, size: size)
  }

  /// What is hashed: purpose (1) | class (1, or 0) | each part behind its length (4).
  private static func begun(_ purpose: UInt8, _ itemClass: ItemClass?) -> ByteWriter {
    var writer = ByteWriter()
    writer.byte(purpose)
    writer.byte(itemClass?.number ?? 0)
    return writer
  }

  private func hash(_ writer: ByteWriter, size: Int) -> [UInt8] {
    KeyedHash.hash(writer.bytes, key: key, size: size)
  }
}

extension ItemClass {
  /// The attribute that names the service an item belongs to; the label serves the classes that have neither.
  var serviceAttribute: AttributeKey {
    switch self {
    case .genericPassword: .service
    case .internetPassword: .server
    case .certificate, .key, .identity: .label
    }
  }

  /// Whether service and account are parts of the primary key, so that its hash can begin with theirs.
  var hasName: Bool { primaryKey.contains(serviceAttribute) && primaryKey.contains(.account) }
}
