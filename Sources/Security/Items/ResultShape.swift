internal import CFBridge
internal import Foundation
internal import KeychainClient
internal import KeychainModel
internal import SecretMemory

/// The objects that a read or an add answers with.
struct ResultShape {
  let parts: ReturnedParts
  /// Whether several matches were asked for: then the answer is an array, also of one.
  let isList: Bool

  /// One object, an array of them, or `nil` where nothing was asked for or there is nothing to tell.
  ///
  /// - Throws: ``Refusal``: `keybagLocked` where attributes were asked for and are locked.
  func object(of items: [FoundValue]) throws(Refusal) -> CFTypeRef? {
    if parts.isEmpty { return nil }
    var objects: [Any] = []
    for item in items {
      if let object = try object(of: item) { objects.append(object) }
    }
    if isList { return objects as NSArray }
    return objects.first.map { $0 as AnyObject }
  }

  private func object(of found: FoundValue) throws(Refusal) -> Any? {
    switch parts {
    case .data: return found.value?.handedOver
    case .persistentReference: return found.item.reference.persistent
    case .attributes: return try found.item.attributeObjects()
    case .reference: return found.item.reference.object
    default: return try dictionary(of: found)
    }
  }

  private func dictionary(of found: FoundValue) throws(Refusal) -> [String: Any] {
    var objects = parts.contains(.attributes) ? try found.item.attributeObjects() : [:]
    if parts.contains(.data), let value = found.value { objects["v_Data"] = value.handedOver }
    if parts.contains(.persistentReference) { objects["v_PersistentRef"] = found.item.reference.persistent }
    if parts.contains(.reference) {
      objects["class"] = found.item.itemClass.rawValue
      objects["v_Ref"] = found.item.reference.object
    }
    return objects
  }
}

extension FoundItem {
  fileprivate var reference: ItemReference { ItemReference(itemClass: itemClass, identifier: identifier) }

  /// The attributes by Apple's four letters, with class, access control and accessibility.
  fileprivate func attributeObjects() throws(Refusal) -> [String: Any] {
    guard let attributes else { throw Refusal(.keybagLocked) }
    var objects: [String: Any] = [:]
    for key in itemClass.primaryKey { objects[key.rawValue] = key.emptyObject }
    for (key, value) in attributes.values { objects[key.rawValue] = value.object }
    objects["class"] = itemClass.rawValue
    objects[AttributeKey.accessible.rawValue] = accessControl.accessibility.rawValue
    objects[AttributeKey.accessControl.rawValue] = SecAccessControl(accessControl)
    return objects
  }
}

extension AttributeKey {
  /// What a part of the primary key reads as where the item has none; `nil` for none.
  fileprivate var emptyObject: Any? {
    switch self {
    case .protocolType, .startDate, .endDate, .accessGroup: nil
    default:
      switch kind {
      case .text: ""
      case .data: Data()
      case .number: NSNumber(value: 0)
      case .date: nil
      }
    }
  }
}
