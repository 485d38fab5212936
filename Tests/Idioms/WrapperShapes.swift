import Foundation
import Security

/// What a program's own tests put in place of the keychain.
nonisolated protocol SecretStoring {
  func data(for key: String) throws -> Data?
  func set(_ data: Data?, for key: String) throws
}

/// The real one.
nonisolated struct KeychainSecrets: SecretStoring {
  let service: String

  private func query(_ key: String, _ more: [CFString: Any] = [:]) -> CFDictionary {
    let base: [CFString: Any] = [
      kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: key,
      kSecUseDataProtectionKeychain: true,
    ]
    return base.merging(more) { $1 } as CFDictionary
  }

  func data(for key: String) throws -> Data? {
    var result: AnyObject?
    switch SecItemCopyMatching(query(key, [kSecReturnData: true, kSecMatchLimit: kSecMatchLimitOne]), &result) {
    case errSecSuccess: return result as? Data
    case errSecItemNotFound: return nil
    case let status: throw Missing(status: status)
    }
  }

  func set(_ data: Data?, for key: String) throws {
    SecItemDelete(query(key))
    guard let data else { return }
    let status = SecItemAdd(
      query(key, [kSecValueData: data, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly]), nil)
    guard status == errSecSuccess else { throw Missing(status: status) }
  }
}

/// The one in memory.
nonisolated final class MemorySecrets: SecretStoring {
  private var values: [String: Data] = [:]
  func data(for key: String) throws -> Data? { values[key] }
  func set(_ data: Data?, for key: String) throws { values[key] = data }
}

/// A property whose value lives in the keychain.
@propertyWrapper nonisolated struct KeychainStored<Value: Codable> {
  let key: String
  let store: any SecretStoring
  var wrappedValue: Value? {
    get { (try? store.data(for: key)).flatMap { $0 }.flatMap { try? JSONDecoder().decode(Value.self, from: $0) } }
    nonmutating set { try? store.set(newValue.flatMap { try? JSONEncoder().encode($0) }, for: key) }
  }
}

nonisolated struct Session: Codable, Equatable {
  var token: String
  var expires: Date
}

nonisolated struct Settings {
  @KeychainStored(key: "session", store: KeychainSecrets(service: "w1")) var session: Session?
  @KeychainStored(key: "pin", store: KeychainSecrets(service: "w1")) var pin: Int?
}

/// Texts by subscript, failures dropped.
nonisolated struct TextStore {
  let secrets: any SecretStoring
  subscript(key: String) -> String? {
    get { (try? secrets.data(for: key)).flatMap { $0 }.flatMap { String(data: $0, encoding: .utf8) } }
    nonmutating set { try? secrets.set(newValue?.data(using: .utf8), for: key) }
  }
}

/// One error type, thrown as such.
nonisolated enum TypedStore {
  static func read(_ service: String) throws(StatusError) -> Data {
    var result: CFTypeRef?
    let status = SecItemCopyMatching(named(service, [kSecReturnData as String: true]) as CFDictionary, &result)
    if let error = StatusError(status) { throw error }
    return result as! Data
  }
}

/// Ways to wrap the calls.
var wrapperShapes: [Idiom] {
  [
    Idiom("properties that live in the keychain") {
      let settings = Settings()
      guard settings.session == nil, settings.pin == nil else { return false }
      let session = Session(token: "t", expires: Date(timeIntervalSinceReferenceDate: 1_000))
      settings.session = session
      settings.pin = 1234
      guard Settings().session == session, Settings().pin == 1234 else { return false }
      settings.session = nil
      return Settings().session == nil && Settings().pin == 1234
    },
    Idiom("a protocol with the keychain behind it and memory in tests") {
      let stores: [any SecretStoring] = [KeychainSecrets(service: "w2"), MemorySecrets()]
      return try stores.allSatisfy { store in
        try store.set(Data("one".utf8), for: "k")
        try store.set(Data("two".utf8), for: "k")
        guard try store.data(for: "k") == Data("two".utf8) else { return false }
        try store.set(nil, for: "k")
        return try store.data(for: "k") == nil
      }
    },
    Idiom("texts by subscript") {
      let texts = TextStore(secrets: KeychainSecrets(service: "w3"))
      texts["a"] = "one"
      texts["b"] = texts["a"].map { $0 + "!" }
      texts["a"] = nil
      return texts["a"] == nil && texts["b"] == "one!"
    },
    Idiom("one error type, caught without a cast") {
      do throws(StatusError) {
        _ = try TypedStore.read("w4")
        return false
      } catch {
        return error == .missing
      }
    },
    Idiom("a Result in place of a throw") {
      try put("w5")
      let found = Result { try TypedStore.read("w5") }
      let lost = Result { try TypedStore.read("w5-not") }
      return (try? found.get()) == Data("value".utf8) && (try? lost.get()) == nil
    },
    Idiom("random bytes made into a key and kept") {
      var key = Data(count: 32)
      let made = key.withUnsafeMutableBytes { SecRandomCopyBytes(kSecRandomDefault, 32, $0.baseAddress!) }
      guard made == errSecSuccess, key != Data(count: 32) else { return false }
      try put("w6", more: [kSecValueData as String: key])
      return try TypedStore.read("w6") == key
    },
    Idiom("random bytes in an array, by reference") {
      var bytes = [UInt8](repeating: 0, count: 16)
      return SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes) == errSecSuccess && bytes.contains { $0 != 0 }
    },
    Idiom("a value migrated from one accessibility to another") {
      try put("w8", more: [kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlocked])
      let change = [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock] as CFDictionary
      guard SecItemUpdate(named("w8") as CFDictionary, change) == errSecSuccess else { return false }
      let query = named("w8", [kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock])
      return SecItemCopyMatching(query as CFDictionary, nil) == errSecSuccess && value("w8") == "value"
    },
    Idiom("all accounts of a service, sorted") {
      for account in ["b", "a", "c"] { try put("w9", account: account) }
      var items: CFTypeRef?
      let query = named("w9", [kSecMatchLimit as String: kSecMatchLimitAll, kSecReturnAttributes as String: true])
      guard SecItemCopyMatching(query as CFDictionary, &items) == errSecSuccess, let found = items as? [[String: Any]]
      else { return false }
      return found.compactMap { $0[kSecAttrAccount as String] as? String }.sorted() == ["a", "b", "c"]
    },
    Idiom("a JSON object kept as the value") {
      let encoded = try JSONEncoder().encode(["user": "me", "token": "t"])
      try put("w10", more: [kSecValueData as String: encoded])
      return try JSONDecoder().decode([String: String].self, from: TypedStore.read("w10"))["token"] == "t"
    },
  ]
}
