internal import CLinux

/// What the shadow file says about an account, without the hash (shadow(5)).
public struct ShadowEntry: Hashable, Sendable {
  /// Whether it has a passcode.
  public let passcode: PasscodeState
  /// When passcode and account run out.
  public let ageing: AccountAgeing
}

/// When an account's passcode was changed and when it runs out, in days since 1970 (shadow(5)); `nil` for an empty
/// field.
public struct AccountAgeing: Hashable, Sendable {
  /// The last change; 0 means that the next log-in must change it.
  public var lastChange: Int?
  /// How many days a passcode lives.
  public var maximumDays: Int?
  /// How many days an old one is still taken for changing it.
  public var inactiveDays: Int?
  /// The day the account ends.
  public var accountExpires: Int?

  /// How an account stands on a day.
  public enum Standing: Hashable, Sendable {
    /// Nothing ran out.
    case current
    /// The passcode ran out and must be changed (PAM_NEW_AUTHTOK_REQD).
    case mustChange
    /// It ran out too long ago to be changed (PAM_AUTHTOK_EXPIRED).
    case passcodeExpired
    /// The account ended (PAM_ACCT_EXPIRED).
    case accountExpired
  }

  /// How the account stands, as pam_unix judges it.
  ///
  /// - Parameter day: Days since 1970.
  public func standing(on day: Int) -> Standing {
    if let accountExpires, day >= accountExpires { return .accountExpired }
    guard let lastChange else { return .current }
    if lastChange == 0 { return .mustChange }
    guard day >= lastChange, let maximumDays, day - lastChange > maximumDays else { return .current }
    if let inactiveDays, day - lastChange > maximumDays + inactiveDays { return .passcodeExpired }
    return .mustChange
  }

  /// Today, for ``standing(on:)``.
  public static var today: Int { Int(Clock.realtime / 86_400_000_000_000) }
}

extension Users {
  /// What is known of an account's passcode, for root: the account's own field, and the shadow file where that points
  /// there.
  ///
  /// - Returns: `nil` where there is no such account. `.unknown` where the account's passcode is kept elsewhere.
  /// - Throws: ``Errno``: EACCES (not root), or the database cannot be read: nothing is known then.
  public static func shadow(_ name: String) throws(Errno) -> ShadowEntry? {
    guard let field = try passwordField(name) else { return nil }
    guard field == Array("x".utf8) else {
      return ShadowEntry(passcode: PasscodeState.of(field: field), ageing: AccountAgeing())
    }
    guard effectiveUserID == 0 else { throw .accessDenied }
    return try shadowRecord(name) ?? ShadowEntry(passcode: .unknown, ageing: AccountAgeing())
  }

  private static func shadowRecord(_ name: String) throws(Errno) -> ShadowEntry? {
    var record = unsafe spwd()
    var found: UnsafeMutablePointer<spwd>?
    var failure: Int32 = 0
    // SAFETY: the record's texts point into the buffer; what leaves are facts, and the buffer with the hash is wiped.
    let entry = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 65_536) { buffer -> ShadowEntry? in
      defer { unsafe explicit_bzero(buffer.baseAddress!, buffer.count) }
      failure = unsafe getspnam_r(name, &record, buffer.baseAddress!, buffer.count, &found)
      guard failure == 0, unsafe found != nil else { return nil }
      return unsafe ShadowEntry(record)
    }
    guard failure == 0 || failure == ENOENT else { throw Errno(rawValue: failure) }
    return entry
  }
}

extension ShadowEntry {
  fileprivate init(_ record: spwd) {
    var field = unsafe Array(String(cString: record.sp_pwdp).utf8)
    passcode = PasscodeState.of(field: field)
    for index in field.indices { field[index] = 0 }
    unsafe ageing = AccountAgeing(
      lastChange: days(record.sp_lstchg), maximumDays: days(record.sp_max), inactiveDays: days(record.sp_inact),
      accountExpires: days(record.sp_expire))
  }
}

private func days(_ field: Int) -> Int? { field < 0 ? nil : field }
