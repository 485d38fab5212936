internal import CSQLite
internal import LinuxSystem
internal import Synchronization

/// One connection to the database file, used by one thread at a time.
///
/// Only this file and Statement.swift call SQLite. Everything but ``exclusively(_:)`` is for the holder of the lock.
// SAFETY: `handle` and `statements` are touched only inside `exclusively`, which holds `lock`.
@safe final class Connection: @unchecked Sendable {
  /// How a file is opened.
  enum Access {
    /// Reading and writing; the file must exist.
    case readWrite
    /// As `readWrite`; the file is made where there is none.
    case create
    /// Reading only; takes part in the write-ahead log.
    case readOnly
    /// Reading only the main file, without its log and without any file beside it: nothing is written anywhere.
    case untouched
  }

  private let handle: OpaquePointer
  private let lock = BriefLock(())
  private var isOpen = true
  private var statements: [String: Statement] = [:]
  /// The one that was asked for last: reads ask for the same one again, and the text is long to hash.
  private var latest: (text: String, statement: Statement)?
  /// Called before each statement that may write; a test makes it throw.
  private let fault: FaultPlan?

  init(path: [UInt8], access: Access, fault: FaultPlan? = nil) throws(StoreError) {
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOFOLLOW
    var name = path
    switch access {
    case .readWrite: flags |= SQLITE_OPEN_READWRITE
    case .create: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    case .readOnly: flags |= SQLITE_OPEN_READONLY
    case .untouched:
      flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      name = Self.immutableURI(path)
    }
    self.fault = fault
    var opened: OpaquePointer?
    let terminated = name.map { CChar(bitPattern: $0) } + [0]
    let code = unsafe sqlite3_open_v2(terminated, &opened, flags, nil)
    guard code == SQLITE_OK, let made = unsafe opened else {
      let error = unsafe StoreError(sqlite: code, systemErrno: sqlite3_system_errno(opened))
      unsafe sqlite3_close_v2(opened)
      throw error
    }
    unsafe self.handle = unsafe made
    unsafe sqlite3_busy_timeout(made, 5000)
  }

  deinit { close() }

  /// Closes the file; the last writing connection to close moves the log into the main file.
  func close() {
    exclusively {
      guard isOpen else { return }
      isOpen = false
      latest = nil
      statements.removeAll()
      unsafe sqlite3_close_v2(handle)
    }
  }

  /// Runs `body` while no other thread uses the connection.
  func exclusively<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    try lock.withLock { _ throws(Failure) in try body() }
  }

  /// Runs `body` if the connection is free, else answers `nil` at once.
  func ifFree<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result? {
    try lock.withLockIfAvailable { _ throws(Failure) in try body() }
  }

  /// The prepared statement for this text; prepared once and kept.
  func statement(_ text: String) throws(StoreError) -> Statement {
    if let latest, latest.text == text { return latest.statement }
    let statement: Statement
    if let kept = statements[text] { statement = kept } else { statement = try prepare(text) }
    latest = (text, statement)
    return statement
  }

  private func prepare(_ text: String) throws(StoreError) -> Statement {
    var prepared: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    // The statements are the program's own: one that cannot be prepared means that the schema is not what it was.
    guard code & 0xff != SQLITE_ERROR else { throw .damaged(.database) }
    guard code == SQLITE_OK, let made = unsafe prepared else { throw error(code) }
    let statement = unsafe Statement(handle: made, connection: self)
    statements[text] = statement
    return statement
  }

  /// Runs statements that bind nothing and answer nothing: the schema, transactions, pragmas.
  func execute(_ sql: String) throws(StoreError) {
    try fault?.check(sql)
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code) }
  }

  /// Runs `body` in one transaction: all of it is kept, on the disk, or none.
  func transaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    try control("BEGIN IMMEDIATE")
    do throws(StoreError) {
      try requireInPlace()
      let result = try body()
      try control("COMMIT")
      return result
    } catch {
      resetStatements()
      _ = unsafe sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
      throw error
    }
  }

  /// Refuses where the file that is open is not the one of its name any more: what is written to it goes with this process.
  private func requireInPlace() throws(StoreError) {
    var hasMoved: Int32 = 0
    let code = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    guard code == SQLITE_OK else { throw error(code) }
    guard hasMoved == 0 else { throw .replaced }
  }

  /// Begins or ends a transaction by a statement that is prepared once.
  private func control(_ sql: String) throws(StoreError) {
    try fault?.check(sql)
    try statement(sql).run()
  }

  /// How many rows the last statement changed.
  var changes: Int { unsafe Int(sqlite3_changes64(handle)) }

  /// The row number the last insert gave.
  var lastInsertedRow: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

  /// What SQLite's code means, with the system's own error beside it.
  func error(_ code: Int32) -> StoreError {
    unsafe StoreError(sqlite: code, systemErrno: sqlite3_system_errno(handle))
  }

  func checkFault(_ sql: String) throws(StoreError) { try fault?.check(sql) }

  private func resetStatements() {
    for statement in statements.values { statement.reset() }
  }

  /// A URI that keeps SQLite from writing, locking or looking at the log; every byte but the plainest is escaped.
  private static func immutableURI(_ path: [UInt8]) -> [UInt8] {
    var uri = Array("file:".utf8)
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in path {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        uri.append(byte)
      default: uri += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return uri + Array("?immutable=1".utf8)
  }
}

/// The files of a store as SQLite's own file layer sees them.
enum StoreFiles {
  /// SQLITE_IOERR_DELETE_NOENT: the macro is an expression that Swift does not import.
  private static let notThere = SQLITE_IOERR | (23 << 8)

  /// Whether anything has this name: only ENOENT (2) from open(2) says no. An empty or unreadable file exists.
  static func exists(_ path: [UInt8]) -> Bool {
    let name = path.map { CChar(bitPattern: $0) } + [0]
    var opened: OpaquePointer?
    let code = unsafe sqlite3_open_v2(name, &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOFOLLOW, nil)
    defer { unsafe sqlite3_close_v2(opened) }
    return unsafe code == SQLITE_OK || sqlite3_system_errno(opened) != 2
  }

  /// Whether there is a file of this name with something in it (SQLite's layer overlooks empty ones).
  static func hasContent(_ path: [UInt8]) -> Bool {
    guard let layer = unsafe sqlite3_vfs_find(nil) else { return false }
    let name = path.map { CChar(bitPattern: $0) } + [0]
    var found: Int32 = 0
    let code = unsafe layer.pointee.xAccess(layer, name, SQLITE_ACCESS_EXISTS, &found)
    return code == SQLITE_OK && found != 0
  }

  /// Deletes the file and makes the deletion durable; a file that is not there is fine.
  static func delete(_ path: [UInt8]) throws(StoreError) {
    guard let layer = unsafe sqlite3_vfs_find(nil) else { throw .internalFailure }
    let name = path.map { CChar(bitPattern: $0) } + [0]
    let code = unsafe layer.pointee.xDelete(layer, name, 1)
    guard code == SQLITE_OK || code == Self.notThere else { throw .ioFailed(code: code) }
  }
}

/// Where a test lets the store fail: before the n-th statement that may write.
package final class FaultPlan: Sendable {
  private struct State {
    var remaining: Int?
    var seen = 0
  }
  private let state = Mutex(State())

  /// A plan that lets everything pass until it is armed.
  package init() {}

  /// Lets `count` writing statements pass and fails every one after; `nil` lets all pass.
  package func arm(after count: Int?) {
    state.withLock { $0 = State(remaining: count) }
  }

  /// How many statements came since the last arming.
  package var seen: Int { state.withLock(\.seen) }

  func check(_ sql: String) throws(StoreError) {
    try state.withLock { state throws(StoreError) in
      state.seen += 1
      guard let remaining = state.remaining else { return }
      guard remaining > 0 else { throw .ioFailed(code: SQLITE_IOERR) }
      state.remaining = remaining - 1
    }
  }
}

extension StoreError {
  /// The error for one of SQLite's (extended) result codes; errno 28 is ENOSPC, 122 EDQUOT.
  init(sqlite code: Int32, systemErrno: Int32) {
    switch code & 0xff {
    case SQLITE_FULL: self = .diskFull
    case SQLITE_IOERR where systemErrno == 28 || systemErrno == 122: self = .diskFull
    case SQLITE_IOERR: self = .ioFailed(code: code)
    case SQLITE_CANTOPEN: self = .ioFailed(code: code)
    case SQLITE_CORRUPT, SQLITE_NOTADB: self = .damaged(.database)
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: self = .readOnly
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
    case SQLITE_NOMEM: self = .outOfMemory
    case SQLITE_CONSTRAINT: self = .duplicateItem
    case SQLITE_TOOBIG: self = .valueTooLarge
    default: self = .internalFailure
    }
  }
}
