internal import CSQLite

/// One prepared statement of one connection.
@safe final class Statement {
  private let handle: OpaquePointer
  private unowned let connection: Connection
  private let writes: Bool

  // SAFETY: the connection owns the statement and outlives it; the handle is finalized once, here in deinit.
  init(handle: OpaquePointer, connection: Connection) {
    unsafe self.handle = unsafe handle
    self.connection = connection
    unsafe writes = sqlite3_stmt_readonly(handle) == 0
  }

  deinit { unsafe sqlite3_finalize(handle) }

  /// Binds the values in their order and runs `row` for each answer until it says stop.
  func forEach(
    _ values: [SQLValue] = [], _ row: (borrowing Row) throws(StoreError) -> RowStep
  ) throws(StoreError) {
    defer { reset() }
    try bind(values)
    if writes { try connection.checkFault("step") }
    while true {
      let code = unsafe sqlite3_step(handle)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { throw connection.error(code) }
      if try row(unsafe Row(handle: handle)) == .stop { return }
    }
  }

  /// Runs the statement and answers how many rows it changed.
  @discardableResult
  func run(_ values: [SQLValue] = []) throws(StoreError) -> Int {
    try forEach(values) { _ throws(StoreError) in .next }
    return connection.changes
  }

  /// The first answer, as `read` takes it, or `nil` where there is none.
  func first<Result>(
    _ values: [SQLValue] = [], _ read: (borrowing Row) throws(StoreError) -> Result
  ) throws(StoreError) -> Result? {
    var found: Result?
    try forEach(values) { row throws(StoreError) in
      found = try read(row)
      return .stop
    }
    return found
  }

  /// Makes the statement ready to run again and forgets what was bound.
  func reset() {
    unsafe sqlite3_reset(handle)
    unsafe sqlite3_clear_bindings(handle)
  }

  private func bind(_ values: [SQLValue]) throws(StoreError) {
    for (index, value) in values.enumerated() {
      let place = Int32(index + 1)
      let code: Int32
      switch value {
      case .null: code = unsafe sqlite3_bind_null(handle, place)
      case .integer(let number): code = unsafe sqlite3_bind_int64(handle, place, number)
      case .real(let number): code = unsafe sqlite3_bind_double(handle, place, number)
      case .bytes(let bytes): code = bind(bytes, at: place)
      }
      guard code == SQLITE_OK else { throw connection.error(code) }
    }
  }

  // SAFETY: SQLITE_TRANSIENT (-1) makes SQLite copy the bytes before the call returns.
  private func bind(_ bytes: [UInt8], at place: Int32) -> Int32 {
    if bytes.isEmpty { return unsafe sqlite3_bind_zeroblob(handle, place, 0) }
    return unsafe bytes.withUnsafeBytes { buffer in
      unsafe sqlite3_bind_blob(
        handle, place, buffer.baseAddress, Int32(buffer.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    }
  }
}

/// Whether to go on to the next row.
enum RowStep { case next, stop }

/// A value to bind.
enum SQLValue {
  case null
  case integer(Int64)
  case real(Double)
  case bytes([UInt8])

  /// Bytes, or NULL.
  static func optional(_ bytes: [UInt8]?) -> SQLValue { bytes.map(SQLValue.bytes) ?? .null }
}

/// The row a statement stands on; lent for the length of one call.
@safe struct Row: ~Copyable {
  // SAFETY: valid while the statement stands on the row; `Statement.forEach` lends it only then.
  private let handle: OpaquePointer

  init(handle: OpaquePointer) { unsafe self.handle = unsafe handle }

  /// The integer in a column; 0 where it holds something else.
  func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

  /// The number in a column.
  func real(_ column: Int32) -> Double { unsafe sqlite3_column_double(handle, column) }

  /// Whether a column is NULL.
  func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

  /// The bytes in a column; empty where it is NULL.
  func bytes(_ column: Int32) -> [UInt8] {
    let start = unsafe sqlite3_column_blob(handle, column)
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    guard let start = unsafe start, count > 0 else { return [] }
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// The bytes in a column, or `nil` where it is NULL.
  func optionalBytes(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : bytes(column) }
}
