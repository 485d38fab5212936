/// A word of a command line, quoted where the shell would not leave it alone.
public struct ShellWord: CustomStringConvertible, Sendable {
  /// The word, quoted where that is needed.
  public let description: String

  /// Makes a word of any text.
  public init(_ text: String) {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:@".utf8)
    let isPlain = !text.isEmpty && text.utf8.allSatisfy { plain.contains($0) }
    description =
      isPlain
      ? text : "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
