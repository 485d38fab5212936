import KeychainModel
import LatchkeyTesting
import SecretMemory
import Testing

@testable import KeychainService

/// Two prompts that began while the keybag was bound to no passcode.
@Suite struct BindingTests {
  private let test = TestKeychain()
  private let channel = TestChannel()

  private func opening() throws -> KeybagOpening {
    try KeybagOpening(
      test.keychain, keys: RequestKeys(store: test.store, cache: test.cache), channel: channel,
      since: test.keychain.fullLocks.current)
  }

  private func key(_ text: String) throws -> SecretBytes { try SecretBytes(copying: Array(text.utf8)) }

  @Test func `the later one stretches its passcode again for what the first has bound`() throws {
    let (first, second) = (try opening(), try opening())
    let ours = try #require(second.stretching)
    #expect(first.passcodeProved(stretched: try key("first salt")).isAccepted)
    let bound = try #require(test.store.keybagRecord().stretching)
    #expect(bound == first.stretching && bound != ours)
    guard case .stretchAgain(bound) = second.passcodeProved(stretched: try key("second salt")) else {
      Issue.record("it was not to stretch again")
      return
    }
    #expect(second.stretching == bound)
    #expect(try test.store.passcodeChange() == .none, "its first key says nothing of the passcode")
    #expect(second.passcodeProved(stretched: try key("first salt")).isAccepted)
    #expect(try test.store.tally().misses == 0)
  }

  @Test func `a key that was stretched again opens or is asked for the passcode from before, as any other`() throws {
    let (first, second) = (try opening(), try opening())
    #expect(first.passcodeProved(stretched: try key("first salt")).isAccepted)
    _ = second.passcodeProved(stretched: try key("second salt"))
    guard case .askOldPasscode = second.passcodeProved(stretched: try key("another passcode")) else {
      Issue.record("another passcode was taken")
      return
    }
    #expect(try test.store.passcodeChange() == .seen)
  }
}

extension PasscodeKeyVerdict {
  fileprivate var isAccepted: Bool { if case .accepted = self { true } else { false } }
}
