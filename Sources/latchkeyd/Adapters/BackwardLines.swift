internal import LinuxSystem

/// The lines of a file from the last to the first, read in pieces.
struct BackwardLines {
  private let file: OwnedDescriptor
  /// Bytes in front of what was read.
  private var unread: Int64
  /// What was read and not handed out.
  private var pending: ArraySlice<UInt8> = []

  private static let pieceBytes: Int64 = 65_536
  /// A line that is longer is none of ours; only its beginning is handed out.
  private static let longestLine = 131_072

  init(_ file: OwnedDescriptor) throws(Errno) {
    self.file = file
    unread = try Files.facts(file).size
  }

  /// The next line without its line feed, or `nil` at the file's beginning.
  mutating func next() throws(Errno) -> ArraySlice<UInt8>? {
    while true {
      if let end = pending.lastIndex(of: UInt8(ascii: "\n")) {
        defer { pending = pending[..<end] }
        return pending[(end + 1)...]
      }
      guard unread > 0 else {
        defer { pending = [] }
        return pending.isEmpty ? nil : pending
      }
      if pending.count > Self.longestLine { pending = [] }
      let start = max(0, unread - Self.pieceBytes)
      pending = try Files.read(file, from: start, count: Int(unread - start))[...] + pending
      unread = start
    }
  }
}
