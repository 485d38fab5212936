import Foundation
import LinuxSystem
import TestSupport
import Testing

/// The keychain of a real user behind a real daemon, used by a program of that user's.
@Suite(.serialized, .enabled(if: isRoot, "makes accounts"))
struct SystemInterfaceTests {
  let account = TestAccount(password: "right horse", home: .made)
  let daemon: SystemDaemon
  let program: KeychainKitProgram
  var commandLine: CommandLine { daemon.commandLine(of: account) }

  init() throws {
    daemon = try SystemDaemon()
    program = try KeychainKitProgram(account, socket: daemon.socket)
  }

  @Test func `values are stored, replaced, read by others and removed`() throws {
    #expect(try program.ask("get token") == "absent")
    #expect(try program.ask("set token one") == "done")
    #expect(try program.ask("set token two") == "done")
    #expect(try program.ask("get token") == "value two")
    #expect(commandLine.run("get", "-s", "kit", "-a", "token").output == "two")
    #expect(commandLine.run("set", "-s", "kit", "-a", "token", input: Array("three".utf8)).status == 0)
    #expect(try program.ask("get token") == "value three")
    #expect(try program.ask("remove token") == "done")
    #expect(try program.ask("remove token") == "done")
    #expect(try program.ask("get token") == "absent")
    #expect(commandLine.run("get", "-s", "kit", "-a", "token").status == 44)
  }

  @Test func `an item opens while unlocked and on this device only, and keeps its class when it is written again`()
    throws
  {
    _ = try program.ask("set token one")
    #expect(try accessible("token") == "whenUnlockedThisDeviceOnly")
    commandLine.run("add", "-s", "kit", "-a", "other", "--accessible", "afterFirstUnlock", input: [1])
    #expect(try program.ask("set other text") == "done")
    #expect(try accessible("other") == "afterFirstUnlock")
  }

  private func accessible(_ name: String) throws -> String? {
    let lines = commandLine.run("list", "--json").output.split(separator: "\n")
    return lines.map { JSONAnswer(String($0)) }.first { $0["account"] as? String == name }?["accessible"] as? String
  }

  @Test func `bytes that are no text read as absent until they are replaced`() throws {
    commandLine.run("add", "-s", "kit", "-a", "token", input: [0xFF, 0xFE])
    #expect(try program.ask("get token") == "absent")
    #expect(commandLine.run("get", "-s", "kit", "-a", "token").bytes == [0xFF, 0xFE])
    #expect(try program.ask("set token text") == "done")
    #expect(try program.ask("get token") == "value text")
  }

  @Test func `a locked keychain is told from an empty one, and removing needs no unlock`() throws {
    _ = try program.ask("set token one")
    _ = try program.ask("set gone two")
    #expect(commandLine.run(["unlock"], passcode: "right horse").status == 0)
    #expect(commandLine.run("lock").status == 0)
    #expect(try program.ask("get token") == "error interactionNotAllowed")
    #expect(try program.ask("set token two") == "error interactionNotAllowed")
    #expect(try program.ask("remove gone") == "done")
    #expect(commandLine.run(["unlock"], passcode: "right horse").status == 0)
    #expect(try program.ask("get token") == "value one")
    #expect(try program.ask("get gone") == "absent")
  }

  @Test func `an item that wants a proof is refused and never prompts`() throws {
    let added = commandLine.run(
      ["add", "-s", "kit", "-a", "token", "--require", "userPresence"], input: Array("secret".utf8))
    #expect(added.status == 0)
    #expect(try program.ask("get token", within: 3) == "error interactionNotAllowed")
    #expect(try program.ask("set token mine", within: 3) == "error interactionNotAllowed")
    #expect(commandLine.run(["get", "-s", "kit", "-a", "token"], passcode: "right horse").output == "secret")
  }

  @Test func `a daemon that is gone is an error, and one that came back is found`() throws {
    _ = try program.ask("set token one")
    daemon.crash()
    #expect(try program.ask("get token") == "error unknownError(-25291)")
    try daemon.start()
    #expect(try program.ask("get token") == "value one")
  }

  @Test func `the service of a program without a bundle is its name`() throws {
    #expect(try program.ask("service") == "keychainkit-client")
  }
}
