internal import Foundation
internal import KeychainModel

extension ItemDictionary {
  /// The attributes but for those of ``AccessAttributes`` and the twin.
  ///
  /// - Parameter itemClass: whose attributes; without one an attribute need only be one of any class.
  /// - Throws: ``Refusal``: `noSuchAttribute`, `invalidParameter`.
  func plainAttributes(of itemClass: ItemClass?) throws(Refusal) -> ItemAttributes {
    var read = ItemAttributes()
    for (name, value) in attributes {
      guard let key = AttributeKey(rawValue: name), itemClass?.attributes.contains(key) ?? true else {
        throw Refusal(.noSuchAttribute, detail: "\(name)\(itemClass.map { " of \($0.rawValue)" } ?? "")")
      }
      if [.accessible, .accessControl, .synchronizable].contains(key) { continue }
      read[key] = try AttributeValue(value, for: key)
    }
    return read
  }

  /// Which twin a query sees; `nil` where it does not say.
  func twin() throws(Refusal) -> SynchronizableFilter? {
    guard let value = attributes[AttributeKey.synchronizable.rawValue] else { return nil }
    if value as? String == "syna" { return .any }
    switch try AttributeValue(value, for: .synchronizable) {
    case .number(0): return .local
    default: return .synchronized
    }
  }

  /// The value as one of the two twins, for what is stored; `nil` where it does not say.
  func storedTwin() throws(Refusal) -> AttributeValue? {
    switch try twin() {
    case nil: nil
    case .local: .number(0)
    case .synchronized: .number(1)
    case .any: throw Refusal(.invalidParameter, detail: "an item is synchronised or not")
    }
  }
}
