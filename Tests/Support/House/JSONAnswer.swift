import Foundation

/// What `--json` printed.
public struct JSONAnswer {
  private let object: [String: Any]

  /// Parses it; what is no object has no members.
  public init(_ text: String) {
    object = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
  }

  /// A member, or `nil`.
  public subscript(_ name: String) -> Any? { object[name] }
}
