public import CFBridge
internal import Foundation
internal import KeychainClient
internal import KeychainModel
internal import SecretMemory

/// Stores an item. Never prompts.
///
/// - Parameters:
///   - attributes: `kSecClass` and the item's attributes, its value in `kSecValueData`, and what to return.
///   - result: takes what the `kSecReturn...` keys ask for; untouched where none does or the add is refused.
/// - Returns: `errSecSuccess`, or among others `errSecDuplicateItem`, `errSecParam`, `errSecNoSuchAttr`, `errSecNoSuchClass`,
///   `errSecInteractionNotAllowed` (locked), `errSecMissingEntitlement`, `errSecDataTooLarge` (above 1 MiB), `errSecAuthFailed`.
///   `LastRefusal` tells more.
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
  status { () throws(Refusal) in
    let addition = try Addition(ItemDictionary(attributes))
    let stored = try SharedKeychain.keychain.add(
      addition.item, returning: addition.parts, options: addition.options)
    let found = FoundValue(item: stored, value: addition.parts.contains(.data) ? addition.item.value : nil)
    let object = try ResultShape(parts: addition.parts, isList: false).object(of: [found])
    if let object { result?.pointee = object }
  }
}

/// An add's dictionary as the keychain understands it.
private struct Addition {
  let item: NewItem
  let parts: ReturnedParts
  let options: CallOptions

  init(_ dictionary: ItemDictionary) throws(Refusal) {
    try dictionary.refuse(.match)
    try dictionary.refuse(.valuePersistentReference)
    try dictionary.refuse(.valueReference)
    guard let itemClass = try dictionary.itemClass() else {
      throw Refusal(.invalidParameter, detail: "the class is missing")
    }
    var attributes = try dictionary.plainAttributes(of: itemClass)
    // The system sets them; what a program says is passed over.
    attributes[.creationDate] = nil
    attributes[.modificationDate] = nil
    attributes[.synchronizable] = try dictionary.storedTwin()
    let access = try AccessAttributes(dictionary.attributes)
    var value: SecretBytes?
    if let data = try dictionary.data(.valueData) { value = try SecretBytes(handedOver: data) }
    item = NewItem(itemClass, attributes, value: value, accessControl: access.forNewItem(of: itemClass))
    parts = try dictionary.returnedParts()
    options = try CallOptions(dictionary)
  }
}
