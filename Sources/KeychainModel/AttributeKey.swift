/// The name of an attribute. Raw values are Apple's four-character keys (`kSecAttr...`).
///
/// The order of the cases is the order of encoding: new ones go to the end, so that stored and sent numbers keep meaning.
public enum AttributeKey: String, CaseIterable, Sendable {
  case accessGroup = "agrp"
  case synchronizable = "sync"
  case accessible = "pdmn"
  case accessControl = "accc"
  case creationDate = "cdat"
  case modificationDate = "mdat"
  case label = "labl"
  case account = "acct"
  case service = "svce"
  case generic = "gena"
  case description = "desc"
  case comment = "icmt"
  case creator = "crtr"
  case type = "type"
  case isInvisible = "invi"
  case isNegative = "nega"
  case scriptCode = "scrp"
  case alias = "alis"
  case securityDomain = "sdmn"
  case server = "srvr"
  case protocolType = "ptcl"
  case authenticationType = "atyp"
  case port = "port"
  case path = "path"
  case certificateType = "ctyp"
  case certificateEncoding = "cenc"
  case subject = "subj"
  case issuer = "issr"
  case serialNumber = "slnr"
  case subjectKeyID = "skid"
  case publicKeyHash = "pkhh"
  case keyClass = "kcls"
  case applicationLabel = "klbl"
  case applicationTag = "atag"
  case keySizeInBits = "bsiz"
  case effectiveKeySize = "esiz"
  case startDate = "sdat"
  case endDate = "edat"
  case isPermanent = "perm"
  case canEncrypt = "encr"
  case canDecrypt = "decr"
  case canDerive = "drve"
  case canSign = "sign"
  case canVerify = "vrfy"
  case canWrap = "wrap"
  case canUnwrap = "unwp"
  case isSensitive = "sens"
  case isExtractable = "extr"

  /// The key's type of a cryptographic key shares Apple's spelling `type` with the password attribute.
  public static var keyType: AttributeKey { .type }

  /// The number that stands for the attribute in frames and in sealed metadata: 1 for the first case.
  public var number: UInt8 {
    switch self {
    case .accessGroup: 1
    case .synchronizable: 2
    case .accessible: 3
    case .accessControl: 4
    case .creationDate: 5
    case .modificationDate: 6
    case .label: 7
    case .account: 8
    case .service: 9
    case .generic: 10
    case .description: 11
    case .comment: 12
    case .creator: 13
    case .type: 14
    case .isInvisible: 15
    case .isNegative: 16
    case .scriptCode: 17
    case .alias: 18
    case .securityDomain: 19
    case .server: 20
    case .protocolType: 21
    case .authenticationType: 22
    case .port: 23
    case .path: 24
    case .certificateType: 25
    case .certificateEncoding: 26
    case .subject: 27
    case .issuer: 28
    case .serialNumber: 29
    case .subjectKeyID: 30
    case .publicKeyHash: 31
    case .keyClass: 32
    case .applicationLabel: 33
    case .applicationTag: 34
    case .keySizeInBits: 35
    case .effectiveKeySize: 36
    case .startDate: 37
    case .endDate: 38
    case .isPermanent: 39
    case .canEncrypt: 40
    case .canDecrypt: 41
    case .canDerive: 42
    case .canSign: 43
    case .canVerify: 44
    case .canWrap: 45
    case .canUnwrap: 46
    case .isSensitive: 47
    case .isExtractable: 48
    }
  }

  /// By number: the spelling would be compared letter by letter.
  public static func == (left: Self, right: Self) -> Bool { left.number == right.number }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }

  /// The attribute with this number, or `nil`.
  public init?(number: UInt8) {
    guard number >= 1, Int(number) <= Self.allCases.count else { return nil }
    self = Self.allCases[Int(number) - 1]
  }

  /// What kind of value the attribute takes.
  public var kind: AttributeKind {
    switch self {
    case .creationDate, .modificationDate, .startDate, .endDate: .date
    case .generic, .subject, .issuer, .serialNumber, .subjectKeyID, .publicKeyHash,
      .applicationLabel,
      .applicationTag, .accessControl:
      .data
    case .synchronizable, .creator, .type, .isInvisible, .isNegative, .scriptCode, .port, .certificateType,
      .certificateEncoding, .keyClass, .keySizeInBits,
      .effectiveKeySize, .isPermanent, .canEncrypt, .canDecrypt, .canDerive, .canSign, .canVerify, .canWrap, .canUnwrap,
      .isSensitive, .isExtractable:
      .number
    default: .text
    }
  }
}

/// The kinds of attribute values.
public enum AttributeKind: Sendable {
  /// Text, kept as the exact bytes that were given.
  case text
  /// Bytes.
  case data
  /// A signed 64-bit number; flags are 0 or 1.
  case number
  /// Seconds since 1970-01-01 UTC.
  case date
}
