internal import KeychainModel

/// Refuses what no request may hold, before anything is looked up or written.
enum QueryChecks {
  /// A search: a class and its own attributes, or a persistent reference alone.
  static func check(_ query: ItemQuery) throws(Refusal) {
    if query.identifier != nil {
      guard query.attributes.isEmpty else {
        throw Refusal(.invalidParameter, detail: "a persistent reference stands alone")
      }
      return
    }
    guard let itemClass = query.itemClass else { throw Refusal(.invalidParameter, detail: "the class is missing") }
    try check(query.attributes, of: itemClass)
  }

  /// Attributes of a class: known to it, of the right kind, within the bounds.
  static func check(_ attributes: ItemAttributes, of itemClass: ItemClass) throws(Refusal) {
    var total = 0
    guard attributes.entries.count <= ItemLimits.dictionaryKeys else {
      throw Refusal(.invalidParameter, detail: "more than \(ItemLimits.dictionaryKeys) attributes")
    }
    for entry in attributes.entries {
      let (key, value) = (entry.key, entry.value)
      guard itemClass.attributes.contains(key) else {
        throw Refusal(.noSuchAttribute, detail: "\(key.rawValue) of \(itemClass.rawValue)")
      }
      let size = value.matchingBytes.count
      guard fits(value, key.kind), size <= ItemLimits.attributeBytes else {
        throw Refusal(.invalidParameter, detail: "the value of \(key.rawValue)")
      }
      total += size + 4
    }
    guard total <= ItemLimits.attributesBytes else {
      throw Refusal(.invalidParameter, detail: "attributes longer than \(ItemLimits.attributesBytes) bytes")
    }
  }

  private static func fits(_ value: AttributeValue, _ kind: AttributeKind) -> Bool {
    switch (value, kind) {
    case (.text, .text), (.data, .text), (.text, .data), (.data, .data), (.number, .number): true
    case (.date(let seconds), .date): seconds.isFinite
    default: false
    }
  }

  /// What is synchronised leaves this machine, so nothing may tie it here.
  static func checkTwin(_ attributes: ItemAttributes, _ accessControl: AccessControl) throws(Refusal) {
    guard attributes.number(.synchronizable) ?? 0 != 0 else { return }
    if accessControl.isProtected {
      throw Refusal(.invalidParameter, detail: "a synchronised item has no access control")
    }
    if accessControl.accessibility.isThisDeviceOnly {
      throw Refusal(.invalidParameter, detail: "a synchronised item is not for this device only")
    }
  }

  /// What the system sets itself never comes in with an add or a change.
  static func checkWritable(_ attributes: ItemAttributes) throws(Refusal) {
    for key in [AttributeKey.accessible, .accessControl, .modificationDate] where attributes[key] != nil {
      throw Refusal(.invalidParameter, detail: "\(key.rawValue) is not set as an attribute")
    }
  }
}
