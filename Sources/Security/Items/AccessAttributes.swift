internal import KeychainModel

/// The two attributes that say when an item opens.
struct AccessAttributes {
  /// `kSecAttrAccessible`, or `nil`.
  let accessibility: Accessibility?
  /// `kSecAttrAccessControl`, or `nil`.
  let accessControl: AccessControl?

  /// Reads both.
  ///
  /// - Throws: ``Refusal``: `invalidParameter` for wrong types, an unknown class, and for both where the access control says
  ///   more than the class.
  init(_ attributes: [String: Any]) throws(Refusal) {
    accessibility = try Self.accessibility(attributes[AttributeKey.accessible.rawValue])
    accessControl = try Self.accessControl(attributes[AttributeKey.accessControl.rawValue])
    if let accessibility, let accessControl, accessControl != .unconstrained(accessibility) {
      throw Refusal(.invalidParameter, detail: "accessible and access control contradict each other")
    }
  }

  private static func accessibility(_ value: Any?) throws(Refusal) -> Accessibility? {
    guard let value else { return nil }
    guard let name = value as? String, let accessibility = Accessibility(rawValue: name) else {
      throw Refusal(.invalidParameter, detail: "the value of pdmn is no class of accessibility")
    }
    return accessibility
  }

  private static func accessControl(_ value: Any?) throws(Refusal) -> AccessControl? {
    guard let value else { return nil }
    guard let object = value as? SecAccessControl else {
      throw Refusal(.invalidParameter, detail: "the value of accc is no SecAccessControl")
    }
    return object.control
  }

  /// What an update makes of an item's access control, or `nil` where it names neither.
  var change: AccessChange? {
    accessControl.map(AccessChange.accessControl) ?? accessibility.map(AccessChange.accessibility)
  }

  /// When a new item of a class opens.
  func forNewItem(of itemClass: ItemClass) -> AccessControl {
    accessControl ?? .unconstrained(accessibility ?? (itemClass == .certificate ? .always : .whenUnlocked))
  }
}
