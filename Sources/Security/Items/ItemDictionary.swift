internal import CFBridge
internal import Foundation
internal import KeychainModel

/// An item dictionary, its keys told apart. Values are looked at when a verb takes them.
struct ItemDictionary {
  /// The four-letter keys.
  private(set) var attributes: [String: Any] = [:]
  private var special: [SpecialKey: Any] = [:]

  /// Tells the keys apart.
  ///
  /// - Parameter unknown: the reason for an unknown key that is no attribute by its first letters (`m_`, `r_`, `u_`).
  /// - Throws: ``Refusal``: `invalidParameter` for more than 128 keys, a key that is no string or is unknown, an empty value.
  init(_ dictionary: CFDictionary, unknown: Reason = .invalidParameter) throws(Refusal) {
    guard dictionary.count <= ItemLimits.dictionaryKeys else {
      throw Refusal(.invalidParameter, detail: "more than \(ItemLimits.dictionaryKeys) keys")
    }
    try Self.requireRoom(for: dictionary)
    for (key, value) in dictionary {
      guard let name = key as? String else { throw Refusal(.invalidParameter, detail: "a key that is no string") }
      guard !(value is NSNull) else { throw Refusal(.invalidParameter, detail: "\(name) has no value") }
      if let known = SpecialKey(rawValue: name) {
        special[known] = value
      } else if name.utf8.count == 4 {
        attributes[name] = value
      } else {
        let isSpecial = ["m_", "r_", "u_"].contains { name.hasPrefix($0) }
        throw Refusal(isSpecial ? unknown : .invalidParameter, detail: "\(name) is no key of items")
      }
    }
  }

  /// Refuses data that no item could hold before it is copied: Foundation takes about 100 ns for each byte to bring data out of
  /// a dictionary, and the mirror alone shows the objects as they are.
  private static func requireRoom(for dictionary: CFDictionary) throws(Refusal) {
    for child in Mirror(reflecting: dictionary).children {
      guard let entry = child.value as? (key: NSObject, value: AnyObject), let data = entry.value as? NSData,
        data.length > ItemLimits.valueBytes
      else { continue }
      guard entry.key as? String != SpecialKey.valueData.rawValue else { throw Refusal(.valueTooLarge) }
      throw Refusal(.invalidParameter, detail: "an attribute has more than \(ItemLimits.attributeBytes) bytes")
    }
  }

  /// The value behind a key, or `nil`.
  subscript(_ key: SpecialKey) -> Any? { special[key] }

  /// Refuses the keys of a family.
  func refuse(_ family: SpecialKey.Family, _ reason: Reason = .invalidParameter) throws(Refusal) {
    for key in special.keys where key.family == family {
      throw Refusal(reason, detail: "\(key.rawValue) has no place here")
    }
  }

  /// Refuses a key.
  func refuse(_ key: SpecialKey, _ reason: Reason = .invalidParameter) throws(Refusal) {
    if special[key] != nil { throw Refusal(reason, detail: "\(key.rawValue) has no place here") }
  }

  /// A yes or no behind a key; `nil` where it is not there.
  func flag(_ key: SpecialKey) throws(Refusal) -> Bool? {
    guard let value = special[key] else { return nil }
    guard let number = value as? NSNumber else {
      throw Refusal(.invalidParameter, detail: "\(key.rawValue) is no Boolean")
    }
    return number.boolValue
  }

  /// The text behind a key; `nil` where it is not there.
  func text(_ key: SpecialKey) throws(Refusal) -> String? {
    guard let value = special[key] else { return nil }
    guard let text = value as? String else { throw Refusal(.invalidParameter, detail: "\(key.rawValue) is no string") }
    return text
  }

  /// The data behind a key; `nil` where it is not there.
  func data(_ key: SpecialKey) throws(Refusal) -> Data? {
    guard let value = special[key] else { return nil }
    guard let data = value as? Data else { throw Refusal(.invalidParameter, detail: "\(key.rawValue) is no data") }
    return data
  }

  /// The class, or `nil` where none is named.
  ///
  /// - Throws: ``Refusal``: `noSuchClass`, `invalidParameter` where it is no string.
  func itemClass() throws(Refusal) -> ItemClass? {
    guard let name = try text(.itemClass) else { return nil }
    guard let itemClass = ItemClass(rawValue: name) else { throw Refusal(.noSuchClass, detail: name) }
    return itemClass
  }

  /// What the answer is to hold.
  func returnedParts() throws(Refusal) -> ReturnedParts {
    var parts: ReturnedParts = []
    if try flag(.returnData) == true { parts.insert(.data) }
    if try flag(.returnAttributes) == true { parts.insert(.attributes) }
    if try flag(.returnReference) == true { parts.insert(.reference) }
    if try flag(.returnPersistentReference) == true { parts.insert(.persistentReference) }
    return parts
  }
}
