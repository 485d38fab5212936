import KeychainKit
import LatchkeyTesting
import Observation
import Synchronization
import Testing

/// Counts how often something happened.
final class Tally: Sendable {
  private let number = Mutex(0)
  var count: Int { number.withLock { $0 } }
  func add() { number.withLock { $0 += 1 } }
}

/// Who is told of what, and when.
@Suite struct ObservationTests {
  let interface = InMemoryKeychainInterface()
  let keychain: Keychain<InMemoryKeychainInterface>

  init() { keychain = Keychain(interface: interface) }

  /// Counts the notifications of a reader of these keys, from one tracking: at most one.
  private func reader(of keys: KeychainAttributes...) -> Tally {
    let tally = Tally()
    withObservationTracking {
      for key in keys { _ = keychain[key] }
    } onChange: {
      tally.add()
    }
    return tally
  }

  @Test func `a write and a removal tell the readers of their key and no others`() {
    for change in [{ keychain["a"] = "1" }, { keychain["a"] = nil }] {
      let (a, b, both) = (reader(of: "a"), reader(of: "b"), reader(of: "a", "b"))
      change()
      #expect([a.count, b.count, both.count] == [1, 0, 1])
    }
  }

  @Test func `a key of the same account and another service is another key`() {
    let tally = reader(of: KeychainAttributes(account: "a", service: "other"))
    keychain["a"] = "1"
    #expect(tally.count == 0)
  }

  @Test func `reading by each way makes a reader`() {
    let ways: [() -> Void] = [
      { _ = keychain["a"] }, { _ = keychain["a", default: "x"] }, { _ = try? keychain.value(forKey: "a") },
    ]
    for way in ways {
      let tally = Tally()
      withObservationTracking(way) { tally.add() }
      keychain["a"] = "1"
      #expect(tally.count == 1)
    }
  }

  @Test func `equal values, absent items and failures tell as well`() {
    keychain["a"] = "1"
    var tally = reader(of: "a")
    keychain["a"] = "1"
    #expect(tally.count == 1)
    tally = reader(of: "absent")
    keychain["absent"] = nil
    #expect(tally.count == 1)
    for verb in [InMemoryKeychainInterface.Verb.update, .remove] {
      tally = reader(of: "a")
      interface.fail(verb, with: .interactionNotAllowed)
      keychain["a"] = verb == .update ? "2" : nil
      #expect(tally.count == 1 && interface["a"] == Array("1".utf8))
    }
  }

  @Test func `a failed read makes a reader too`() {
    interface.fail(.read, with: .interactionNotAllowed)
    let tally = reader(of: "a")
    keychain["a"] = "1"
    #expect(tally.count == 1)
  }

  @Test func `readers are told before anything changes, and may read at once`() {
    keychain["a"] = "old"
    let seen = Mutex<String?>(nil)
    for change in [{ keychain["a"] = "new" }, { keychain["a"] = nil }] {
      let before = keychain["a"]
      withObservationTracking {
        _ = keychain["a"]
      } onChange: {
        seen.withLock { $0 = keychain["a"] }
      }
      interface.forgetCalls()
      change()
      #expect(seen.withLock { $0 } == before)
      #expect(interface.calls.first == .read("a"))
    }
  }

  @Test func `what others write is read by the next read and tells nobody unasked`() {
    let tally = reader(of: "a")
    interface["a"] = Array("outside".utf8)
    Keychain(interface: interface)["a"] = "another instance"
    #expect(tally.count == 0 && keychain["a"] == "another instance")
  }
}

/// Changes from outside, for those who ask for them.
@Suite struct ExternalChangeTests {
  let interface = InMemoryKeychainInterface()
  let keychain: Keychain<InMemoryKeychainInterface>

  init() { keychain = Keychain(interface: interface) }

  private func reader(of key: KeychainAttributes) -> Tally {
    let tally = Tally()
    withObservationTracking {
      _ = keychain[key]
    } onChange: {
      tally.add()
    }
    return tally
  }

  @Test func `a change from outside tells every reader, whichever key it reads`() throws {
    let early = reader(of: "a")
    try keychain.observeExternalChanges()
    let late = reader(of: "b")
    interface["c"] = [1]
    #expect([early.count, late.count] == [1, 1])
  }

  @Test func `readers are told after the change, and a key's own writes tell its readers only`() throws {
    try keychain.observeExternalChanges()
    let seen = Mutex<String?>(nil)
    withObservationTracking {
      _ = keychain["a"]
    } onChange: {
      seen.withLock { $0 = keychain["a"] }
    }
    interface["a"] = Array("outside".utf8)
    #expect(seen.withLock { $0 } == "outside")
    let other = reader(of: "b")
    keychain["a"] = "own"
    #expect(other.count == 0)
  }

  @Test func `asking twice makes one watch, and stopping ends it`() throws {
    try keychain.observeExternalChanges()
    try keychain.observeExternalChanges()
    #expect(interface.watchCount == 1)
    keychain.stopObservingExternalChanges()
    keychain.stopObservingExternalChanges()
    #expect(interface.watchCount == 0)
    let tally = reader(of: "a")
    interface["a"] = [1]
    #expect(tally.count == 0)
    try keychain.observeExternalChanges()
    interface["a"] = nil
    #expect(tally.count == 1)
  }

  @Test func `a keychain that is let go watches no more`() throws {
    var keychain: Keychain? = Keychain(interface: interface)
    try keychain?.observeExternalChanges()
    #expect(interface.watchCount == 1)
    keychain = nil
    #expect(interface.watchCount == 0)
  }
}
