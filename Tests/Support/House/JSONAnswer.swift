import Foundation

/// What `--json` printed.
public struct JSONAnswer {
  private let object: [String: Any]

  public init(_ text: String) {
    object = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
  }

  public subscript(_ name: String) -> Any? { object[name] }
}
