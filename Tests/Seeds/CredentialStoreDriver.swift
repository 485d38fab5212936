import Foundation
import Security

// Drives the actor of the article as the article says to: a service of its own, an account nobody has.
let checks = Checks()
let store = CredentialStore(service: "com.example.seed.credentials")
let account = UUID().uuidString

func bytes(_ text: String) -> Data { Data(text.utf8) }

do {
  checks.expect(try await store.read(account: account) == nil, "what was never saved reads as nil")
  try await store.save(bytes("one"), account: account)
  checks.expect(try await store.read(account: account) == bytes("one"), "what was saved is read")
  try await store.save(bytes("two"), account: account)
  checks.expect(try await store.read(account: account) == bytes("two"), "what is saved again replaces it")
  checks.expect(countOfItems(account) == 1, "replacing makes no second item", countOfItems(account))
  try await store.save(bytes("other"), account: account + "x")
  try await store.delete(account: account)
  checks.expect(try await store.read(account: account) == nil, "what was deleted reads as nil")
  try await store.delete(account: account)
  checks.expect(true, "deleting twice succeeds twice")
  checks.expect(try await store.read(account: account + "x") == bytes("other"), "another account keeps its value")
  try await store.delete(account: account + "x")
  try await raceOfWriters()
} catch {
  checks.expect(false, "nothing throws", error)
}
checks.finish()

func countOfItems(_ account: String) -> Int {
  let query: [String: Any] = [
    kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: account,
    kSecReturnAttributes as String: true, kSecMatchLimit as String: kSecMatchLimitAll,
  ]
  var result: CFTypeRef?
  return SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess ? (result as? [Any])?.count ?? -1 : 0
}

/// Actors are many, the item is one: save updates, adds, and updates again where another was faster.
func raceOfWriters() async throws {
  let account = account + "race"
  try await withThrowingTaskGroup(of: Void.self) { group in
    for number in 0..<8 {
      group.addTask {
        try await CredentialStore(service: "com.example.seed.credentials").save(bytes("\(number)"), account: account)
      }
    }
    try await group.waitForAll()
  }
  checks.expect(countOfItems(account) == 1, "eight writers at once leave one item", countOfItems(account))
  try await store.delete(account: account)
}
