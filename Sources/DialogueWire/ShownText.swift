/// Untrusted bytes that are only ever shown: a program's path, a label, what a PAM module said.
///
/// The one who shows them escapes them; nothing here has looked inside. Longer input is cut, because it is for eyes
/// only.
public struct ShownText: Hashable, Sendable {
  /// At most ``maximumCount`` bytes of any value.
  public let bytes: [UInt8]

  /// The most bytes kept (PAM_MAX_MSG_SIZE of pam_conv(3)).
  public static let maximumCount = 512

  /// No text.
  public static let none = ShownText([])

  /// Keeps the first ``maximumCount`` bytes.
  public init(_ bytes: [UInt8]) { self.bytes = Array(bytes.prefix(Self.maximumCount)) }

  /// Keeps the first ``maximumCount`` bytes of the text's UTF-8.
  public init(_ text: String) { self.init(Array(text.utf8)) }
}

extension PacketWriter {
  mutating func shown(_ value: ShownText) throws(DialogueError) {
    try bytes(value.bytes, maximum: ShownText.maximumCount)
  }
}

extension PacketReader {
  mutating func shown() throws(DialogueError) -> ShownText {
    ShownText(try bytes(maximum: ShownText.maximumCount))
  }
}
