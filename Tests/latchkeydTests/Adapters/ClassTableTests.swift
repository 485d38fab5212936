import AccessPolicy
import Foundation
import KeychainModel
import KeychainService
import LatchkeyTesting
import Testing

@testable import latchkeyd

/// Every class against every state of a bound keybag, over a store on the disk (docs/cases.md, the table of A04).
@Suite struct ClassTableTests {
  /// The states of a session.
  enum SessionState: CaseIterable { case neverUnlocked, unlocked, lockedAgain }

  /// What the table says.
  private static func refusal(_ accessibility: Accessibility, _ state: SessionState) -> Reason? {
    switch (accessibility, state) {
    case (_, .unlocked), (.always, _), (.alwaysThisDeviceOnly, _): nil
    case (_, .neverUnlocked): .beforeFirstUnlock
    case (.afterFirstUnlock, .lockedAgain), (.afterFirstUnlockThisDeviceOnly, .lockedAgain): nil
    case (_, .lockedAgain): .keybagLocked
    }
  }

  private let folder = ScratchFolder()
  private let keychain: UserKeychain

  init() throws {
    let clock = TestClock()
    keychain = UserKeychain(
      account: ScratchFolder.alice, store: try folder.store(),
      ports: ServicePorts(
        cache: MemoryKeyCache(clock: clock),
        authenticator: MockAuthenticator(passcode: "right", script: [.passcode("right")], clock: clock),
        policies: FixedPolicies(), enrolment: SetEnrolment(.nothingEnrolled), log: RecordedDecisions(), clock: clock,
        host: SilentHost()))
  }

  private func ask(_ request: KeychainRequest, secrets: [String] = []) -> Answer {
    let peer = PeerFacts(uid: 1000, process: ProcessIdentity(pid: 5, startTime: 5), origin: .local)
    return keychain.answer(
      IncomingRequest(
        request: request, options: RequestOptions(interaction: request == .unlock(.passcode) ? .allow : .fail),
        secrets: secrets.map(secret), peer: peer, channel: LatchkeyTesting.TestChannel()))
  }

  private static func name(_ accessibility: Accessibility) -> ItemAttributes {
    ItemAttributes([.service: .text("mail"), .account: .text(ExactText(accessibility.name))])
  }

  private func bring(into state: SessionState) {
    _ = ask(.lockAll)
    if state != .neverUnlocked { #expect(ask(.unlock(.passcode)).reply.reason == nil) }
    if state == .lockedAgain { _ = ask(.lock) }
  }

  /// The bytes of every file but the index of the log that readers share (SQLite's -shm), which holds no data.
  private var files: [String: [UInt8]] {
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return names.filter { !$0.hasSuffix("-shm") }.reduce(into: [:]) { $0[$1] = folder.bytes($1) }
  }

  @Test func `every class opens as the table says, and a refused read writes nothing`() {
    _ = ask(.unlock(.passcode))
    for accessibility in Accessibility.allCases {
      let add = AddRequest(
        itemClass: .genericPassword, attributes: Self.name(accessibility),
        accessControl: .unconstrained(accessibility), value: 0)
      #expect(ask(.add(add), secrets: ["value of \(accessibility.name)"]).reply.reason == nil, "\(accessibility)")
    }
    var refused = 0
    for state in SessionState.allCases {
      bring(into: state)
      let before = files
      #expect(before.count >= 2)
      for accessibility in Accessibility.allCases {
        let query = ItemQuery(itemClass: .genericPassword, attributes: Self.name(accessibility))
        let answer = ask(.find(FindRequest(query: query, returns: .data)))
        let expected = Self.refusal(accessibility, state)
        #expect(answer.reply.reason == expected, "\(accessibility) \(state)")
        #expect(answer.secrets.map { text($0) } == (expected == nil ? ["value of \(accessibility.name)"] : []))
        if let expected {
          refused += 1
          #expect(expected.status.rawValue == -25308)
        }
      }
      #expect(files == before, "\(state)")
    }
    #expect(refused == 8)
  }
}
