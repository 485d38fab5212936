import KeychainKit
import LatchkeyTesting
import Synchronization
import Testing

/// What a keychain does with its interface, call by call.
@Suite struct KeychainTests {
  let interface = InMemoryKeychainInterface()
  let keychain: Keychain<InMemoryKeychainInterface>
  let key: KeychainAttributes = "token"

  init() { keychain = Keychain(interface: interface) }

  @Test func `values are stored, replaced and removed by subscript`() {
    keychain["token"] = "one"
    #expect(keychain["token"] == "one")
    keychain["token"] = "two"
    #expect(keychain["token"] == "two" && interface["token"] == Array("two".utf8))
    keychain["token"] = nil
    #expect(keychain["token"] == nil && interface["token"] == nil)
  }

  @Test func `a default stands in only where there is no value to read`() {
    #expect(keychain["theme", default: "light"] == "light")
    #expect(interface.calls == [.read("theme")])
    keychain["theme"] = "dark"
    let unused = Mutex(0)
    func other() -> String {
      unused.withLock { $0 += 1 }
      return "light"
    }
    #expect(keychain["theme", default: other()] == "dark" && unused.withLock { $0 } == 0)
    interface.fail(.read, with: .interactionNotAllowed)
    #expect(keychain["theme", default: other()] == "light")
  }

  @Test func `a key is an account of a service, and a literal one of the program's own`() {
    let shared = KeychainAttributes(account: "token", service: "com.example.shared")
    keychain[shared] = "a"
    #expect(keychain["token"] == nil && keychain[shared] == "a")
    #expect(key == KeychainAttributes(account: "token") && key.service == KeychainAttributes.defaultService)
    #expect(!KeychainAttributes.defaultService.isEmpty)
  }

  @Test func `a read and a removal are one call each, present or absent`() throws {
    for value in [nil, Array("x".utf8)] {
      interface[key] = value
      interface.forgetCalls()
      _ = try keychain.value(forKey: key)
      #expect(interface.calls == [.read(key)])
      interface.forgetCalls()
      try keychain.removeValue(forKey: key)
      #expect(interface.calls == [.remove(key)])
    }
  }

  @Test func `an update is one call, also for an equal value, and an insertion two`() throws {
    try keychain.updateValue("x", forKey: key)
    #expect(interface.calls == [.update(key), .insert(key)])
    for value in ["y", "y"] {
      interface.forgetCalls()
      try keychain.updateValue(value, forKey: key)
      #expect(interface.calls == [.update(key)])
    }
  }

  @Test func `an insertion that another program wins is an update of theirs: three calls`() throws {
    interface.interrupt(.insert) { $0["token"] = Array("theirs".utf8) }
    try keychain.updateValue("mine", forKey: key)
    #expect(interface.calls == [.update(key), .insert(key), .update(key)])
    #expect(keychain[key] == "mine")
  }

  @Test func `it is retried once only, and the last error is the caller's`() {
    interface.interrupt(.insert) { $0["token"] = Array("theirs".utf8) }
    interface.interrupt(.update) { _ in }
    interface.interrupt(.update) { $0["token"] = nil }
    #expect(throws: KeychainError.itemNotFound) { try keychain.updateValue("mine", forKey: key) }
    #expect(interface.calls == [.update(key), .insert(key), .update(key)])
  }

  private static let others: [KeychainError] = [.interactionNotAllowed, .missingEntitlement, .unknownError(-25291)]

  @Test(arguments: others)
  func `any other error ends the call at once and is thrown as it is`(_ error: KeychainError) {
    interface[key] = Array("old".utf8)
    for verb in [InMemoryKeychainInterface.Verb.read, .update, .remove] {
      interface.forgetCalls()
      interface.fail(verb, with: error)
      #expect(throws: error) {
        switch verb {
        case .read: _ = try keychain.value(forKey: key)
        case .update: try keychain.updateValue("new", forKey: key)
        default: try keychain.removeValue(forKey: key)
        }
      }
      #expect(interface.calls.map(\.verb) == [verb])
    }
    #expect(interface[key] == Array("old".utf8))
  }

  @Test(arguments: others + [.itemNotFound])
  func `an insertion that fails otherwise is not retried`(_ error: KeychainError) {
    interface.fail(.insert, with: error)
    #expect(throws: error) { try keychain.updateValue("new", forKey: key) }
    #expect(interface.calls == [.update(key), .insert(key)])
  }

  @Test func `a duplicate told by a read or an update is thrown, not taken for a lost race`() {
    interface.fail(.update, with: .duplicateItem)
    #expect(throws: KeychainError.duplicateItem) { try keychain.updateValue("new", forKey: key) }
    interface.fail(.read, with: .duplicateItem)
    #expect(throws: KeychainError.duplicateItem) { _ = try keychain.value(forKey: key) }
    #expect(interface.calls == [.update(key), .read(key)])
  }

  @Test func `nothing is cached: neither values nor absence nor errors`() throws {
    #expect(keychain[key] == nil)
    interface[key] = Array("outside".utf8)
    #expect(keychain[key] == "outside")
    interface.fail(.read, with: .interactionNotAllowed)
    #expect(throws: KeychainError.interactionNotAllowed) { _ = try keychain.value(forKey: key) }
    #expect(try keychain.value(forKey: key) == "outside")
    interface[key] = nil
    #expect(try keychain.value(forKey: key) == nil)
    #expect(interface.calls == Array(repeating: .read(key), count: 5))
  }

  @Test(arguments: [[0xFF], [0xC3], [0x61, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80]] as [[UInt8]])
  func `bytes that are no UTF-8 read as absent and give way to the next write`(_ bytes: [UInt8]) throws {
    interface[key] = bytes
    #expect(try keychain.value(forKey: key) == nil)
    #expect(keychain[key, default: "none"] == "none")
    #expect(interface[key] == bytes)
    interface.forgetCalls()
    keychain[key] = "text"
    #expect(keychain[key] == "text" && interface.calls == [.update(key), .read(key)])
  }

  @Test(arguments: ["", "\0", "a\0b", "é", "e\u{301}", "🗝️"])
  func `every text comes back byte for byte`(_ text: String) {
    keychain[key] = text
    #expect(keychain[key].map { Array($0.utf8) } == Array(text.utf8))
  }

  @Test func `a text of one mebibyte comes back whole`() {
    let text = String(repeating: "x", count: 1_048_576)
    keychain[key] = text
    let isWhole = keychain[key] == text
    #expect(isWhole)
  }

  @Test(arguments: [1_048_577, 100 << 20]) func `a longer one is refused before it is copied`(count: Int) {
    let text = String(repeating: "x", count: count)
    #expect(throws: KeychainError.unknownError(-25302)) { try keychain.updateValue(text, forKey: key) }
    #expect(interface.calls.isEmpty)
  }

  @Test func `a write that a subscript could not do is told once, without the value`() {
    let told = Mutex<[KeychainError]>([])
    let keychain = Keychain(interface: interface) { error, _ in told.withLock { $0.append(error) } }
    interface.fail(.update, with: .interactionNotAllowed)
    keychain[key] = "lost"
    interface.fail(.remove, with: .missingEntitlement)
    keychain[key] = nil
    keychain[key] = nil
    #expect(told.withLock { $0 } == [.interactionNotAllowed, .missingEntitlement])
    #expect(interface[key] == nil)
  }

  @Test func `calls of one instance take turns whatever their keys`() async {
    let inside = Mutex(0)
    let most = Mutex(0)
    for _ in 0..<100 {
      for verb in [InMemoryKeychainInterface.Verb.read, .update] {
        interface.interrupt(verb) { _ in
          let now = inside.withLock { inside in
            inside += 1
            return inside
          }
          most.withLock { $0 = max($0, now) }
          for _ in 0..<200 { _ = inside.withLock { $0 } }
          inside.withLock { $0 -= 1 }
        }
      }
    }
    await withTaskGroup { group in
      for number in 0..<100 {
        group.addTask {
          keychain[KeychainAttributes(account: "\(number % 7)")] = "v"
          _ = keychain[KeychainAttributes(account: "\(number % 5)")]
        }
      }
    }
    #expect(most.withLock { $0 } == 1)
  }

  @Test func `code that takes any keychain stores through the protocol`() throws {
    let store: any KeychainProtocol = keychain
    store["token"] = "abc"
    #expect(try store.value(forKey: "token") == "abc" && store["other", default: "x"] == "x")
    try store.removeValue(forKey: "token")
    #expect(interface["token"] == nil)
  }
}
