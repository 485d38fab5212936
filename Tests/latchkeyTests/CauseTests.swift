import Foundation
import KeychainModel
import LatchkeyTesting
import TestSupport
import Testing

@testable import latchkey

/// An item that is there and does not open: the command line says why, and never that it is missing (docs/cases.md).
@Suite struct CauseTests {
  private func reason(_ result: CommandResult) throws -> String? { try json(result.output)["reason"] as? String }

  @Test func `each cause ends a read of an existing item with its own status and reason`() throws {
    let daemon = try MemoryDaemon([
      .refuse(.userCancelled), .refuse(.noMatch), .never, .refuse(.cannotVerifyPasscodes), .passcode("right"),
    ])
    #expect(daemon.latchkey("add", "-s", "a", "-a", "guarded", "--require", "userPresence", input: [1]).status == 0)
    #expect(daemon.latchkey("add", "-s", "a", "-a", "plain", input: [2]).status == 0)
    let expected: [(Int32, String)] = [
      (128, "userCancelled"), (51, "noMatch"), (29, "deadlinePassed"), (53, "cannotVerifyPasscodes"),
    ]
    for (status, name) in expected {
      let refused = daemon.latchkey("get", "-s", "a", "-a", "guarded", "--json")
      #expect(refused.status == status)
      #expect(try reason(refused) == name)
      #expect(try json(refused.output)["value"] == nil)
    }
    #expect(daemon.latchkey("get", "-s", "a", "-a", "guarded").bytes == [1])
    #expect(daemon.latchkey("lock").status == 0)
    let locked = daemon.latchkey("get", "-s", "a", "-a", "plain", "--json", "--no-prompt")
    #expect(locked.status == 36)
    #expect(try reason(locked) == "keybagLocked")
    let missing = daemon.latchkey("get", "-s", "a", "-a", "nobody", "--json")
    #expect(missing.status == 44)
    #expect(try reason(missing) == "itemNotFound")
    let down = run(
      [BuiltPrograms.path(of: "latchkey"), "get", "-s", "a", "-a", "plain", "--json"],
      environment: ["LATCHKEY_SOCKET": daemon.folder.path("nobody-listens")])
    #expect(down.status == 53)
    #expect(try reason(down) == "serviceUnavailable")
  }

  @Test func `a lock of a keychain that no passcode is bound to says that it stays open`() throws {
    let daemon = try MemoryDaemon()
    #expect(daemon.latchkey("add", "-s", "a", "-a", "plain", input: [1]).status == 0)
    let unbound = daemon.latchkey("lock")
    #expect(unbound.status == 0)
    #expect(unbound.complaint.contains("no passcode is bound to the keychain yet"))
    #expect(try json(daemon.latchkey("lock", "--json").output)["locked"] as? Bool == false)
    #expect(daemon.latchkey("unlock").status == 0)
    #expect(daemon.latchkey("lock").complaint.isEmpty)
    #expect(try json(daemon.latchkey("lock", "--json").output)["locked"] as? Bool == true)
  }

  @Test func `a set that would prompt where nobody may be asked ends within a second and changes nothing`() throws {
    let daemon = try MemoryDaemon()
    #expect(daemon.latchkey("add", "-s", "a", "-a", "b", "--require", "userPresence", input: [1]).status == 0)
    let begun = Date()
    let refused = daemon.latchkey("set", "-s", "a", "-a", "b", "--no-prompt", "--json", input: [2])
    #expect(Date().timeIntervalSince(begun) < 1)
    #expect(refused.status == 36)
    #expect(try reason(refused) == "interactionNotAllowed")
    #expect(daemon.authenticator.prompts == 0)
    #expect(daemon.latchkey("get", "-s", "a", "-a", "b").bytes == [1])
  }
}
