/// The name of a PAM stack: a plain lower-case file name.
///
/// libpam lower-cases service names and cuts them after the last slash, so that two spellings open one file; here
/// there is one spelling.
public struct StackName: Hashable, Sendable {
  /// The name: 1 to 64 of `a-z`, `0-9`, `-`, `_` and `.`, starting with a letter or digit.
  public let text: String

  /// The longest name, in bytes.
  public static let maximumCount = 64

  /// The stack that asks for the login passcode.
  public static let passcode = StackName(known: "latchkey-passcode")
  /// The stack that asks for a fingerprint.
  public static let biometry = StackName(known: "latchkey-biometry")

  /// Parses a name; nil when it is not a plain lower-case file name.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard (1...Self.maximumCount).contains(bytes.count), Self.isAlphanumeric(bytes[0]) else { return nil }
    guard bytes.allSatisfy({ Self.isAlphanumeric($0) || "-_.".utf8.contains($0) }) else { return nil }
    self.text = text
  }

  private init(known text: String) { self.text = text }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
  }
}
