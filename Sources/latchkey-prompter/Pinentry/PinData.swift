internal import SecretMemory
internal import TerminalIO

/// The passcode as pinentry sends it: the unescaped bytes of its `D` lines, in locked memory.
struct PinData {
  private let buffer: SecretBytes
  private var count = 0
  private var fault: Fault?

  private enum Fault { case overlong, malformed }

  /// Makes an empty one.
  ///
  /// - Throws: ``SecretMemoryError``: no locked memory.
  init() throws(SecretMemoryError) { buffer = try SecretBytes(count: LineEditor.passcodeCount) }

  /// Adds the bytes of a line from `start` to `end`, `%NN` unescaped.
  mutating func append(_ line: SecretBytes, from start: Int, to end: Int) {
    var place = start
    while place < end {
      let byte = line.withSpan { $0[place] }
      if byte != UInt8(ascii: "%") {
        add(byte)
        place += 1
        continue
      }
      guard let value = Self.unescape(line, at: place, end: end) else {
        fault = .malformed
        return
      }
      add(value)
      place += 3
    }
  }

  /// Hands the bytes over.
  ///
  /// - Throws: ``PinDataError``.
  func finish() throws(PinDataError) -> TypedLine {
    switch fault {
    case .overlong: return .overlong
    case .malformed: throw .malformed
    case nil: break
    }
    let pin: SecretBytes
    do { pin = try SecretBytes(count: count) } catch { throw .noMemory }
    buffer.withSpan { source in
      pin.withMutableSpan { target in
        for index in 0..<count { target[index] = source[index] }
      }
    }
    return .line(pin)
  }

  private mutating func add(_ byte: UInt8) {
    if byte == 0 { fault = fault ?? .malformed }
    guard count < LineEditor.passcodeCount else {
      fault = fault ?? .overlong
      return
    }
    let place = count
    buffer.withMutableSpan { $0[place] = byte }
    count += 1
  }

  private static func unescape(_ line: SecretBytes, at place: Int, end: Int) -> UInt8? {
    guard place + 2 < end else { return nil }
    return line.withSpan { bytes in
      guard let high = AssuanText.value(ofDigit: bytes[place + 1]),
        let low = AssuanText.value(ofDigit: bytes[place + 2])
      else { return nil }
      return high << 4 | low
    }
  }
}

/// Why pinentry's data is no passcode.
enum PinDataError: Error, Equatable {
  /// A broken escape, or a NUL, which PAM could not take.
  case malformed
  /// No locked memory.
  case noMemory
}
