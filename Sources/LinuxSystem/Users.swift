internal import CLinux

/// The account database, through the name service switch (getpwnam_r(3)).
public enum Users {
  /// The largest record that is read, in bytes.
  static let maximumRecordBytes = 1 << 20

  /// This process's effective user id.
  public static var effectiveUserID: UInt32 { geteuid() }
  /// This process's real user id.
  public static var realUserID: UInt32 { getuid() }

  /// The account with this id, or `nil` where there is none.
  ///
  /// - Throws: ``Errno``: the database cannot be read; that is not "no such user".
  public static func account(_ uid: UInt32) throws(Errno) -> UserAccount? {
    try unsafe lookUp { record, buffer, found in
      unsafe getpwuid_r(uid, record, buffer.baseAddress!, buffer.count, found)
    }
  }

  /// The account with this name, or `nil` where there is none.
  ///
  /// - Throws: ``Errno``: the database cannot be read; EINVAL for a name with a NUL.
  public static func account(_ name: String) throws(Errno) -> UserAccount? {
    try SystemCall.requireNoNUL(name)
    return try unsafe lookUp { record, buffer, found in
      unsafe getpwnam_r(name, record, buffer.baseAddress!, buffer.count, found)
    }
  }

  /// All groups of an account, its primary one first among them (getgrouplist(3)).
  ///
  /// - Throws: ``Errno``: E2BIG above 65,536 groups, the kernel's own bound.
  public static func groups(of account: UserAccount) throws(Errno) -> [UInt32] {
    var capacity: Int32 = 64
    while capacity <= 65_536 {
      var groups = [gid_t](repeating: 0, count: Int(capacity))
      var count = capacity
      if unsafe getgrouplist(account.name, account.gid, &groups, &count) >= 0 {
        return Array(groups.prefix(Int(count)))
      }
      capacity = max(capacity * 2, count)
    }
    throw Errno(rawValue: E2BIG)
  }

  private typealias Call = (
    UnsafeMutablePointer<passwd>, UnsafeMutableBufferPointer<CChar>, UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
  ) -> Int32

  private static func lookUp(_ call: Call) throws(Errno) -> UserAccount? {
    try unsafe lookUp(call) { record in unsafe UserAccount(record) }
  }

  /// The password field of an account (`x` where the shadow file holds it), for ``PasscodeState`` only.
  static func passwordField(_ name: String) throws(Errno) -> [UInt8]? {
    try SystemCall.requireNoNUL(name)
    let call: Call = { record, buffer, found in
      unsafe getpwnam_r(name, record, buffer.baseAddress!, buffer.count, found)
    }
    return try unsafe lookUp(call) { record in unsafe Array(String(cString: record.pw_passwd).utf8) }
  }

  private static func lookUp<Value>(_ call: Call, _ make: (passwd) -> Value) throws(Errno) -> Value? {
    var size = 1024
    while size <= maximumRecordBytes {
      var record = unsafe passwd()
      var found: UnsafeMutablePointer<passwd>?
      var failure: Int32 = 0
      // SAFETY: the record's texts point into the buffer, so they are copied before the buffer goes.
      let value = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer -> Value? in
        failure = unsafe call(&record, buffer, &found)
        defer { unsafe explicit_bzero(buffer.baseAddress!, buffer.count) }
        guard failure == 0, unsafe found != nil else { return nil }
        return unsafe make(record)
      }
      switch failure {
      case 0: return value
      case EINTR: continue
      case ERANGE: size *= 4
      // What getpwnam_r(3) names as "not found" on some systems.
      case ENOENT, ESRCH: return nil
      default: throw Errno(rawValue: failure)
      }
    }
    throw Errno(rawValue: ERANGE)
  }
}

extension UserAccount {
  fileprivate init(_ record: passwd) {
    unsafe self.init(
      uid: record.pw_uid, gid: record.pw_gid, name: text(record.pw_name), home: text(record.pw_dir),
      shell: text(record.pw_shell))
  }
}

private func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String {
  guard let pointer = unsafe pointer else { return "" }
  return unsafe String(cString: pointer)
}
