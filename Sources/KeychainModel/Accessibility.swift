/// When an item may be opened. Raw values are Apple's `kSecAttrAccessible` strings.
public enum Accessibility: String, CaseIterable, Sendable {
  /// Only while the keybag is unlocked (`kSecAttrAccessibleWhenUnlocked`).
  case whenUnlocked = "ak"
  /// From the first unlock after a start until the machine goes down (`kSecAttrAccessibleAfterFirstUnlock`).
  case afterFirstUnlock = "ck"
  /// Always (`kSecAttrAccessibleAlways`, deprecated by Apple).
  case always = "dk"
  /// As `whenUnlocked`, never moved to another machine.
  case whenUnlockedThisDeviceOnly = "aku"
  /// As `afterFirstUnlock`, never moved to another machine.
  case afterFirstUnlockThisDeviceOnly = "cku"
  /// As `always`, never moved to another machine.
  case alwaysThisDeviceOnly = "dku"
  /// Only while unlocked, and only while a passcode is set; the key is destroyed with the passcode.
  case whenPasscodeSetThisDeviceOnly = "akpu"

  /// The keybag class whose keys protect the item.
  public var protectionClass: ProtectionClass {
    switch self {
    case .always, .alwaysThisDeviceOnly: .always
    case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly: .afterFirstUnlock
    case .whenUnlocked, .whenUnlockedThisDeviceOnly: .whenUnlocked
    case .whenPasscodeSetThisDeviceOnly: .whenPasscodeSet
    }
  }

  /// Whether the item must stay on this machine: such items are left out of an export.
  public var isThisDeviceOnly: Bool {
    switch self {
    case .whenUnlocked, .afterFirstUnlock, .always: false
    default: true
    }
  }

  /// Apple's spelling without its prefix, as the command line takes it ("whenUnlocked").
  public var name: String {
    switch self {
    case .whenUnlocked: "whenUnlocked"
    case .afterFirstUnlock: "afterFirstUnlock"
    case .always: "always"
    case .whenUnlockedThisDeviceOnly: "whenUnlockedThisDeviceOnly"
    case .afterFirstUnlockThisDeviceOnly: "afterFirstUnlockThisDeviceOnly"
    case .alwaysThisDeviceOnly: "alwaysThisDeviceOnly"
    case .whenPasscodeSetThisDeviceOnly: "whenPasscodeSetThisDeviceOnly"
    }
  }

  /// The accessibility with this name, or `nil`.
  public init?(name: String) {
    guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }

  /// The number in associated data and frames: 1 for the first case.
  public var number: UInt8 {
    switch self {
    case .whenUnlocked: 1
    case .afterFirstUnlock: 2
    case .always: 3
    case .whenUnlockedThisDeviceOnly: 4
    case .afterFirstUnlockThisDeviceOnly: 5
    case .alwaysThisDeviceOnly: 6
    case .whenPasscodeSetThisDeviceOnly: 7
    }
  }

  /// By number: the spelling would be compared letter by letter.
  public static func == (left: Self, right: Self) -> Bool { left.number == right.number }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }

  /// The accessibility with this number, or `nil`.
  public init?(number: UInt8) {
    guard number >= 1, Int(number) <= Self.allCases.count else { return nil }
    self = Self.allCases[Int(number) - 1]
  }
}

/// The four classes of the keybag. Each has a key for values and one for metadata.
public enum ProtectionClass: UInt8, CaseIterable, Sendable {
  /// `dk`: wrapped by the device key alone.
  case always = 1
  /// `ck`: passcode and device key; kept from the first unlock on.
  case afterFirstUnlock = 2
  /// `ak`: passcode and device key; dropped at every lock.
  case whenUnlocked = 3
  /// `akpu`: as `ak`, destroyed when the passcode is removed; exists only in a bound keybag.
  case whenPasscodeSet = 4
}
