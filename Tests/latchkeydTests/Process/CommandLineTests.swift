import KeychainModel
import Testing

@testable import latchkeyd

private func parse(_ line: String) throws(UsageFault) -> DaemonCommand {
  try DaemonCommandLine.parse(line.split(separator: " ").map { Array($0.utf8) })
}

private func options(_ line: String) throws -> DaemonOptions {
  guard case .run(let options) = try parse(line) else { throw UsageFault("no run") }
  return options
}

@Suite struct `The daemon's command line` {
  @Test func `names the mode and leaves the rest to the mode`() throws {
    #expect(try options("--user") == DaemonOptions(mode: .user))
    #expect(try options("--system") == DaemonOptions(mode: .system))
    #expect(try options("--user").idleSeconds == 600)
    #expect(try options("--user").stretching == .moderate)
  }

  @Test func `sets every place`() throws {
    let found = try options(
      "--socket /a/s --user --state /b/ --pam /c --policies /d --stretching interactive --ready-fd 3 --idle 7")
    var expected = DaemonOptions(mode: .user)
    expected.socket = "/a/s"
    expected.state = "/b"
    expected.pam = "/c"
    expected.policies = "/d"
    expected.stretching = .interactive
    expected.readyDescriptor = 3
    expected.idleSeconds = 7
    #expect(found == expected)
    let system = try options("--system --fingerprints /f/ --bus unix:path=/run/bus")
    #expect(system.fingerprints == "/f" && system.bus == "unix:path=/run/bus")
    #expect(try options("--user --pinentry /p").pinentry == "/p")
  }

  @Test func `asks for help and version whatever else stands there before`() throws {
    #expect(try parse("--help") == .help)
    #expect(try parse("--system --version") == .version)
  }

  @Test(arguments: [
    "", "--socket /a/s", "--user --system", "--user --user", "--user --socket", "--user --socket a/s",
    "--user --socket /", "--user --socket /a/../s", "--user --stretching hard", "--user --stretching",
    "--user --ready-fd 2", "--user --ready-fd 256", "--user --ready-fd x", "--user --idle 0", "--user --idle 86401",
    "--system --idle 5", "--user --state /a --state /b", "--user more",
    "--user --fingerprints /f", "--system --fingerprints f", "--user --bus", "--user --bus /run/bus",
    "--user --bus tcp:host=a", "--user --bus unix:path=a", "--users",
    "--user --pam ../x", "--user --pinentry pinentry",
  ])
  func `refuses what means nothing`(_ line: String) {
    #expect(throws: UsageFault.self) { try parse(line) }
  }

  @Test(arguments: ["--user --ready-fd 3", "--user --ready-fd 255", "--user --idle 1", "--user --idle 86400"])
  func `takes numbers up to their bounds`(_ line: String) throws { _ = try options(line) }

  @Test func `refuses what is not UTF-8 and a path that is too long`() {
    #expect(throws: UsageFault.self) { try DaemonCommandLine.parse([[0xFF]]) }
    let path = "/" + String(repeating: "a", count: 4094)
    #expect(throws: Never.self) { try options("--user --state \(path)") }
    #expect(throws: UsageFault.self) { try options("--user --state \(path)a") }
  }
}

@Suite struct `The daemon's places` {
  private let surroundings = PlaceSurroundings(
    executable: "/usr/libexec/latchkey/latchkeyd", home: "/home/a", runtimeFolder: "/run/user/7", dataFolder: nil)

  @Test func `of the system`() throws {
    let places = try DaemonPlaces(DaemonOptions(mode: .system), surroundings)
    #expect(places.socket == "/run/latchkey/socket")
    #expect(places.state == "/var/lib/latchkey")
    #expect(places.pamFolders == ["/etc/latchkey/pam.d", "/usr/share/latchkey/pam"])
    #expect(places.systemPolicies == "/etc/latchkey/policies.d")
    #expect(places.shippedPolicies == "/usr/share/latchkey/policies")
    #expect(places.helperProgram == "/usr/libexec/latchkey/latchkey-pam-helper")
    #expect(places.prompterProgram == "/usr/libexec/latchkey/latchkey-prompter")
    #expect(places.store(of: .init(uid: 9, name: "b")) == "/var/lib/latchkey/9")
  }

  @Test func `of a user`() throws {
    var around = surroundings
    let places = try DaemonPlaces(DaemonOptions(mode: .user), around)
    #expect(places.socket == "/run/user/7/latchkey/socket")
    #expect(places.state == "/home/a/.local/share/latchkey")
    #expect(places.store(of: .init(uid: 9, name: "b")) == places.state)
    around.dataFolder = "/data/"
    around.runtimeFolder = "relative"
    let others = try DaemonPlaces(DaemonOptions(mode: .user), around)
    #expect(others.state == "/data/latchkey")
    #expect(others.socket == "/home/a/.local/state/latchkey/run/socket")
  }

  @Test func `of the command line, which replaces all folders of PAM stacks by one`() throws {
    var options = DaemonOptions(mode: .user)
    options.pam = "/p"
    options.policies = "/q"
    let places = try DaemonPlaces(options, surroundings)
    #expect(places.pamFolders == ["/p"])
    #expect(places.systemPolicies == "/q")
    #expect(places.shippedPolicies == "/usr/share/latchkey/policies")
  }

  @Test func `of a user without a home are refused where one is needed`() throws {
    var around = surroundings
    around.home = nil
    #expect(throws: Refusal.self) { try DaemonPlaces(DaemonOptions(mode: .user), around) }
    around.home = "relative"
    #expect(throws: Refusal.self) { try DaemonPlaces(DaemonOptions(mode: .user), around) }
    around.dataFolder = "/data"
    #expect(throws: Never.self) { try DaemonPlaces(DaemonOptions(mode: .user), around) }
  }
}
