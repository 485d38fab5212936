import Foundation

/// What `--json` printed.
struct JSONAnswer {
  private let object: [String: Any]

  init(_ text: String) {
    object = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
  }

  subscript(_ name: String) -> Any? { object[name] }
}
