/// A result code of Apple's Security framework (`OSStatus`).
public struct KeychainStatus: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int32
  /// Wraps a code.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let success = KeychainStatus(rawValue: 0)
  public static let diskFull = KeychainStatus(rawValue: -34)
  public static let io = KeychainStatus(rawValue: -36)
  public static let param = KeychainStatus(rawValue: -50)
  public static let allocate = KeychainStatus(rawValue: -108)
  public static let userCanceled = KeychainStatus(rawValue: -128)
  public static let missingEntitlement = KeychainStatus(rawValue: -34018)
  public static let notAvailable = KeychainStatus(rawValue: -25291)
  public static let readOnly = KeychainStatus(rawValue: -25292)
  public static let authFailed = KeychainStatus(rawValue: -25293)
  public static let duplicateItem = KeychainStatus(rawValue: -25299)
  public static let itemNotFound = KeychainStatus(rawValue: -25300)
  public static let dataTooLarge = KeychainStatus(rawValue: -25302)
  public static let noSuchAttribute = KeychainStatus(rawValue: -25303)
  public static let noSuchClass = KeychainStatus(rawValue: -25306)
  public static let interactionNotAllowed = KeychainStatus(rawValue: -25308)
  public static let wrongVersion = KeychainStatus(rawValue: -25310)
  public static let interactionRequired = KeychainStatus(rawValue: -25315)

  /// The exit status of a command that ends with this code: its low byte, as macOS `security` does it.
  ///
  /// `itemNotFound` 44, `duplicateItem` 45, `interactionNotAllowed` 36, `authFailed` 51, `userCanceled` 128,
  /// `notAvailable` 53, `param` 206.
  public var exitStatus: UInt8 { UInt8(truncatingIfNeeded: rawValue) }
}
