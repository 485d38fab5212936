import Foundation
import Security

/// A store as an actor.
actor ActorStore {
  private let service: String
  init(service: String) { self.service = service }

  func save(_ text: String, for account: String) throws {
    let query = named(service, [kSecAttrAccount as String: account])
    let change = [kSecValueData as String: Data(text.utf8)]
    let status = SecItemUpdate(query as CFDictionary, change as CFDictionary)
    guard status == errSecItemNotFound else { return try Self.check(status) }
    try Self.check(SecItemAdd(query.merging(change) { $1 } as CFDictionary, nil))
  }

  func text(for account: String) throws -> String? {
    var result: CFTypeRef?
    let query = named(service, [kSecAttrAccount as String: account, kSecReturnData as String: kCFBooleanTrue!])
    let status = SecItemCopyMatching(query as CFDictionary, &result)
    if status == errSecItemNotFound { return nil }
    try Self.check(status)
    return (result as? Data).flatMap { String(data: $0, encoding: .utf8) }
  }

  private static func check(_ status: OSStatus) throws {
    guard status == errSecSuccess else { throw Missing(status: status) }
  }
}

/// A store on the main actor, as view models hold one.
@MainActor final class MainStore {
  static let shared = MainStore()
  private(set) var saved = 0
  private let key = kSecAttrAccount as String

  func save(_ text: String) -> OSStatus {
    let status = SecItemAdd(named("t3", [key: "main", kSecValueData as String: Data(text.utf8)]) as CFDictionary, nil)
    if status == errSecSuccess { saved += 1 }
    return status
  }
}

/// An actor of the program's own for everything about the keychain.
@globalActor actor KeychainActor {
  static let shared = KeychainActor()
}

@KeychainActor func saveOnActor(_ service: String) throws -> String? {
  try put(service, account: "me", "value", more: [:])
  return value(service)
}

/// A store behind a lock, handed from thread to thread.
nonisolated final class LockedStore: @unchecked Sendable {
  private let lock = NSLock()
  private var query: [String: Any]
  init(service: String) { query = named(service) }

  func add(_ account: String) -> OSStatus {
    lock.withLock {
      query[kSecAttrAccount as String] = account
      query[kSecValueData as String] = Data(account.utf8)
      return SecItemAdd(query as CFDictionary, nil)
    }
  }
}

/// Waits for a queue where no code is asynchronous.
nonisolated func finish(_ queue: OperationQueue) { queue.waitUntilAllOperationsAreFinished() }

/// Names of keys that may go anywhere.
nonisolated struct Names: Sendable {
  static let account = kSecAttrAccount as String
  let service = kSecAttrService as String
}

/// Ways to call from concurrent code.
var concurrencyShapes: [Idiom] {
  [
    Idiom("an actor that saves and reads") {
      let store = ActorStore(service: "t1")
      try await store.save("one", for: "me")
      try await store.save("two", for: "me")
      let none = try await store.text(for: "you")
      return try await store.text(for: "me") == "two" && none == nil
    },
    Idiom("many tasks on one actor") {
      let store = ActorStore(service: "t2")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<16 { group.addTask { try await store.save("\(number)", for: "account \(number % 4)") } }
        try await group.waitForAll()
      }
      var result: CFTypeRef?
      let query = named("t2", [kSecMatchLimit as String: kSecMatchLimitAll, kSecReturnAttributes as String: true])
      return SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess && (result as? [Any])?.count == 4
    },
    Idiom("a store on the main actor") {
      let status = await MainStore.shared.save("value")
      let saved = await MainStore.shared.saved
      return status == errSecSuccess && saved == 1 && value("t3") == "value"
    },
    Idiom("a global actor for everything about the keychain") { try await saveOnActor("t4") == "value" },
    Idiom("a detached task that hands back data") {
      try put("t5")
      let data = await Task.detached { () -> Data? in
        var result: CFTypeRef?
        SecItemCopyMatching(named("t5", [kSecReturnData as String: true]) as CFDictionary, &result)
        return result as? Data
      }.value
      return data == Data("value".utf8)
    },
    Idiom("calls from many tasks at once without any actor") {
      try put("t6")
      return await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<32 { group.addTask { value("t6") == "value" } }
        return await group.allSatisfy { $0 }
      }
    },
    Idiom("a call on a queue wrapped in a continuation") {
      try put("t7")
      let text = await withCheckedContinuation { (continuation: CheckedContinuation<String?, Never>) in
        DispatchQueue.global(qos: .userInitiated).async { continuation.resume(returning: value("t7")) }
      }
      return text == "value"
    },
    Idiom("a call on a serial queue waited for") {
      try put("t8")
      return DispatchQueue(label: "keychain").sync { value("t8") } == "value"
    },
    Idiom("a store behind a lock, used by many threads") {
      let store = LockedStore(service: "t9")
      let failed = Found<OSStatus>()
      DispatchQueue.concurrentPerform(iterations: 8) { number in
        let status = store.add("account \(number)")
        if status != errSecSuccess { failed.put(status) }
      }
      return failed.taken == nil
    },
    Idiom("operations on an operation queue") {
      let queue = OperationQueue()
      for number in 0..<4 {
        queue.addOperation { _ = try? put("t10", account: "\(number)") }
      }
      finish(queue)
      var result: CFTypeRef?
      let query = named("t10", [kSecMatchLimit as String: kSecMatchLimitAll, kSecReturnAttributes as String: true])
      return SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess && (result as? [Any])?.count == 4
    },
    Idiom("a stream of the items' values") {
      for account in ["x", "y", "z"] { try put("t11", account: account, account) }
      let stream = AsyncStream<String> { continuation in
        var result: CFTypeRef?
        let query = named("t11", [kSecMatchLimit as String: kSecMatchLimitAll, kSecReturnData as String: true])
        SecItemCopyMatching(query as CFDictionary, &result)
        for data in result as? [Data] ?? [] { continuation.yield(String(decoding: data, as: UTF8.self)) }
        continuation.finish()
      }
      return await stream.reduce("") { $0 + $1 } == "xyz"
    },
    Idiom("names of keys in a Sendable value") {
      let names = Names()
      return await Task.detached { SecItemDelete(named("t12", [Names.account: names.service]) as CFDictionary) }.value
        == errSecItemNotFound
    },
    Idiom("eight adds of one item at once: one succeeds, seven are duplicates") {
      let statuses = await withTaskGroup(of: OSStatus.self) { group in
        for _ in 0..<8 {
          group.addTask { SecItemAdd(named("t13", [kSecValueData as String: Data()]) as CFDictionary, nil) }
        }
        return await group.reduce(into: [OSStatus]()) { $0.append($1) }
      }
      return statuses.filter { $0 == errSecSuccess }.count == 1
        && statuses.filter { $0 == errSecDuplicateItem }.count == 7
    },
  ]
}
