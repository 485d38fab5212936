internal import LinuxSystem
internal import SecretMemory

/// Lines from pinentry, in locked memory from the kernel on: one of them holds the passcode.
struct AssuanReader {
  /// Room for the longest line and its line feed, twice.
  private let buffer: SecretBytes
  private var count = 0

  /// Makes an empty one.
  ///
  /// - Throws: ``SecretMemoryError``: no locked memory.
  init() throws(SecretMemoryError) { buffer = try SecretBytes(count: 2 * (AssuanText.maximumLine + 1)) }

  /// Reads what is there once; false at the end, on an error, and where a line is too long.
  mutating func fill(from connection: OwnedDescriptor) -> Bool {
    let filled = count
    guard filled < buffer.count else { return false }
    let received = buffer.withMutableSpan { bytes in
      try? UnixSocket.receive(connection, into: &bytes, at: filled)
    }
    let more = received?.count ?? 0
    count += more
    return more > 0
  }

  /// Takes the next whole line, adding its data, if it has any, to `pin`; `nil` where no line is complete.
  mutating func next(addingTo pin: inout PinData) -> AssuanLine? {
    guard let end = lineEnd else { return nil }
    let line = AssuanLine(buffer, count: end)
    if case .data(let start) = line { pin.append(buffer, from: start, to: end) }
    drop(end + 1)
    return line
  }

  private var lineEnd: Int? {
    let filled = count
    return buffer.withSpan { bytes in
      for place in 0..<filled where bytes[place] == UInt8(ascii: "\n") { return place }
      return nil
    }
  }

  private mutating func drop(_ taken: Int) {
    let filled = count
    buffer.withMutableSpan { bytes in
      for place in taken..<filled { bytes[place - taken] = bytes[place] }
      for place in (filled - taken)..<filled { bytes[place] = 0 }
    }
    count -= taken
  }
}
