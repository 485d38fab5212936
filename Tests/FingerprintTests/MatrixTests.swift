import Foundation
import LinuxSystem
import TestSupport
import Testing

/// Every combination of flags with everything that a person may give, on the real stack: one account, one reader, an item for
/// each combination.
@Suite struct MatrixTests {
  /// What is given.
  enum Proof: CaseIterable {
    /// The enrolled finger, where one is asked for, and nothing else.
    case finger
    /// The passcode, typed.
    case passcode
    /// Both, the finger first.
    case both
    /// The passcode through a descriptor, with nobody at a terminal.
    case handedIn
    /// Nothing, with nobody at a terminal.
    case none
  }

  /// What the prompt of an item asks for.
  enum Question {
    case finger, passcode, either, both

    /// How a read ends that got this and nothing else; whoever still has to give something takes the request back.
    func end(of proof: Proof) -> String {
      switch (self, proof) {
      case (_, .none), (.both, .handedIn): "noWayToPrompt"
      case (.finger, .passcode), (.finger, .handedIn): "userFallback"
      case (.passcode, .finger), (.both, .finger), (.both, .passcode): "userCancelled"
      case (.finger, .finger), (.finger, .both): "secret"
      case (.passcode, .passcode), (.passcode, .both), (.passcode, .handedIn): "secret"
      case (.either, .finger), (.either, .passcode), (.either, .both), (.either, .handedIn): "secret"
      case (.both, .both): "secret"
      }
    }
  }

  /// An item's flags and what its prompt asks for.
  struct Row {
    let name: String
    let flags: String
    var join = "and"
    let question: Question
  }

  static let rows = [
    Row(name: "presence", flags: "userPresence", question: .either),
    Row(name: "any", flags: "biometryAny", question: .finger),
    Row(name: "set", flags: "biometryCurrentSet", question: .finger),
    Row(name: "passcode", flags: "devicePasscode", question: .passcode),
    Row(name: "anyor", flags: "biometryAny,devicePasscode", join: "or", question: .either),
    Row(name: "setor", flags: "biometryCurrentSet,devicePasscode", join: "or", question: .either),
    Row(name: "anyand", flags: "biometryAny,devicePasscode", question: .both),
    Row(name: "setand", flags: "biometryCurrentSet,devicePasscode", question: .both),
  ]

  @Test func `each pair of flags and proofs opens or refuses as documented`() throws {
    let home = try FingerHome()
    for row in Self.rows { try home.add(row.name, row.flags, join: row.join) }
    for row in Self.rows {
      for proof in Proof.allCases {
        let end = try read(row, proof, home)
        #expect(end == row.question.end(of: proof), "\(row.flags) joined by \(row.join), given \(proof)")
        // The next finger is for the next question.
        #expect(eventually { !home.isAsked })
      }
    }
  }

  private func read(_ row: Row, _ proof: Proof, _ home: FingerHome) throws -> String {
    switch proof {
    case .handedIn: return unattended(row, home, passcode: home.password)
    case .none: return unattended(row, home, passcode: nil)
    case .finger, .passcode, .both:
      let reading = try home.get(row.name)
      try prompts(row, reading)
      try give(proof, to: row, reading, home)
      return reading.end()
    }
  }

  /// The prompt speaks of what opens the item and of nothing else.
  private func prompts(_ row: Row, _ reading: Reading) throws {
    if row.question != .passcode { try reading.person.see(touch) }
    if row.question != .finger { try reading.person.see("Passcode for") }
    #expect(reading.person.screen.contains(touch) == (row.question != .passcode))
    #expect(!reading.person.screen.contains("Passcode for") || row.question != .finger)
  }

  private func give(_ proof: Proof, to row: Row, _ reading: Reading, _ home: FingerHome) throws {
    if proof != .passcode, row.question != .passcode { try home.house.scan("f1") }
    if row.question == .both, proof == .both { try reading.person.see("The finger is accepted") }
    let fingerDid = proof == .both && (row.question == .finger || row.question == .either)
    if proof != .finger, !fingerDid { try reading.person.type(home.password + "\n") }
    guard row.question.end(of: proof) == "userCancelled" else { return }
    if row.question == .both {
      try reading.person.see(proof == .finger ? "The finger is accepted" : "The passcode is accepted")
    } else {
      #expect(!home.isAsked)
    }
    #expect(try !Poll.wait([PollEntry(reading.process.pidfd)], timeoutMilliseconds: 200)[0].isReadable)
    try reading.person.type("\u{3}")
  }

  private func unattended(_ row: Row, _ home: FingerHome, passcode: String?) -> String {
    let result = home.commandLine.run(
      "get", "-s", "com.example.\(row.name)", "-a", "me", "--json", passcode: passcode)
    let answer = JSONAnswer(result.output)
    if let value = answer["value"] as? String, let data = Data(base64Encoded: value) {
      return String(decoding: data, as: UTF8.self)
    }
    return answer["reason"] as? String ?? result.output + result.complaint
  }
}
