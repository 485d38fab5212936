public import CFBridge
internal import KeychainClient
internal import KeychainModel

/// Deletes every match. Asks for a proof only where an item's own rule for deletion wants one.
///
/// - Parameter query: which items; no `kSecMatch...` key. Items that are locked or can never be opened again are deleted too.
/// - Returns: `errSecSuccess`, or among others `errSecItemNotFound`, `errSecParam`, `errSecInteractionNotAllowed`,
///   `errSecAuthFailed`. `LastRefusal` tells more.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
  status { () throws(Refusal) in
    let search = try Search(ItemDictionary(query), for: .delete)
    try SharedKeychain.keychain.delete(search.query, options: search.options)
  }
}
