import Foundation
import Security

/// One way real code calls the API. It answers whether the outcome was right.
struct Idiom: Sendable {
  let name: String
  let run: @Sendable () async throws -> Bool

  init(_ name: String, _ run: @escaping @Sendable () async throws -> Bool) {
    self.name = name
    self.run = run
  }
}

/// A shape asked for what it could not get.
struct Missing: Error { let status: OSStatus }

/// Puts an item there for a shape that reads, away from any other shape's items.
nonisolated func put(_ service: String, account: String = "me", _ value: String = "value", more: [String: Any] = [:])
  throws
{
  var item: [String: Any] = [
    kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
    kSecAttrAccount as String: account, kSecValueData as String: Data(value.utf8),
  ]
  item.merge(more) { $1 }
  let status = SecItemAdd(item as CFDictionary, nil)
  guard status == errSecSuccess else { throw Missing(status: status) }
}

/// A query for an item of ``put(_:account:_:more:)``.
nonisolated func named(_ service: String, _ more: [String: Any] = [:]) -> [String: Any] {
  [kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service].merging(more) { $1 }
}

/// The value of an item, read the plainest way.
nonisolated func value(_ service: String) -> String? {
  var result: CFTypeRef?
  guard SecItemCopyMatching(named(service, [kSecReturnData as String: true]) as CFDictionary, &result) == errSecSuccess
  else { return nil }
  return (result as? Data).map { String(decoding: $0, as: UTF8.self) }
}
