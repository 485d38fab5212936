extension ItemStore {
  /// Fingers in a row that did not match. A tally that holds nonsense counts as the highest.
  ///
  /// - Throws: `.damaged`, `.diskFull`, `.ioFailed`, `.busy`.
  public func biometryMisses() throws(StoreError) -> UInt32 {
    try read { connection throws(StoreError) in try Self.biometryMisses(on: connection) }
  }

  /// Counts one more and answers how many there are; durable before the next finger is taken, so that a kill does not give the
  /// try back.
  ///
  /// - Throws: `.damaged`, `.diskFull`, `.ioFailed`, `.busy`.
  public func recordBiometryMiss() throws(StoreError) -> UInt32 {
    try write { connection throws(StoreError) in
      let before = try Self.biometryMisses(on: connection)
      let misses = before == .max ? .max : before + 1
      try Self.save(biometryMisses: misses, on: connection)
      return misses
    }
  }

  /// Forgets them after a proof.
  ///
  /// - Throws: `.damaged`, `.diskFull`, `.ioFailed`, `.busy`.
  public func resetBiometryTally() throws(StoreError) {
    guard try biometryMisses() > 0 else { return }
    try write { connection throws(StoreError) in try Self.save(biometryMisses: 0, on: connection) }
  }

  private static func biometryMisses(on connection: Connection) throws(StoreError) -> UInt32 {
    let found = try connection.statement("SELECT misses FROM biometry_tally WHERE id = 1").first { row in row.integer(0)
    }
    guard let found else { throw .damaged(.header) }
    return UInt32(exactly: found) ?? .max
  }

  private static func save(biometryMisses misses: UInt32, on connection: Connection) throws(StoreError) {
    try connection.statement("UPDATE biometry_tally SET misses = ? WHERE id = 1").run([.integer(Int64(misses))])
  }
}
