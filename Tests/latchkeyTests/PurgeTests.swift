import Foundation
import KeychainModel
import LatchkeyTesting
import TestSupport
import Testing

@testable import latchkey

@Suite struct PurgeTests {
  /// Two items of one service, one of them protected, and one of another service.
  private func filled() throws -> MemoryDaemon {
    let daemon = try MemoryDaemon()
    #expect(daemon.latchkey("add", "-s", "a", "-a", "one", input: [1]).status == 0)
    #expect(daemon.latchkey("add", "-s", "a", "-a", "two", "--require", "userPresence", input: [2]).status == 0)
    #expect(daemon.latchkey("add", "-s", "a.b", "-a", "one", input: [3]).status == 0)
    return daemon
  }

  @Test func `a purge takes all items of its services and none of others, and asks nothing`() throws {
    let daemon = try filled()
    let purged = daemon.latchkey("purge", "a", "--json")
    #expect(purged.status == 0)
    #expect(try json(purged.output)["deleted"] as? Int == 2)
    for account in ["one", "two"] { #expect(daemon.latchkey("get", "-s", "a", "-a", account).status == 44) }
    #expect(daemon.latchkey("get", "-s", "a.b", "-a", "one").bytes == [3])
    #expect(daemon.authenticator.prompts == 0)
  }

  @Test func `a purge of several services counts them all, and of none that is there is no fault`() throws {
    let daemon = try filled()
    #expect(try json(daemon.latchkey("purge", "a", "a.b", "c", "--json").output)["deleted"] as? Int == 3)
    #expect(try json(daemon.latchkey("purge", "a", "a.b", "c", "--json").output)["deleted"] as? Int == 0)
  }

  @Test func `a purge is refused whole while items are locked`() throws {
    let daemon = try filled()
    // The read binds the keybag; the lock then closes it.
    #expect(daemon.latchkey("get", "-s", "a", "-a", "two").bytes == [2])
    #expect(daemon.latchkey("lock").status == 0)
    #expect(daemon.latchkey("add", "-s", "open", "-a", "one", "--accessible", "always", input: [4]).status == 0)
    let purged = daemon.latchkey("purge", "open", "a", "--json")
    let reason = try json(purged.output)["reason"] as? String
    #expect(purged.status == 36 && reason == "keybagLocked")
    #expect(daemon.latchkey("get", "-s", "open", "-a", "one").bytes == [4])
  }

  @Test(arguments: [["purge"], ["purge", ""], ["purge", "-s", "a"]])
  func `a purge without a service is misused`(_ words: [String]) throws {
    let daemon = try MemoryDaemon()
    let result = run(
      [BuiltPrograms.path(of: "latchkey")] + words, environment: ["LATCHKEY_SOCKET": daemon.folder.path("socket")])
    #expect(result.status == 2 && daemon.requests.isEmpty)
  }
}
