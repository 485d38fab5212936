import AccessPolicy
import Foundation
import KeychainModel
import KeychainService
import LatchkeyTesting
import LinuxSystem
import TestSupport
import Testing

@testable import latchkey

/// What an import makes of items that are there already, and what it tells before it does.
@Suite struct ImportTests {
  private let folder: ScratchFolder
  private static let fingers = EnrolmentState.enrolled([UInt8](repeating: 9, count: 32))

  init() throws { folder = try ScratchFolder() }

  private func daemon(_ script: [ScriptedAnswer] = [.passcode("right")]) throws -> MemoryDaemon {
    try MemoryDaemon(script, reuse: ServicePolicy.builtIn.reuse, enrolment: Self.fingers)
  }

  /// An archive of plain items with these names.
  private func archive(_ services: String...) throws -> String {
    let from = try daemon()
    for service in services {
      #expect(from.latchkey("add", "-s", service, "-a", "me", input: Array("new".utf8)).status == 0)
    }
    let file = folder.path("archive")
    #expect(try sealed(from, "export", file).status == 0)
    return file
  }

  private func sealed(_ daemon: MemoryDaemon, _ words: String...) throws -> CommandResult {
    run(
      [BuiltPrograms.path(of: "latchkey")] + words + ["--passphrase-fd", "5"],
      environment: ["LATCHKEY_SOCKET": daemon.folder.path("socket")],
      descriptors: [try handed("open sesame", as: 5)])
  }

  private func add(_ daemon: MemoryDaemon, _ service: String, _ flags: String = "") {
    let require = flags.isEmpty ? [] : ["--require", flags]
    let added = run(
      [BuiltPrograms.path(of: "latchkey"), "add", "-s", service, "-a", "me"] + require, input: Array("old".utf8),
      environment: ["LATCHKEY_SOCKET": daemon.folder.path("socket")])
    #expect(added.status == 0)
  }

  private func require(_ daemon: MemoryDaemon, _ service: String) throws -> [String]? {
    try json(daemon.latchkey("show", "-s", service, "-a", "me", "--json").output)["require"] as? [String]
  }

  @Test func `what is replaced keeps the protection it has here, and how many do is said`() throws {
    let file = try archive("a", "b", "c")
    let to = try daemon()
    add(to, "a", "userPresence")
    add(to, "b")
    let dry = try json(sealed(to, "import", file, "--replace", "--dry-run", "--json").output)
    #expect(dry["imported"] as? Int == 3 && dry["protectionKept"] as? Int == 1)
    #expect(to.authenticator.prompts == 0)
    let told = try sealed(to, "import", file, "--replace")
    #expect(told.status == 0 && to.authenticator.prompts == 1)
    #expect(told.complaint.contains("imported 3 items; 1 of them keeps the protection of here"), "\(told)")
    #expect(try require(to, "a") == ["userPresence"])
    let prompts = to.authenticator.prompts
    #expect(to.latchkey("get", "-s", "a", "-a", "me").output == "new")
    #expect(to.authenticator.prompts == prompts + 1, "the value is protected as the one before it was")
    #expect(to.latchkey("get", "-s", "b", "-a", "me").output == "new" && to.authenticator.prompts == prompts + 1)
  }

  @Test func `one item is asked for by its name, and the prompt says what the import does`() throws {
    let file = try archive("a", "b")
    let to = try daemon()
    add(to, "a", "userPresence")
    add(to, "b")
    #expect(try sealed(to, "import", file, "--replace").status == 0)
    #expect(to.authenticator.shown?.purpose == "change" && to.authenticator.shown?.service == "a")
    #expect(to.authenticator.shown?.reason == "import: change 2 items")
  }

  @Test func `the archive's protection is taken where that is asked for, and the prompt says of how many`() throws {
    let file = try archive("a", "b", "c", "d")
    let to = try daemon()
    for service in ["a", "b"] { add(to, service, "userPresence") }
    add(to, "c")
    let told = try json(sealed(to, "import", file, "--replace-protection", "--json").output)
    #expect(told["imported"] as? Int == 4 && told["protectionKept"] as? Int == 0)
    #expect(to.authenticator.prompts == 1)
    #expect(to.authenticator.shown?.reason == "import: change 3 items and the protection of 2")
    #expect(try require(to, "a") == [] && require(to, "b") == [])
    #expect(to.latchkey("get", "-s", "a", "-a", "me").output == "new" && to.authenticator.prompts == 1)
  }

  @Test func `without a proof nothing protected is changed, with either option`() throws {
    let file = try archive("a", "b")
    for option in ["--replace", "--replace-protection"] {
      let to = try daemon([.refuse(.userCancelled)])
      for service in ["a", "b"] { add(to, service, "userPresence") }
      #expect(try sealed(to, "import", file, option).status == 128)
      #expect(try require(to, "a") == ["userPresence"])
      to.authenticator.follow([.passcode("right")])
      #expect(to.latchkey("get", "-s", "a", "-a", "me").output == "old")
    }
  }

  @Test(arguments: [
    ("--replace", "import: add or change 2 items"),
    ("--replace-protection", "import: add or change 2 items and their protection"), ("", "import: add 2 items"),
  ]) func `the prompt that unlocks the keychain says what the import does`(option: String, reason: ExactText) throws {
    let file = try archive("a", "b")
    let to = try daemon()
    add(to, "a", option.isEmpty ? "" : "userPresence")
    #expect(to.latchkey("unlock").status == 0)
    #expect(to.latchkey("lock", "--all").status == 0)
    let before = to.authenticator.prompts
    let words = ["import", file] + (option.isEmpty ? [] : [option])
    let told = run(
      [BuiltPrograms.path(of: "latchkey")] + words + ["--passphrase-fd", "5"],
      environment: ["LATCHKEY_SOCKET": to.folder.path("socket")], descriptors: [try handed("open sesame", as: 5)])
    #expect(told.status == (option.isEmpty ? 45 : 0), "\(told)")
    #expect(to.authenticator.prompts - before == 1 && to.authenticator.shown?.reason == reason)
  }

  @Test func `items that only a finger opens are replaced, and exported, by one touch`() throws {
    let file = try archive("a", "b", "c")
    let to = try daemon([.finger(.enrolled)])
    to.authenticator.setReader(nil)
    for service in ["a", "b", "c"] { add(to, service, "biometryAny") }
    #expect(try json(sealed(to, "import", file, "--replace", "--json").output)["protectionKept"] as? Int == 3)
    #expect(to.authenticator.prompts == 1 && to.authenticator.requirement?.alternatives == [.biometry])
    #expect(to.authenticator.shown?.reason == "import: change 3 items")
    // Two searches: the classes differ.
    #expect(
      to.latchkey(
        "add", "-s", "d", "-a", "me", "--require", "biometryAny", "--accessible", "afterFirstUnlock", input: [1]
      )
      .status == 0)
    #expect(
      to.latchkey("add", "-s", "e", "-a", "me", "--accessible", "whenUnlockedThisDeviceOnly", input: [1]).status == 0)
    #expect(try json(sealed(to, "export", to.folder.path("all"), "--json").output)["exported"] as? Int == 4)
    #expect(to.authenticator.prompts == 2)
    #expect(to.authenticator.shown?.reason == "export: read 4 items")
  }

  @Test func `where some want a finger and others a passcode each is asked for once`() throws {
    let file = try archive("a", "b", "c", "d")
    let to = try daemon([.passcode("right"), .finger(.enrolled)])
    to.authenticator.setReader(nil)
    for service in ["a", "c"] { add(to, service, "biometryAny") }
    for service in ["b", "d"] { add(to, service, "devicePasscode") }
    #expect(try sealed(to, "import", file, "--replace").status == 0)
    #expect(to.authenticator.prompts == 2)
  }

  @Test func `what comes once is asked for without a count, by what each kind of item wants`() throws {
    let file = try archive("a", "b")
    let to = try daemon([.finger(.enrolled)])
    to.authenticator.setReader(nil)
    for service in ["a", "b"] { add(to, service, "biometryAny") }
    let bytes = try Files.readAll(file, limit: 100_000)
    let told = run(
      [BuiltPrograms.path(of: "latchkey"), "import", "-", "--replace", "--passphrase-fd", "5"], input: bytes,
      environment: ["LATCHKEY_SOCKET": to.folder.path("socket")], descriptors: [try handed("open sesame", as: 5)])
    #expect(told.status == 0 && told.complaint.contains("2 of them keep the protection"), "\(told)")
    #expect(to.authenticator.prompts == 1 && to.authenticator.shown?.reason == "import: change items")
  }
}
