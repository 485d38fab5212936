import Foundation
import LinuxSystem
import TestSupport
import Testing

/// A program that is stopped while its prompt is up.
@Suite(.serialized, .enabled(if: isRoot, "makes accounts"))
struct ForegroundTests {
  @Test(arguments: Mode.allCases)
  func `the prompt of a program that is stopped ends, and the keys go to the shell alone`(mode: Mode) throws {
    let house = try Household(mode)
    house.add("guarded", Array("value".utf8))
    let person = try Person(owner: house.account.account)
    let shell = try house.commandLine.startShell(at: person)
    try person.see("$ ")
    try person.type("'\(house.commandLine.latchkey)' get -s guarded -a me; echo \"[$?]\"\n")
    try person.see("Passcode for")
    try person.type("half")
    // The shell reads from the moment it sees the program stopped: what the prompt has not taken by then is the shell's.
    #expect(try eventually { try isTaken(at: person) })
    kill(try client(at: person), SIGSTOP)
    try person.see("Stopped")
    // The daemon looks every 50 ms; until then the prompt has the terminal.
    #expect(eventually { house.commandLine.run("log", "--json").output.contains("noWayToPrompt") })
    try person.type("echo only-$((6 * 7))\n")
    try person.see("only-42")
    #expect(!person.screen.contains("half"))
    try person.type("fg\n")
    try person.see("the program runs in the background of its terminal")
    withExtendedLifetime(shell) {}
  }

  /// Whether nothing that was typed waits to be read, for a fifth of a second.
  private func isTaken(at person: Person) throws -> Bool {
    for _ in 0..<20 {
      if try Poll.wait([PollEntry(person.terminal)], timeoutMilliseconds: 0)[0].isReadable { return false }
      usleep(10_000)
    }
    return true
  }

  /// The `latchkey` that has the person's terminal.
  private func client(at person: Person) throws -> pid_t {
    let device = try Terminal.device(person.terminal)
    let all = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }
    return try #require(
      all.first { pid in
        guard let status = try? ProcessStatus.read(pid) else { return false }
        return status.name == "latchkey" && status.terminalDevice == device
      })
  }
}
