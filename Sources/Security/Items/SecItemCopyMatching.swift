public import CFBridge
internal import Foundation
internal import KeychainClient
internal import KeychainModel

/// Searches for items. Asks for a proof where a protected item's value is wanted: one for the whole search.
///
/// - Parameters:
///   - query: `kSecClass` or `kSecValuePersistentRef`, attributes that must match exactly, `kSecMatchLimit`, what to return,
///     and how it may prompt.
///   - result: takes one object, or an array where the limit is not one; untouched where nothing is asked for or the search is
///     refused.
/// - Returns: `errSecSuccess`, or among others `errSecItemNotFound`, `errSecInteractionNotAllowed` (locked, or a proof is needed
///   and no prompt is allowed), `errSecUserCanceled`, `errSecAuthFailed`, `errSecParam`. `LastRefusal` tells more.
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
  status { () throws(Refusal) in
    let search = try Search(ItemDictionary(query), for: .read)
    let found = try SharedKeychain.keychain.find(search.query, returning: search.parts, options: search.options)
    let items = try search.living(found)
    let object = try ResultShape(parts: search.parts, isList: search.query.limit != .one).object(of: items)
    if let object { result?.pointee = object }
  }
}

extension Search {
  /// The matches that can still be opened. A list that could hold more if the keybag were open is refused rather than short.
  fileprivate func living(_ found: FindResult) throws(Refusal) -> [FoundValue] {
    let living = found.items.filter { $0.item.dead == nil }
    if found.hidden > 0, living.count < query.limit.most { throw Refusal(.keybagLocked) }
    guard !living.isEmpty else { throw Refusal(found.items.first?.item.dead ?? .itemNotFound) }
    return living
  }
}

extension MatchLimit {
  fileprivate var most: Int {
    switch self {
    case .one: 1
    case .count(let count): Int(count)
    case .all: .max
    }
  }
}
