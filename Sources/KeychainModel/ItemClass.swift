/// The kind of an item. Raw values are Apple's `kSecClass` strings.
public enum ItemClass: String, CaseIterable, Sendable {
  /// A password of a service (`kSecClassGenericPassword`).
  case genericPassword = "genp"
  /// A password of a server (`kSecClassInternetPassword`).
  case internetPassword = "inet"
  /// A certificate (`kSecClassCertificate`).
  case certificate = "cert"
  /// A cryptographic key (`kSecClassKey`).
  case key = "keys"
  /// A certificate and its private key (`kSecClassIdentity`).
  case identity = "idnt"

  /// The number that stands for the class in frames, in the store and in associated data.
  public var number: UInt8 {
    switch self {
    case .genericPassword: 1
    case .internetPassword: 2
    case .certificate: 3
    case .key: 4
    case .identity: 5
    }
  }

  /// The class with this number, or `nil`.
  public init?(number: UInt8) {
    switch number {
    case 1: self = .genericPassword
    case 2: self = .internetPassword
    case 3: self = .certificate
    case 4: self = .key
    case 5: self = .identity
    default: return nil
    }
  }

  /// By number: the spelling would be compared letter by letter.
  public static func == (left: Self, right: Self) -> Bool { left.number == right.number }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }

  /// The attributes that tell one item of this class from another, in the order they are hashed.
  ///
  /// Source: Apple's schema (UNIQUE columns). A missing one counts as empty text, 0 or the epoch.
  public var primaryKey: [AttributeKey] {
    switch self {
    case .genericPassword: [.accessGroup, .synchronizable, .account, .service]
    case .internetPassword:
      [
        .accessGroup, .synchronizable, .account, .securityDomain, .server, .protocolType, .authenticationType, .port,
        .path,
      ]
    case .certificate: [.accessGroup, .synchronizable, .certificateType, .issuer, .serialNumber]
    case .key:
      [
        .accessGroup, .synchronizable, .keyClass, .applicationLabel, .applicationTag, .creator, .keyType,
        .keySizeInBits,
        .effectiveKeySize, .startDate, .endDate,
      ]
    case .identity: [.accessGroup, .synchronizable, .certificateType, .issuer, .serialNumber, .applicationLabel]
    }
  }

  /// The attributes this class may carry; any other is `noSuchAttribute` (-25303).
  public var attributes: Set<AttributeKey> {
    switch self {
    case .genericPassword: Self.genericPasswordAttributes
    case .internetPassword: Self.internetPasswordAttributes
    case .certificate: Self.certificateAttributes
    case .key: Self.keyAttributes
    case .identity: Self.identityAttributes
    }
  }

  private static let common: Set<AttributeKey> = [
    .accessGroup, .synchronizable, .accessible, .accessControl, .creationDate, .modificationDate, .label,
  ]
  private static let password: Set<AttributeKey> = [
    .account, .description, .comment, .creator, .type, .isInvisible, .isNegative, .scriptCode, .alias,
  ]
  private static let genericPasswordAttributes = common.union(password).union([.service, .generic])
  private static let internetPasswordAttributes = common.union(password).union([
    .securityDomain, .server, .protocolType, .authenticationType, .port, .path,
  ])
  private static let certificateAttributes = common.union([
    .certificateType, .certificateEncoding, .subject, .issuer, .serialNumber, .subjectKeyID, .publicKeyHash, .alias,
  ])
  private static let keyAttributes = common.union([
    .keyClass, .applicationLabel, .applicationTag, .creator, .keyType, .keySizeInBits, .effectiveKeySize, .startDate,
    .endDate, .isPermanent, .canEncrypt, .canDecrypt, .canDerive, .canSign, .canVerify, .canWrap, .canUnwrap,
    .isSensitive, .isExtractable,
  ])
  private static let identityAttributes = certificateAttributes.union(keyAttributes)
}
