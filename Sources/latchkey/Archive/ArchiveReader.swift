internal import KeychainModel
internal import LinuxSystem
internal import SecretMemory

/// Reads an archive from its start to its end, an item at a time.
struct ArchiveReader {
  private let file: OwnedDescriptor
  private let name: String
  private var seal: ArchiveSeal
  /// How many items were read.
  private(set) var count: UInt64 = 0

  /// A file whose header was read, before its passphrase is known.
  struct Start {
    let file: OwnedDescriptor
    let name: String
    let header: ArchiveHeader
    /// Whether it cannot be read a second time: a pipe, which `<(...)` of a shell is too.
    let comesOnce: Bool

    /// Reads the header.
    init(_ file: OwnedDescriptor, named name: String) throws(Failure) {
      self.file = file
      self.name = name
      comesOnce = (try? Files.facts(file))?.kind != .regular
      let bytes = try ArchiveReader.read(file, ArchiveHeader.size, named: name)
      header = try Failure.archive(name) { () throws(ArchiveError) in try ArchiveHeader(bytes) }
    }
  }

  /// Goes on behind the header.
  init(_ start: Start, key: SecretBytes) {
    file = start.file
    name = start.name
    seal = ArchiveSeal(start.header, key: key)
  }

  /// The next item, or `nil` behind the last, where the archive was whole.
  ///
  /// - Throws: ``Failure``: `archiveInvalid` also where it is cut short.
  mutating func next() throws(Failure) -> ArchiveItem? {
    let (kind, content) = try chunk()
    switch kind {
    case .item: return try item(content)
    case .end:
      try requireEnd(content)
      return nil
    case .value: throw failure(.malformed)
    }
  }

  private mutating func item(_ record: SecretBytes) throws(Failure) -> ArchiveItem {
    let (item, following): (ArchiveItem, ArchiveItem.Following)
    do throws(ArchiveError) { (item, following) = try ArchiveItem.read(record.unprotectedCopy()) } catch {
      throw failure(error)
    }
    guard following == .value else {
      count += 1
      return item
    }
    let (kind, value) = try chunk()
    guard kind == .value, value.count <= ItemLimits.valueBytes else { throw failure(.malformed) }
    count += 1
    return item.with(value)
  }

  private mutating func chunk() throws(Failure) -> (ArchiveChunkKind, SecretBytes) {
    let prefix = try Self.read(file, ArchiveSeal.prefixSize, named: name)
    guard prefix.count == ArchiveSeal.prefixSize else { throw failure(.cutShort) }
    var parser = ArchiveParser(prefix)
    do throws(ArchiveError) {
      guard let kind = ArchiveChunkKind(rawValue: try parser.number(UInt8.self)) else {
        throw .chunkDamaged(seal.index)
      }
      let size = Int(try parser.number(UInt32.self))
      guard (AuthenticatedCipher.overhead...ArchiveSeal.largest).contains(size) else { throw .chunkDamaged(seal.index) }
      return (kind, try open(kind, size))
    } catch { throw failure(error) }
  }

  private mutating func open(_ kind: ArchiveChunkKind, _ size: Int) throws(ArchiveError) -> SecretBytes {
    guard let sealed = try? Self.read(file, size, named: name), sealed.count == size else { throw .cutShort }
    return try seal.open(kind, sealed)
  }

  private func requireEnd(_ content: SecretBytes) throws(Failure) {
    var parser = ArchiveParser(content.unprotectedCopy())
    do throws(ArchiveError) {
      guard try parser.number(UInt64.self) == count else { throw .malformed }
      try parser.requireEnd()
    } catch { throw failure(error) }
    guard try Self.read(file, 1, named: name).isEmpty else { throw failure(.overlong) }
  }

  private func failure(_ error: ArchiveError) -> Failure { Failure(error, in: name, after: count) }

  /// So many bytes, or fewer where the file ends. They are sealed, so ordinary memory will do.
  private static func read(_ file: OwnedDescriptor, _ count: Int, named name: String) throws(Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    do throws(Errno) {
      while filled < count {
        var span = bytes.mutableSpan
        let more = try Files.read(file, into: &span, at: filled)
        if more == 0 { break }
        filled += more
      }
    } catch { throw Failure(name, .read, error) }
    return Array(bytes.prefix(filled))
  }
}
