internal import KeychainModel
internal import TerminalIO

extension JSONText {
  /// A text; one that is not UTF-8 as its bytes, since JSON has no other way to keep it exact.
  static func exact(_ text: ExactText) -> JSONText { text.validString.map(string) ?? bytes(text.bytes) }
}
