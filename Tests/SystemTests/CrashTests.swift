import Foundation
import LinuxSystem
import Synchronization
import TestSupport
import Testing

/// A daemon that dies at any moment: what was acknowledged is there, and nothing is left lying about.
@Suite(.serialized, .enabled(if: isRoot, "makes accounts"))
struct CrashTests {
  /// Everything in a folder, by path.
  static func files(in folder: String) -> Set<String> {
    let all = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return Set(all)
  }

  @Test func `every acknowledged write is there after twenty crashes in a loop of writes`() throws {
    let account = TestAccount(password: "right horse", home: .made)
    let daemon = try SystemDaemon()
    let line = daemon.commandLine(of: account)
    var acknowledged: [Int] = []
    for round in 0..<20 {
      let killer = Thread { [process = daemon.process] in
        usleep(useconds_t(100_000 + (round * 79_190) % 300_000))
        try? process?.kill(9)
      }
      killer.start()
      for number in 0..<30 {
        let name = round * 100 + number
        let added = line.run(["set", "-s", "loop", "-a", "\(name)"], input: Array("value \(name)".utf8))
        guard added.status == 0 else { break }
        acknowledged.append(name)
      }
      daemon.crash()
      try daemon.start()
    }
    #expect(acknowledged.count >= 20, "the loop wrote something")
    for name in acknowledged {
      #expect(line.run("get", "-s", "loop", "-a", "\(name)").output == "value \(name)")
    }
    let left = Self.files(in: daemon.state).filter { $0.contains("tmp") || $0.contains("-journal") }
    #expect(left.isEmpty)
  }

  @Test func `a crash while the keybag is bound leaves it bound or unbound, and every item opens`() throws {
    let account = TestAccount(password: "right horse", home: .made)
    for round in 0..<12 {
      let daemon = try SystemDaemon()
      let line = daemon.commandLine(of: account)
      for number in 0..<40 {
        line.run(["add", "-s", "bind", "-a", "\(number)"], input: Array("value \(number)".utf8))
      }
      #expect(
        line.run(["add", "-s", "bind", "-a", "p", "--require", "userPresence"], input: Array("secret".utf8)).status == 0
      )
      let killer = Thread { [process = daemon.process] in
        usleep(useconds_t(30_000 + round * 15_000))
        try? process?.kill(9)
      }
      killer.start()
      let first = line.run("get", "-s", "bind", "-a", "p", passcode: "right horse")
      if first.status == 0 { #expect(first.output == "secret") }
      daemon.crash()
      try daemon.start()
      let read = line.run("get", "-s", "bind", "-a", "p", passcode: "right horse")
      #expect(read.output == "secret", "round \(round): \(read.complaint)")
      for number in stride(from: 0, to: 40, by: 13) {
        #expect(line.run("get", "-s", "bind", "-a", "\(number)").output == "value \(number)")
      }
      #expect(Self.files(in: daemon.state).filter { $0.contains("tmp") || $0.contains("-journal") }.isEmpty)
    }
  }

  @Test func `the client's death at the prompt ends prompter and helper within a second and gives the terminal back`()
    throws
  {
    let house = try Household(.system)
    house.add("mail", Array("value".utf8))
    let person = try Person(owner: house.account.account)
    let before = try person.settings
    let process = try house.commandLine.start("get", "-s", "mail", "-a", "me", at: person)
    try person.see("Passcode for")
    try person.type("half")
    let clients = house.account.processes.filter { name(of: $0) == "latchkey" }
    #expect(!clients.isEmpty)
    for client in clients { kill(client, SIGKILL) }
    let end = Date().addingTimeInterval(1)
    while Date() < end, !house.account.processes.filter({ name(of: $0).hasPrefix("latchkey-") }).isEmpty {
      usleep(5000)
    }
    #expect(house.account.processes.filter { name(of: $0).hasPrefix("latchkey-") }.isEmpty)
    process.killAndWait()
    #expect(try person.settings == before)
    #expect(try person.nextLine(typing: "next\n") == "next\n", "half-typed bytes reached the next program")
  }

  private func name(of process: pid_t) -> String {
    ((try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)) ?? "").trimmingCharacters(in: .newlines)
  }
}
