internal import SecretMemory

/// What a chunk of an archive holds.
enum ArchiveChunkKind: UInt8 {
  /// Everything of an item but its value.
  case item = 1
  /// The value of the item before it.
  case value = 2
  /// How many items there were; nothing follows.
  case end = 3
}

/// Seals and opens the chunks of one archive, in their order.
struct ArchiveSeal {
  /// Kind and length before a sealed chunk.
  static let prefixSize = 5
  /// Most bytes of a sealed chunk.
  static let largest = SecretBytes.maximumCount + AuthenticatedCipher.overhead

  private let check: [UInt8]
  private let key: SecretBytes
  /// The number of the next chunk.
  private(set) var index: UInt64 = 0

  init(_ header: ArchiveHeader, key: SecretBytes) {
    check = header.check
    self.key = key
  }

  /// Kind, length and sealed bytes of the next chunk.
  mutating func seal(_ kind: ArchiveChunkKind, _ content: Span<UInt8>) throws(ArchiveError) -> [UInt8] {
    let sealed: [UInt8]
    do throws(CipherError) {
      sealed = try AuthenticatedCipher.seal(content, key: key, associatedData: data(kind).span)
    } catch { throw .malformed }
    index += 1
    var bytes = ArchiveBytes()
    bytes.number(kind.rawValue)
    bytes.number(UInt32(sealed.count))
    bytes.raw(sealed)
    return bytes.bytes
  }

  /// The content of the next chunk.
  mutating func open(_ kind: ArchiveChunkKind, _ sealed: [UInt8]) throws(ArchiveError) -> SecretBytes {
    let content: SecretBytes
    do throws(CipherError) {
      content = try AuthenticatedCipher.open(sealed, key: key, associatedData: data(kind))
    } catch .memory { throw .outOfMemory } catch { throw .chunkDamaged(index) }
    index += 1
    return content
  }

  /// Which archive, which place, which kind: a chunk opens nowhere else.
  private func data(_ kind: ArchiveChunkKind) -> [UInt8] {
    var bytes = ArchiveBytes()
    bytes.raw(check)
    bytes.number(index)
    bytes.number(kind.rawValue)
    return bytes.bytes
  }
}
