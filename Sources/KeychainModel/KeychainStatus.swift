/// A result code of Apple's Security framework (`OSStatus`).
public struct KeychainStatus: RawRepresentable, Hashable, Sendable {
  /// The code.
  public let rawValue: Int32
  /// Wraps a code.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// Done.
  public static let success = KeychainStatus(rawValue: 0)
  /// No space is left.
  public static let diskFull = KeychainStatus(rawValue: -34)
  /// Reading or writing failed.
  public static let io = KeychainStatus(rawValue: -36)
  /// A request is malformed.
  public static let param = KeychainStatus(rawValue: -50)
  /// What was to be shown could not be written.
  public static let writePermission = KeychainStatus(rawValue: -61)
  /// No memory is left.
  public static let allocate = KeychainStatus(rawValue: -108)
  /// The prompt was dismissed.
  public static let userCanceled = KeychainStatus(rawValue: -128)
  /// An access group is not held.
  public static let missingEntitlement = KeychainStatus(rawValue: -34018)
  /// Something needed is not there.
  public static let notAvailable = KeychainStatus(rawValue: -25291)
  /// The store cannot be written.
  public static let readOnly = KeychainStatus(rawValue: -25292)
  /// A proof failed or an operation is denied.
  public static let authFailed = KeychainStatus(rawValue: -25293)
  /// An item of this primary key exists.
  public static let duplicateItem = KeychainStatus(rawValue: -25299)
  /// Nothing matches.
  public static let itemNotFound = KeychainStatus(rawValue: -25300)
  /// The value is too long.
  public static let dataTooLarge = KeychainStatus(rawValue: -25302)
  /// The class has no such attribute.
  public static let noSuchAttribute = KeychainStatus(rawValue: -25303)
  /// There is no such class.
  public static let noSuchClass = KeychainStatus(rawValue: -25306)
  /// A prompt is needed and not allowed, or the keybag is locked.
  public static let interactionNotAllowed = KeychainStatus(rawValue: -25308)
  /// The store was written by a newer version.
  public static let wrongVersion = KeychainStatus(rawValue: -25310)
  /// A prompt was needed and not answered.
  public static let interactionRequired = KeychainStatus(rawValue: -25315)

  /// The exit status of a command that ends with this code: its low byte, as macOS `security` does it.
  ///
  /// `itemNotFound` 44, `duplicateItem` 45, `interactionNotAllowed` 36, `authFailed` 51, `userCanceled` 128,
  /// `notAvailable` 53, `param` 206.
  public var exitStatus: UInt8 { UInt8(truncatingIfNeeded: rawValue) }
}
