internal import KeychainModel
internal import LinuxSystem
public import SecretMemory
internal import Synchronization

/// One user's items, keybag and policies in one SQLite file. Every call is synchronous and may come from any thread.
///
/// Writes go through one connection and reads through others, so that the fsync of a write never holds up a read.
/// docs/formats/store.md specifies the file.
public final class ItemStore: Sendable {
  /// Where it lies.
  public let location: StoreLocation
  /// Whose it is.
  public let owner: StoreOwner

  let device: DeviceKeys
  let index: Index
  let writer: Connection
  /// When something was written last.
  let writes = WriteMark()
  private let readers: [Connection]
  private let turn = Atomic<UInt>(0)
  private let record: BriefLock<KeybagRecord>

  init(
    location: StoreLocation, owner: StoreOwner, device: DeviceKeys, contents: StoreContents, connections: [Connection]
  ) {
    self.location = location
    self.owner = owner
    self.device = device
    index = Index(key: contents.indexKey)
    record = BriefLock(contents.keybag)
    writer = connections[0]
    readers = Array(connections[1...])
  }

  /// Readers first: only a writing connection that closes last can empty the log.
  deinit {
    for reader in readers { reader.close() }
    writer.close()
  }

  /// Opens the store in a folder, or makes one.
  ///
  /// A file that is damaged, newer or somebody else's is left byte for byte as it is.
  ///
  /// - Parameters:
  ///   - location: the folder; mode 0700, and the caller holds its lock.
  ///   - deviceKey: 32 bytes.
  ///   - owner: recorded in a new file, compared in an old one.
  ///   - mode: what to do where there is no file.
  /// - Throws: `.missing`, `.damaged`, `.newer`, `.foreign`, `.readOnly`, `.diskFull`, `.ioFailed`, `.busy`, `.outOfMemory`.
  public static func open(
    location: StoreLocation, deviceKey: SecretBytes, owner: StoreOwner, mode: StoreOpenMode
  ) throws(StoreError) -> ItemStore {
    try open(location: location, deviceKey: deviceKey, owner: owner, mode: mode, fault: nil)
  }

  /// As the public one; a test hands in where to fail.
  package static func open(
    location: StoreLocation, deviceKey: SecretBytes, owner: StoreOwner, mode: StoreOpenMode, fault: FaultPlan?
  ) throws(StoreError) -> ItemStore {
    try StoreOpening(location: location, owner: owner, device: DeviceKeys(device: deviceKey), fault: fault).open(mode)
  }

  /// Runs a reading on a connection of its own.
  func read<Result>(_ body: (Connection) throws(StoreError) -> Result) throws(StoreError) -> Result {
    for reader in readers {
      if let result = try reader.ifFree({ () throws(StoreError) in try body(reader) }) { return result }
    }
    let next = Int(turn.wrappingAdd(1, ordering: .relaxed).oldValue % UInt(readers.count))
    return try readers[next].exclusively { () throws(StoreError) in try body(readers[next]) }
  }

  /// Runs a change in one transaction; what it answers was written to the disk.
  func write<Result>(_ body: (Connection) throws(StoreError) -> Result) throws(StoreError) -> Result {
    try writer.exclusively { () throws(StoreError) in
      try writes.whileWriting { () throws(StoreError) in
        try writer.transaction { () throws(StoreError) in try body(writer) }
      }
    }
  }

  /// The keybag as it is now.
  var keybag: KeybagRecord { record.withLock { $0 } }

  /// Looks at the keybag as it is now, without a copy.
  func withKeybag<Answer: Sendable>(_ look: (borrowing KeybagRecord) -> Answer) -> Answer {
    record.withLock { look($0) }
  }

  /// Runs a change that ends in a new keybag record, in one transaction.
  func writeKeybag<Result>(
    _ body: (Connection, inout KeybagRecord) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try writer.exclusively { () throws(StoreError) in
      var changed = keybag
      let result = try writes.whileWriting { () throws(StoreError) in
        try writer.transaction { () throws(StoreError) in
          let result = try body(writer, &changed)
          try StoreContents.save(changed, device, on: writer)
          return result
        }
      }
      let saved = changed
      record.withLock { $0 = saved }
      return result
    }
  }

  /// Moves the log into the main file and empties it, so that overwritten keys do not linger there. Best effort: a reader
  /// that is busy keeps the log until the next time.
  func emptyLog() {
    writer.exclusively { try? writer.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
  }
}
