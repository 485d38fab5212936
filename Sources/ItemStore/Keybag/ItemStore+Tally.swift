extension ItemStore {
  /// Wrong passcodes so far, and how long to wait. The first reading after a restart is noted down, so that the rest of the
  /// wait runs on this boot's own clock.
  ///
  /// - Throws: `.damaged`, `.diskFull`, `.ioFailed`, `.busy`.
  public func tally(at now: ClockReading) throws(StoreError) -> PasscodeTally {
    let stored = try read { connection throws(StoreError) in try Self.tally(on: connection) }
    let remaining = stored.remaining(at: now)
    if remaining > 0, stored.missed.bootID != now.bootID {
      try write { connection throws(StoreError) in
        try Self.save(StoredTally(misses: stored.misses, missed: now, waitSeconds: remaining), on: connection)
      }
    }
    return PasscodeTally(misses: stored.misses, retryAfterSeconds: remaining)
  }

  /// Counts a wrong passcode; durable before the answer goes out, so that a kill does not give the try back.
  ///
  /// - Throws: `.damaged`, `.diskFull`, `.ioFailed`, `.busy`.
  public func recordMiss(at now: ClockReading) throws(StoreError) -> PasscodeTally {
    try write { connection throws(StoreError) in
      var stored = try Self.tally(on: connection)
      stored.misses = stored.misses == .max ? .max : stored.misses + 1
      stored.waitSeconds = max(PasscodeTally.delaySeconds(after: stored.misses), stored.remaining(at: now))
      stored.missed = now
      try Self.save(stored, on: connection)
      return PasscodeTally(misses: stored.misses, retryAfterSeconds: stored.waitSeconds)
    }
  }

  /// Forgets the wrong passcodes after a right one.
  ///
  /// - Throws: `.damaged`, `.diskFull`, `.ioFailed`, `.busy`.
  public func resetTally() throws(StoreError) {
    guard try read({ connection throws(StoreError) in try Self.tally(on: connection) }) != .empty else { return }
    try write { connection throws(StoreError) in try Self.save(.empty, on: connection) }
  }

  /// A tally that is missing or holds nonsense counts as the longest wait's last miss.
  private static func tally(on connection: Connection) throws(StoreError) -> StoredTally {
    let found = try connection.statement(
      "SELECT misses, missed_wall, missed_boot, boot_id, wait_seconds FROM passcode_tally WHERE id = 1"
    ).first { row in
      StoredTally(
        misses: UInt32(clamping: row.integer(0)),
        missed: ClockReading(wallSeconds: row.integer(1), bootSeconds: row.integer(2), bootID: row.bytes(3)),
        waitSeconds: min(UInt32(clamping: row.integer(4)), PasscodeTally.delaySeconds(after: .max)))
    }
    guard let found else { throw .damaged(.header) }
    return found
  }

  private static func save(_ tally: StoredTally, on connection: Connection) throws(StoreError) {
    try connection.statement(
      """
      UPDATE passcode_tally SET misses = ?, missed_wall = ?, missed_boot = ?, boot_id = ?, wait_seconds = ? WHERE id = 1
      """
    ).run([
      .integer(Int64(tally.misses)), .integer(tally.missed.wallSeconds), .integer(tally.missed.bootSeconds),
      .bytes(tally.missed.bootID), .integer(Int64(tally.waitSeconds)),
    ])
  }
}
