internal import ItemStore
internal import KeychainModel
internal import LinuxSystem
internal import SecretMemory
internal import Synchronization

/// The machine's own key: 32 random bytes in a file of mode 0600, without which no store opens.
///
/// It is made once, before the first store, and never replaced: another key would lock every store for good.
struct DeviceKeyFile {
  /// Bytes of the key.
  static let size = 32

  let path: String
  let store: StoreLocation

  /// One at a time: users whose first requests come together would remove each other's unfinished file, or find the other's
  /// store before they look for its key again. Other processes are kept out by the daemon's own lock.
  private static let turn = Mutex(())

  /// The key; made where there is neither a key nor a store.
  ///
  /// - Throws: `storeDamaged` where the key is missing beside a store or is not what was made, `storeForeign` (another
  ///   owner), `storeReadOnly`, `diskFull`, `ioFailed`, `outOfMemory`.
  func readOrMake() throws(Refusal) -> SecretBytes {
    try Self.turn.withLock { (_) throws(Refusal) in try readOrMakeAlone() }
  }

  private func readOrMakeAlone() throws(Refusal) -> SecretBytes {
    do throws(Errno) { try NewFile.removeLeftovers(of: path) } catch { throw StoreFolder.refusal(error, path) }
    if let key = try read() { return key }
    try requireNoStore()
    try make()
    guard let key = try read() else { throw Refusal(.ioFailed, detail: "\(path) vanished") }
    return key
  }

  private func read() throws(Refusal) -> SecretBytes? {
    guard let (file, facts) = try look() else { return nil }
    try check(facts)
    let key: SecretBytes
    do throws(SecretFillError<Errno>) {
      key = try SecretBytes(filling: Self.size) { (span) throws(Errno) in try Self.fill(&span, from: file) }
    } catch {
      switch error {
      case .memory: throw Refusal(.outOfMemory)
      case .source(let error): throw StoreFolder.refusal(error, path)
      }
    }
    guard key.count == Self.size else { throw Refusal(.storeDamaged, detail: "the device key \(path) is cut short") }
    return key
  }

  private func look() throws(Refusal) -> (OwnedDescriptor, FileFacts)? {
    do throws(Errno) {
      let file = try Files.openNoFollow(path, [.reading, .nonBlocking, .notControlling])
      return (file, try Files.facts(file))
    } catch .noSuchFile {
      return nil
    } catch .symbolicLink {
      throw Refusal(.storeDamaged, detail: "the device key \(path) is a symbolic link")
    } catch {
      throw StoreFolder.refusal(error, path)
    }
  }

  private static func fill(_ span: inout MutableSpan<UInt8>, from file: OwnedDescriptor) throws(Errno) -> Int {
    var count = 0
    while count < size {
      let step = try Files.read(file, into: &span, at: count)
      if step == 0 { break }
      count += step
    }
    return count
  }

  private func check(_ facts: FileFacts) throws(Refusal) {
    guard facts.kind == .regular, facts.size == Int64(Self.size) else {
      throw Refusal(.storeDamaged, detail: "the device key \(path) is not a file of \(Self.size) bytes")
    }
    guard facts.owner == Users.effectiveUserID else {
      throw Refusal(.storeForeign, detail: "the device key \(path) belongs to the user id \(facts.owner)")
    }
    guard facts.mode & 0o077 == 0 else {
      throw Refusal(
        .storeDamaged, detail: "the device key \(path) is open to others (mode \(String(facts.mode, radix: 8)))")
    }
  }

  /// Where a store stands without its key, the key was lost: a new one would open nothing.
  private func requireNoStore() throws(Refusal) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let beside = ((try? Files.names(in: folder)) ?? []).map { "\(folder)/\($0)/\(StoreLocation.fileName)" }
    for file in [store.file, "\(folder)/\(StoreLocation.fileName)"] + beside {
      guard (try? Files.factsNoFollow(file)) != nil else { continue }
      throw Refusal(
        .storeDamaged,
        detail: "the device key \(path) is missing, and \(file) opens with it alone; put it back from a backup")
    }
  }

  private func make() throws(Refusal) {
    let key: SecretBytes
    do { key = try SecretBytes.random(count: Self.size) } catch { throw Refusal(.outOfMemory) }
    do throws(Errno) {
      try key.withSpan { (span) throws(Errno) in
        try Files.writeAtomically(span, to: path, mode: 0o600, existing: .kept)
      }
    } catch .fileExists {
      // Somebody else made it at the same time: theirs counts.
      return
    } catch {
      throw StoreFolder.refusal(error, path)
    }
  }
}
