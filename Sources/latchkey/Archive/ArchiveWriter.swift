internal import KeychainModel
internal import LinuxSystem
internal import SecretMemory

/// Writes an archive from its start to its end, an item at a time.
struct ArchiveWriter {
  private let file: OwnedDescriptor
  private let name: String
  private var seal: ArchiveSeal
  /// How many items were written.
  private(set) var count: UInt64 = 0

  /// Writes the header; stretching the passphrase takes a second.
  init(_ file: OwnedDescriptor, named name: String, passphrase: SecretBytes) throws(Failure) {
    let (header, key) = try Failure.archive(name) { () throws(ArchiveError) in
      try ArchiveHeader.make(passphrase: passphrase)
    }
    self.file = file
    self.name = name
    seal = ArchiveSeal(header, key: key)
    try write(header.bytes)
  }

  /// Writes one item.
  mutating func append(_ item: ArchiveItem) throws(Failure) {
    try chunk(.item, item.record.span)
    if let value = item.value {
      try value.withSpan { (bytes) throws(Failure) in try chunk(.value, bytes) }
    }
    count += 1
  }

  /// Writes the end; an archive without it is cut short.
  mutating func finish() throws(Failure) {
    var end = ArchiveBytes()
    end.number(count)
    try chunk(.end, end.bytes.span)
  }

  private mutating func chunk(_ kind: ArchiveChunkKind, _ content: Span<UInt8>) throws(Failure) {
    let bytes: [UInt8]
    do throws(ArchiveError) { bytes = try seal.seal(kind, content) } catch {
      throw Failure(error, in: name, after: count)
    }
    try write(bytes)
  }

  private func write(_ bytes: [UInt8]) throws(Failure) {
    do throws(Errno) { try Files.writeAll(file, bytes.span) } catch { throw Failure(name, .written, error) }
  }
}

extension Failure {
  /// An archive cannot be read.
  init(_ error: ArchiveError, in name: String, after count: UInt64) {
    let place = "\(name), after \(ItemCount(count).text)"
    self =
      switch error {
      case .notAnArchive: Failure(Refusal(.archiveInvalid, detail: "\(name) is no archive of Latchkey's"))
      case .otherVersion(let version): Failure(Refusal(.archiveInvalid, detail: "\(name) is of version \(version)"))
      case .headerDamaged: Failure(Refusal(.archiveInvalid, detail: "the header of \(name) is damaged"))
      case .passphraseWrong: Failure(Refusal(.archivePassphraseWrong, detail: name))
      case .chunkDamaged(let index): Failure(Refusal(.archiveInvalid, detail: "chunk \(index) is damaged; \(place)"))
      case .cutShort: Failure(Refusal(.archiveInvalid, detail: "cut short; \(place)"))
      case .overlong: Failure(Refusal(.archiveInvalid, detail: "more behind its end; \(place)"))
      case .malformed: Failure(Refusal(.archiveInvalid, detail: "malformed; \(place)"))
      case .outOfMemory: Failure(Refusal(.outOfMemory))
      }
  }

  /// Does something with an archive.
  static func archive<Result>(_ name: String, _ body: () throws(ArchiveError) -> Result) throws(Failure) -> Result {
    do throws(ArchiveError) { return try body() } catch { throw Failure(error, in: name, after: 0) }
  }
}
