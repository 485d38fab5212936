public import CFBridge
internal import Foundation
internal import KeychainClient
internal import KeychainModel
internal import SecretMemory

/// Changes every match, or none. A new value, name, access control or accessibility of a protected item wants its proof.
///
/// - Parameters:
///   - query: which items; no `kSecMatch...` and no `kSecReturn...` key.
///   - attributesToUpdate: new attributes and, in `kSecValueData`, a new value; nothing else.
/// - Returns: `errSecSuccess`, or among others `errSecItemNotFound`, `errSecDuplicateItem`, `errSecParam`, `errSecNoSuchAttr` (a
///   key that no update may hold), `errSecInteractionNotAllowed`, `errSecUserCanceled`, `errSecAuthFailed`. `LastRefusal` tells
///   more.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
  status { () throws(Refusal) in
    let search = try Search(ItemDictionary(query), for: .update)
    let changes = try ItemChanges(
      ItemDictionary(attributesToUpdate, unknown: .noSuchAttribute), of: search.query.itemClass)
    try SharedKeychain.keychain.update(search.query, changes, options: search.options)
  }
}

extension ItemChanges {
  /// Reads an update's second dictionary.
  fileprivate init(_ dictionary: ItemDictionary, of itemClass: ItemClass?) throws(Refusal) {
    for family in [SpecialKey.Family.itemClass, .match, .returns, .use] {
      try dictionary.refuse(family, .noSuchAttribute)
    }
    try dictionary.refuse(.valueReference, .noSuchAttribute)
    try dictionary.refuse(.valuePersistentReference, .noSuchAttribute)
    var attributes = try dictionary.plainAttributes(of: itemClass)
    // It becomes the time of the update, whatever a program says.
    attributes[.modificationDate] = nil
    attributes[.synchronizable] = try dictionary.storedTwin()
    let access = try AccessAttributes(dictionary.attributes)
    self.init(attributes: attributes, access: access.change)
    if let data = try dictionary.data(.valueData) { value = try SecretBytes(handedOver: data) }
  }
}
