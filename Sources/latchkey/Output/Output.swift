internal import KeychainModel
internal import LinuxSystem
internal import SecretMemory
internal import TerminalIO

/// Standard output and standard error.
struct Output: Sendable {
  let format: Format

  /// How answers are written.
  enum Format: Equatable, Sendable {
    /// For people.
    case text
    /// For programs: one JSON value (RFC 8259) on each line.
    case json
  }

  init(_ format: Format) { self.format = format }

  /// Whether a person reads standard output.
  var isTerminal: Bool { Terminal.isTerminal(StandardStreams.output) }

  /// Writes a text.
  func text(_ text: String) throws(Failure) {
    do throws(Errno) { try StandardStreams.write(text) } catch { throw Self.failed(error) }
  }

  /// Writes one value on a line.
  func object(_ value: JSONText) throws(Failure) { try text(value.text + "\n") }

  /// Writes the one that fits the format; an empty text writes nothing.
  func answer(_ value: @autoclosure () -> JSONText, orText shown: @autoclosure () -> String = "") throws(Failure) {
    switch format {
    case .json: try object(value())
    case .text:
      let shown = shown()
      if !shown.isEmpty { try text(shown) }
    }
  }

  /// Writes a secret's exact bytes.
  func secret(_ secret: SecretBytes) throws(Failure) {
    do throws(Errno) {
      try secret.withSpan { bytes throws(Errno) in try Files.writeAll(StandardStreams.output, bytes) }
    } catch { throw Self.failed(error) }
  }

  /// Writes a line on standard error; nobody is told where that fails.
  func complain(_ line: String) { try? StandardStreams.write(line + "\n", to: StandardStreams.error) }

  private static func failed(_ errno: Errno) -> Failure { Failure("standard output", .written, errno) }
}
