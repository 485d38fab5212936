internal import Foundation
internal import KeychainClient
internal import KeychainModel

/// A query dictionary as the keychain understands it.
struct Search {
  var query: ItemQuery
  /// What to return; reads only.
  let parts: ReturnedParts
  let options: CallOptions

  /// Which verb asks: each has its own rules for what a query may hold.
  enum Verb { case read, update, delete }

  /// Reads a dictionary.
  ///
  /// - Throws: ``Refusal``: `invalidParameter`, `noSuchClass`, `noSuchAttribute`, `contextInvalid`.
  init(_ dictionary: ItemDictionary, for verb: Verb) throws(Refusal) {
    if verb != .read { try dictionary.refuse(.match) }
    if verb == .update { try dictionary.refuse(.returns) }
    // Only its type counts: a value does not narrow a search.
    _ = try dictionary.data(.valueData)
    query = try Self.query(dictionary)
    query.limit = verb == .read ? try Self.limit(dictionary) : .all
    parts = try dictionary.returnedParts()
    options = try CallOptions(dictionary, maySkip: verb == .read)
  }

  private static func query(_ dictionary: ItemDictionary) throws(Refusal) -> ItemQuery {
    let itemClass = try dictionary.itemClass()
    if let reference = try reference(dictionary) { return try query(for: reference, itemClass, dictionary) }
    guard let itemClass else { throw Refusal(.invalidParameter, detail: "the class is missing") }
    let access = try AccessAttributes(dictionary.attributes)
    var query = ItemQuery(
      itemClass: itemClass, attributes: try dictionary.plainAttributes(of: itemClass),
      twin: try dictionary.twin() ?? .local)
    // The class of accessibility narrows a search, the rest of an access control does not.
    if let accessibility = access.accessibility {
      query.attributes[.accessible] = .text(ExactText(accessibility.rawValue))
    }
    return query
  }

  /// The one item that the dictionary names by a reference; `nil` where it names none.
  private static func reference(_ dictionary: ItemDictionary) throws(Refusal) -> ItemReference? {
    if let data = try dictionary.data(.valuePersistentReference) {
      try dictionary.refuse(.valueReference)
      guard let reference = ItemReference(persistent: data) else {
        throw Refusal(.invalidParameter, detail: "the persistent reference is none")
      }
      return reference
    }
    switch dictionary[.valueReference] {
    case nil: return nil
    case let key as SecKey: return key.reference
    case let certificate as SecCertificate: return certificate.reference
    case let identity as SecIdentity: return identity.reference
    default: throw Refusal(.invalidParameter, detail: "the reference is neither key, certificate nor identity")
    }
  }

  private static func query(
    for reference: ItemReference, _ itemClass: ItemClass?, _ dictionary: ItemDictionary
  ) throws(Refusal) -> ItemQuery {
    guard dictionary.attributes.isEmpty else {
      throw Refusal(.invalidParameter, detail: "a reference stands without attributes")
    }
    guard itemClass ?? reference.itemClass == reference.itemClass else {
      throw Refusal(.invalidParameter, detail: "the reference is of another class")
    }
    return ItemQuery(itemClass: reference.itemClass, identifier: reference.identifier, twin: .any)
  }

  private static func limit(_ dictionary: ItemDictionary) throws(Refusal) -> MatchLimit {
    for key in [SpecialKey.matchCaseInsensitive, .matchDiacriticInsensitive, .matchWidthInsensitive] {
      _ = try dictionary.flag(key)
    }
    let malformed = Refusal(.invalidParameter, detail: "the limit is neither one, all nor a number")
    switch dictionary[.matchLimit] {
    case nil: return .one
    // The number 1 would pass for a Boolean in any other test.
    case let flag? where type(of: flag) == Bool.self: throw malformed
    case let name as String:
      if name == "m_LimitAll" { return .all }
      guard name == "m_LimitOne" else { throw malformed }
      return .one
    case let number as NSNumber:
      guard let count = Int64(exactly: number), count != 0 else { throw malformed }
      if count < 0 { return .all }
      return count == 1 ? .one : .count(UInt32(clamping: count))
    default: throw malformed
    }
  }
}
