import Foundation
import LinuxSystem
import Testing

import TestSupport

/// Who sits at the machine, by logind's word: only they are asked for a finger, and PAM is told where the others come from.
@Suite struct RemoteTests {
  private let home: FingerHome
  private let login: MockLogin

  init() throws {
    home = try FingerHome(policy: FingerHome.strict)
    login = try MockLogin(on: home.house)
    try home.add("presence", "userPresence")
    try home.add("any", "biometryAny")
  }

  private var mine: MockLogin.Session { MockLogin.Session(uid: home.account.uid, terminal: "pts/77") }

  @Test func `a session at this machine is asked for a finger, also where nothing else tells that it is here`() throws {
    defer { login.stop() }
    login.setSession(mine)
    for name in ["presence", "any"] {
      let reading = try home.get(name)
      try reading.person.see(touch)
      try home.house.scan("f1")
      #expect(reading.end() == "secret")
    }
    #expect(login.failure == nil)
  }

  @Test func `a remote session is asked for the passcode first and for no finger, with the reason`() throws {
    defer { login.stop() }
    login.setSession(
      MockLogin.Session(uid: home.account.uid, isRemote: true, host: "client.example", terminal: "pts/77"))
    try passcodeAlone("remoteMethodDenied")
  }

  @Test func `a session of another user's makes nobody local, and a remote one of another user's is remote`() throws {
    defer { login.stop() }
    login.setSession(MockLogin.Session(uid: home.account.uid + 1))
    try passcodeAlone("remoteMethodDenied")
    // A policy that lets unknown sessions use the finger lets no remote one do so.
    try home.daemon.write(FingerHome.policy(), to: "policies/com.example.any.yaml")
    login.setSession(MockLogin.Session(uid: 0, isRemote: true))
    #expect(eventually { (try? home.get("any").end()) == "biometryRemote" })
    #expect(!home.isAsked)
    login.setSession(MockLogin.Session(uid: home.account.uid + 1))
    let reading = try home.get("any")
    try home.house.scan("f1")
    #expect(reading.end() == "secret")
  }

  @Test func `without a session or without logind the passcode is all that is asked for`() throws {
    login.setSession(nil)
    try passcodeAlone("remoteMethodDenied")
    login.stop()
    #expect(eventually { !home.house.hasName("org.freedesktop.login1") })
    try passcodeAlone("remoteMethodDenied")
  }

  @Test func `PAM is told the terminal, and the host of a remote session and of no other`() throws {
    defer { login.stop() }
    let told = try noteItems()
    login.setSession(
      MockLogin.Session(uid: home.account.uid, isRemote: true, host: "client.example", terminal: "pts/77"))
    let reading = try home.get("presence")
    try reading.person.see("Passcode for")
    try reading.person.type("right\n")
    #expect(reading.end() == "secret")
    #expect(told() == "tty=\(reading.person.path) rhost=client.example")
    // A passcode that is handed in comes with no terminal: the session's own is told.
    #expect(home.commandLine.run("get", "-s", "com.example.presence", "-a", "me", passcode: "right").status == 0)
    #expect(told() == "tty=/dev/pts/77 rhost=client.example")
    login.setSession(mine)
    #expect(home.commandLine.run("get", "-s", "com.example.presence", "-a", "me", passcode: "right").status == 0)
    #expect(told() == "tty=/dev/pts/77 rhost=")
    login.setSession(nil)
    #expect(home.commandLine.run("get", "-s", "com.example.presence", "-a", "me", passcode: "right").status == 0)
    #expect(told() == "tty= rhost=")
  }

  @Test func `a host that could forge a line of a log is told to nobody`() throws {
    defer { login.stop() }
    let told = try noteItems()
    for host in ["a b", "client\nroot logged in", String(repeating: "h", count: 252), "\u{1B}[2J"] {
      login.setSession(MockLogin.Session(uid: home.account.uid, isRemote: true, host: host))
      #expect(home.commandLine.run("get", "-s", "com.example.presence", "-a", "me", passcode: "right").status == 0)
      #expect(told() == "tty= rhost=")
    }
    login.setSession(
      MockLogin.Session(uid: home.account.uid, isRemote: true, host: String(repeating: "h", count: 251)))
    #expect(home.commandLine.run("get", "-s", "com.example.presence", "-a", "me", passcode: "right").status == 0)
    #expect(told() == "tty= rhost=" + String(repeating: "h", count: 251))
  }

  @Test func `a logind that hangs holds a prompt up for less than a second, and counts as none`() throws {
    login.setSession(mine)
    login.hang()
    defer { login.stop() }
    let time = try quickest(below: 1000) {
      let reading = try home.get("presence")
      let time = try milliseconds { try reading.person.see("Passcode for") }
      #expect(!reading.person.screen.contains(touch))
      try reading.person.type("\u{3}")
      _ = reading.end()
      return time
    }
    #expect(time < 1000)
  }

  /// The passcode is asked for, no finger is, and an item for fingers is refused.
  private func passcodeAlone(_ reason: String) throws {
    let presence = try home.get("presence")
    try presence.person.see("Passcode for")
    #expect(!presence.person.screen.contains(touch))
    #expect(!home.isAsked)
    try presence.person.type("right\n")
    #expect(presence.end() == "secret")
    let any = try home.get("any")
    #expect(any.end() == reason)
    #expect(!any.person.screen.contains(touch))
  }

  /// Has the passcode's stack write down what PAM knows; answers what it wrote last.
  private func noteItems() throws -> () -> String {
    let folder = home.daemon.folder
    let script = "#!/bin/sh\necho \"tty=$PAM_TTY rhost=$PAM_RHOST\" >\(folder)/told\n"
    try home.daemon.write(script, to: "note")
    chmod("\(folder)/note", 0o755)
    try home.daemon.write(
      "auth required pam_unix.so nodelay\nauth optional pam_exec.so quiet \(folder)/note\naccount required pam_unix.so\n",
      to: "pam/latchkey-passcode")
    return {
      let text = (try? String(contentsOfFile: "\(folder)/told", encoding: .utf8)) ?? ""
      return text.trimmingCharacters(in: .newlines)
    }
  }
}
