internal import KeychainModel
internal import SecretMemory

/// What a store holds besides its items.
struct StoreContents: Sendable {
  let format: Int64
  let indexKey: SecretBytes
  let keybag: KeybagRecord

  /// Writes the keybag with its mark.
  static func save(_ keybag: KeybagRecord, _ device: DeviceKeys, on connection: Connection) throws(StoreError) {
    let record = keybag.encoded
    let mark = KeyedHash.hash(record, key: device.keybagMark)
    try connection.statement("INSERT OR REPLACE INTO keybag(id, record, mark) VALUES(1, ?, ?)")
      .run([.bytes(record), .bytes(mark)])
  }
}

/// Opens a store file: looks at it without writing, and only then opens it for writing.
struct StoreOpening {
  let location: StoreLocation
  let owner: StoreOwner
  let device: DeviceKeys
  let fault: FaultPlan?

  /// How many connections read; each holds a small page cache.
  private static let readerCount = 2
  /// Files up to this many pages are checked whole at opening; larger ones when they are read.
  private static let checkedPages: Int64 = 1024

  func open(_ mode: StoreOpenMode) throws(StoreError) -> ItemStore {
    if StoreFiles.exists(location.creationMark) {
      guard case .createIfMissing = mode else { throw .missing }
      try discardUnfinished()
    }
    if !StoreFiles.exists(location.path) {
      guard !StoreFiles.hasContent(location.log) else { throw .damaged(.database) }
      guard case .createIfMissing = mode else { throw .missing }
      try create()
    }
    return try openExisting(try inspect())
  }

  private func openExisting(_ contents: StoreContents) throws(StoreError) -> ItemStore {
    let writer = try Connection(path: location.path, access: .readWrite, fault: fault)
    try configure(writer, cacheKiB: Self.cacheKiB.writer)
    try writer.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON")
    try Migration.run(on: writer, from: contents.format)
    var connections = [writer]
    for _ in 0..<Self.readerCount {
      let reader = try Connection(path: location.path, access: .readOnly)
      try configure(reader, cacheKiB: Self.cacheKiB.reader)
      connections.append(reader)
    }
    return ItemStore(location: location, owner: owner, device: device, contents: contents, connections: connections)
  }

  /// Most bytes of pages that a connection keeps: room for the inner pages of a million items' indexes, so that a look-up
  /// reads two leaves. Nothing is mapped (a cut file would kill the process instead of being refused).
  private static let cacheKiB = (writer: 5120, reader: 2560)
  /// Most bytes SQLite takes for all connections of the process before a page makes room for the next.
  private static let allCachesBytes = 8 << 20

  /// Nothing is sorted in memory: the daemon stays small at any size.
  private func configure(_ connection: Connection, cacheKiB: Int) throws(StoreError) {
    try connection.execute(
      """
      PRAGMA cache_size = -\(cacheKiB); PRAGMA soft_heap_limit = \(Self.allCachesBytes); PRAGMA mmap_size = 0; \
      PRAGMA temp_store = FILE; PRAGMA trusted_schema = OFF
      """)
  }

  // MARK: Looking at a file

  private func inspect() throws(StoreError) -> StoreContents {
    let access: Connection.Access = StoreFiles.hasContent(location.log) ? .readOnly : .untouched
    let connection = try Connection(path: location.path, access: access)
    let format = try checkMark(connection)
    let indexKey = try checkHeader(connection)
    let keybag = try readKeybag(connection)
    _ = try connection.statement(ItemSearch.byNumber)
    try checkPages(connection)
    return StoreContents(format: format, indexKey: indexKey, keybag: keybag)
  }

  private func checkMark(_ connection: Connection) throws(StoreError) -> Int64 {
    let mark = try connection.statement("PRAGMA application_id").first { row in row.integer(0) }
    guard mark == Schema.applicationID else { throw .damaged(mark == 0 ? .database : .header) }
    let format = try connection.statement("PRAGMA user_version").first { row in row.integer(0) } ?? 0
    guard format <= Schema.format else { throw .newer(format: format) }
    guard format >= 1 else { throw .damaged(.header) }
    return format
  }

  private func checkHeader(_ connection: Connection) throws(StoreError) -> SecretBytes {
    let device = device
    let owner = owner
    let found = try connection.statement("SELECT uid, user_name, device_check, index_key FROM header WHERE id = 1")
      .first { row throws(StoreError) -> SecretBytes? in
        guard row.integer(0) == Int64(owner.uid) else { throw .foreign(.uid(UInt32(clamping: row.integer(0)))) }
        guard row.bytes(1) == Array(owner.userName.utf8) else { throw .foreign(.userName) }
        guard row.bytes(2) == device.check else { throw .foreign(.deviceKey) }
        return try Seal.open(row.bytes(3), device.indexWrap, Self.indexData)
      }
    guard let found, let key = found else { throw .damaged(.header) }
    return key
  }

  private func readKeybag(_ connection: Connection) throws(StoreError) -> KeybagRecord {
    let device = device
    let found = try connection.statement("SELECT record, mark FROM keybag WHERE id = 1")
      .first { row throws(StoreError) -> KeybagRecord? in
        guard KeyedHash.hash(row.bytes(0), key: device.keybagMark) == row.bytes(1) else { return nil }
        return KeybagRecord(encoded: row.bytes(0))
      }
    guard let found, let record = found else { throw .damaged(.keybag) }
    return record
  }

  private func checkPages(_ connection: Connection) throws(StoreError) {
    let pages = try connection.statement("PRAGMA page_count").first { row in row.integer(0) } ?? 0
    guard pages <= Self.checkedPages else { return }
    let answer = try connection.statement("PRAGMA quick_check(1)").first { row in row.bytes(0) }
    guard answer == Array("ok".utf8) else { throw .damaged(.database) }
  }

  // MARK: Making a file

  /// Makes the whole store in one transaction, with a mark beside it until it is on the disk.
  private func create() throws(StoreError) {
    let mark = try Connection(path: location.creationMark, access: .create, fault: fault)
    try mark.execute("PRAGMA user_version = 1")
    let connection = try Connection(path: location.path, access: .create, fault: fault)
    try connection.execute("PRAGMA synchronous = EXTRA")
    try Migration.run(on: connection, from: 0)
    try connection.transaction { () throws(StoreError) in try fill(connection) }
    try StoreFiles.delete(location.creationMark)
  }

  private func fill(_ connection: Connection) throws(StoreError) {
    let indexKey = try Seal.seal(try SecretBytes.randomKey(), device.indexWrap, Self.indexData)
    try connection.statement(
      "INSERT INTO header(id, uid, user_name, device_check, index_key, created) VALUES(1, ?, ?, ?, ?, unixepoch())"
    ).run([
      .integer(Int64(owner.uid)), .bytes(Array(owner.userName.utf8)), .bytes(device.check), .bytes(indexKey),
    ])
    let keys = try ClassKeySet.random([.always, .afterFirstUnlock, .whenUnlocked])
    try StoreContents.save(KeybagRecord.unbound(keys, device), device, on: connection)
    try connection.statement("INSERT INTO passcode_tally VALUES(1, 0, 0, 0, x'', 0)").run()
  }

  /// Removes what a killed creation left: nothing in it was ever acknowledged.
  private func discardUnfinished() throws(StoreError) {
    for file in location.companions + [location.path, location.creationMark + Array("-journal".utf8)] {
      try StoreFiles.delete(file)
    }
    try StoreFiles.delete(location.creationMark)
  }

  private static let indexData = Array("latchkey index key 1".utf8)
}
