import Foundation
import KeychainModel
import LinuxSystem
import TestSupport
import Testing

@testable import latchkey

@Suite struct RoundTripTests {
  @Test(arguments: [0, 1, 511, 512, 513, 4095, 4096, 4097, 65_537, 1_048_576])
  func `a value comes back byte for byte`(count: Int) throws {
    let daemon = try MemoryDaemon()
    let value = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    #expect(daemon.latchkey("add", "-s", "a", "-a", "b", input: value).status == 0)
    let got = daemon.latchkey("get", "-s", "a", "-a", "b")
    #expect(got.status == 0 && got.bytes == value)
    let object = try json(daemon.latchkey("get", "-s", "a", "-a", "b", "--json").output)
    #expect(object["value"] as? String == Data(value).base64EncodedString())
  }

  @Test func `a value of one byte too many is refused before anything is sent`() throws {
    let daemon = try MemoryDaemon()
    let result = daemon.latchkey("add", "-s", "a", "-a", "b", input: [UInt8](repeating: 7, count: 1_048_577))
    #expect(result.status == 42 && daemon.requests.isEmpty)
  }

  @Test func `set keeps the flags of an item unless others are given`() throws {
    let daemon = try MemoryDaemon()
    #expect(daemon.latchkey("add", "-s", "a", "-a", "b", "--require", "userPresence", input: [1]).status == 0)
    #expect(daemon.latchkey("add", "-s", "a", "-a", "b", input: [2]).status == 45)
    #expect(daemon.latchkey("set", "-s", "a", "-a", "b", input: [2]).status == 0)
    #expect(daemon.authenticator.prompts == 1)
    let shown = try json(daemon.latchkey("show", "-s", "a", "-a", "b", "--json").output)
    #expect(shown["require"] as? [String] == ["userPresence"])
    #expect(daemon.latchkey("set", "-s", "a", "-a", "b", "--accessible", "whenUnlocked", input: [3]).status == 0)
    let changed = try json(daemon.latchkey("show", "-s", "a", "-a", "b", "--json").output)
    #expect(changed["require"] as? [String] == [])
    #expect(daemon.latchkey("get", "-s", "a", "-a", "b").bytes == [3])
  }

  @Test func `only a read asks for a proof`() throws {
    let daemon = try MemoryDaemon()
    #expect(daemon.latchkey("add", "-s", "a", "-a", "b", "--require", "userPresence", input: [1]).status == 0)
    for words in [["list"], ["show", "-s", "a", "-a", "b"], ["status"]] {
      for more in [[], ["--no-prompt"], ["--json"]] {
        let result = run(
          [BuiltPrograms.path(of: "latchkey")] + words + more,
          environment: ["LATCHKEY_SOCKET": daemon.folder.path("socket")])
        #expect(result.status == 0, "\(words + more): \(result.complaint)")
      }
    }
    #expect(daemon.latchkey("get", "-s", "a", "-a", "b", "--no-prompt").status == 36)
    #expect(daemon.authenticator.prompts == 0)
    #expect(daemon.latchkey("get", "-s", "a", "-a", "b").bytes == [1])
    #expect(daemon.authenticator.prompts == 1)
    #expect(daemon.latchkey("delete", "-s", "a", "-a", "b", "--no-prompt").status == 0)
    #expect(daemon.latchkey("get", "-s", "a", "-a", "b").status == 44)
    #expect(daemon.authenticator.prompts == 1)
  }

  @Test func `an item goes only with the value that is named`() throws {
    let daemon = try MemoryDaemon()
    #expect(daemon.latchkey("add", "-s", "a", "-a", "b", input: [1]).status == 0)
    #expect(daemon.latchkey("delete", "-s", "a", "-a", "b", "--only-if-value", input: [2]).status == 44)
    #expect(daemon.latchkey("get", "-s", "a", "-a", "b").bytes == [1])
    #expect(daemon.latchkey("delete", "-s", "a", "-a", "b", "--only-if-value", input: [1]).status == 0)
  }

  @Test func `an application password is handed in for the item that wants one`() throws {
    let daemon = try MemoryDaemon()
    let words = ["-s", "a", "-a", "b", "--application-password-fd", "5"]
    func latchkey(_ verb: [String], _ password: String?) throws -> CommandResult {
      run(
        [BuiltPrograms.path(of: "latchkey")] + verb + (password == nil ? Array(words.prefix(4)) : words), input: [9],
        environment: ["LATCHKEY_SOCKET": daemon.folder.path("socket")],
        descriptors: try password.map { [try handed($0, as: 5)] } ?? [])
    }
    #expect(try latchkey(["add", "--require", "applicationPassword"], "one\n").status == 0)
    #expect(try latchkey(["get"], "one").bytes == [9])
    #expect(try latchkey(["get"], "two").status == 51)
    #expect(try latchkey(["get", "--no-prompt"], nil).status == 51)
    #expect(try latchkey(["add", "--require", "applicationPassword"], "\n").status == 206)
  }

  @Test(arguments: [">&-", ">&- 2>&-", "<&- >&-", "<&- >&- 2>&-"])
  func `a value for a closed standard output goes nowhere and is no success`(closed: String) throws {
    let daemon = try MemoryDaemon()
    let environment = ["LATCHKEY_SOCKET": daemon.folder.path("socket")]
    let latchkey = BuiltPrograms.path(of: "latchkey")
    let add = "printf secret | \(latchkey) add -s mail -a ada"
    #expect(run(["sh", "-c", add], environment: environment).status == 0)
    let get = run(["sh", "-c", "\(latchkey) get -s mail -a ada \(closed)"], environment: environment)
    #expect(get.status != 0 && get.bytes.isEmpty)
  }

  @Test func `names that are not UTF-8 stay exact`() throws {
    let daemon = try MemoryDaemon()
    // A shell passes bytes that a String cannot hold.
    let script = "n=$(printf 'a\\377\\033b'); \(BuiltPrograms.path(of: "latchkey")) \"$1\" -s \"$n\" -a \"$n\""
    func shell(_ verb: String, _ input: [UInt8] = []) -> CommandResult {
      run(
        ["sh", "-c", script, "sh", verb], input: input, environment: ["LATCHKEY_SOCKET": daemon.folder.path("socket")])
    }
    #expect(shell("add", [5]).status == 0)
    #expect(shell("get").bytes == [5])
    let listed = try json(String(daemon.latchkey("list", "--json").output.split(separator: "\n")[0]))
    #expect(listed["service"] as? [String: String] == ["hex": "61ff1b62"])
    #expect(daemon.latchkey("list").output.contains("a\\xFF\\u{1B}b"))
  }

  @Test func `what is locked is counted alike for people and for programs`() throws {
    let daemon = try MemoryDaemon()
    for service in ["a", "b"] { #expect(daemon.latchkey("add", "-s", service, "-a", "b", input: [1]).status == 0) }
    #expect(daemon.latchkey("unlock").status == 0)
    #expect(daemon.latchkey("lock", "--all").status == 0)
    #expect(daemon.latchkey("list").complaint.contains("hidden while locked: 2 items."))
    let last = try json(daemon.latchkey("list", "--json").output)
    #expect(last["hidden"] as? Int == 2 && last["count"] as? Int == 0)
    #expect(last["reason"] as? String == "beforeFirstUnlock")
  }

  @Test func `a socket that is no absolute path is told with what to set instead`() {
    let result = run([BuiltPrograms.path(of: "latchkey"), "status"], environment: ["LATCHKEY_SOCKET": "foo"])
    #expect(result.complaint.contains("Set LATCHKEY_SOCKET to a path that begins with '/'"), "\(result.complaint)")
  }

  @Test func `a list of many pages is whole and in its columns`() throws {
    let daemon = try MemoryDaemon()
    #expect(daemon.latchkey("list").output.isEmpty)
    for number in 0..<300 {
      #expect(daemon.latchkey("add", "-s", "service", "-a", "account\(number)", input: [1]).status == 0)
    }
    let lines = daemon.latchkey("list").output.split(separator: "\n")
    #expect(lines.count == 301 && lines[0].hasPrefix("SERVICE") && lines[300].contains("account299"))
    let objects = daemon.latchkey("list", "--json", "-s", "service").output.split(separator: "\n")
    #expect(objects.count == 301)
    #expect(try json(String(objects[300]))["count"] as? Int == 300)
  }
}
