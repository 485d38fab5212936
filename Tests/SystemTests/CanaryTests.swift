import Foundation
import LinuxSystem
import TestSupport
import Testing

/// Secrets are looked for wherever they must not be.
@Suite(.serialized, .enabled(if: isRoot, "makes accounts"))
struct CanaryTests {
  /// The files under these folders that hold any of the words.
  static func finds(_ words: [String], in folders: [String]) -> [String] {
    let patterns = words.flatMap { ["-e", $0] }
    return folders.filter { FileManager.default.fileExists(atPath: $0) }.flatMap { folder in
      TestSupport.run(["grep", "-raslF", "--exclude-dir=.build"] + patterns + [folder], timeout: 120).output
        .split(separator: "\n").map(String.init)
    }
  }

  /// The processes whose arguments or environment hold any of the words.
  static func processes(holding words: [String]) -> [String] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.filter { Int($0) != nil } ?? []
    return all.flatMap { process in
      ["cmdline", "environ"].compactMap { file -> String? in
        guard let data = FileManager.default.contents(atPath: "/proc/\(process)/\(file)") else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        return words.contains(where: text.contains) ? "\(process)/\(file)" : nil
      }
    }
  }

  @Test(arguments: Mode.allCases)
  func `neither a value nor the passcode is in a file, an argument list or an environment`(mode: Mode) throws {
    let house = try Household(mode)
    let canary = "canary\(UInt64.random(in: 0 ... .max))"
    let home = house.account.account.home
    house.add(
      "mail", Array(canary.utf8))
    house.add("plain", Array(canary.utf8), require: nil)
    let person = try Person(owner: house.account.account)
    let process = try house.commandLine.start(
      "get", "-s", "mail", "-a", "me", at: person, output: "/dev/null")
    try person.see("Passcode for")
    try person.type(house.password)
    #expect(Self.processes(holding: [canary, house.password]).isEmpty)
    try person.type("\n")
    #expect(process.status() == 0)
    #expect(house.commandLine.run("get", "-s", "mail", "-a", "me", passcode: "wrong").status == 51)
    #expect(house.commandLine.run("get", "-s", "plain", "-a", "me").output == canary)
    #expect(Self.processes(holding: [canary, house.password]).isEmpty)
    let folders = [home, "/run", "/var/log", house.state].compactMap { $0 } + Self.scratch
    #expect(Self.finds([canary, house.password], in: folders).isEmpty)
    // So that the search can fail: a file that holds it is found.
    let bait = home + "/bait"
    try "see \(canary)".write(toFile: bait, atomically: true, encoding: .utf8)
    #expect(Self.finds([canary], in: [home]) == [bait])
  }

  /// What is ours under /tmp and /var/lib.
  static var scratch: [String] {
    ["/tmp", "/var/tmp", "/var/lib"].flatMap { folder in
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
        $0.contains("latchkey") && !$0.contains("installed")
      }
      .map { "\(folder)/\($0)" }
    }
  }

  @Test func `no canary of a label, an account or a service is readable in the store's files`() throws {
    let account = TestAccount(password: "right horse", home: .made)
    let daemon = try SystemDaemon()
    let line = daemon.commandLine(of: account)
    let words = ["service", "account", "label", "comment"].map { "\($0)canary\(UInt64.random(in: 0 ... .max))" }
    let added = line.run(
      ["add", "-s", words[0], "-a", words[1], "-l", words[2], "--require", "userPresence"], input: Array("v".utf8))
    #expect(added.status == 0, "\(added.complaint)")
    #expect(line.run("get", "-s", words[0], "-a", words[1], passcode: "right horse").output == "v")
    // The log names services, as documented; the store names nothing.
    let found = Self.finds(words, in: [daemon.state]).filter { !$0.contains("decision") && !$0.hasSuffix(".log") }
    #expect(found.isEmpty)
  }
}
