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
  public var number: UInt8 { Self.numbers[self] ?? 0 }

  /// The attribute with this number, or `nil`.
  public init?(number: UInt8) {
    guard number >= 1, Int(number) <= Self.allCases.count else { return nil }
    self = Self.allCases[Int(number) - 1]
  }

  /// What kind of value the attribute takes.
  public var kind: AttributeKind {
    switch self {
    case .creationDate, .modificationDate, .startDate, .endDate: .date
    case .generic, .certificateEncoding, .subject, .issuer, .serialNumber, .subjectKeyID, .publicKeyHash,
      .applicationLabel,
      .applicationTag, .accessControl:
      .data
    case .synchronizable, .creator, .type, .isInvisible, .isNegative, .scriptCode, .port, .certificateType,
      .keySizeInBits,
      .effectiveKeySize, .isPermanent, .canEncrypt, .canDecrypt, .canDerive, .canSign, .canVerify, .canWrap, .canUnwrap,
      .isSensitive, .isExtractable:
      .number
    default: .text
    }
  }

  private static let numbers: [AttributeKey: UInt8] = Dictionary(
    uniqueKeysWithValues: zip(allCases, 1...UInt8(allCases.count)))
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
