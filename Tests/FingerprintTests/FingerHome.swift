import Foundation
import LinuxSystem
import TestSupport
import Testing

/// An account with a passcode and, where wanted, a finger, served by a daemon that asks a reader of its own.
final class FingerHome {
  let house: FingerprintHouse
  let account: TestAccount
  let daemon: SystemDaemon
  let commandLine: CommandLine
  let password = "right"
  /// What the daemon is told beside its places, from the next start on.
  var options: [String] = []

  /// The policy of every service here: no proof serves twice, and a session of unknown origin may use the finger.
  static func policy(_ more: String = "tries: 3\n") -> String { "remote: any\n" + strict + more }

  /// The same, but a session that is not known to be here has the passcode alone.
  static let strict = "service: com.example.*\nreuse: {window: 1s, scope: context}\n"

  /// The stack as it is shipped, with a shorter wait.
  static let stack = "auth required pam_fprintd.so max-tries=1 timeout=10\naccount required pam_unix.so\n"

  /// Moves in; `finger` is enrolled, and the keybag bound to the passcode.
  init(
    _ driver: FingerprintHouse.Driver = .device, finger: String? = "f1", policy: String = FingerHome.policy(),
    stack: String = FingerHome.stack
  ) throws {
    house = try FingerprintHouse(driver)
    account = TestAccount(password: password, home: .made)
    if let finger { try house.enrol(as: finger, for: account.name) }
    daemon = try SystemDaemon(policy: ["com.example.any": policy, "latchkey": "service: latchkey\nremote: any\n"])
    commandLine = daemon.commandLine(of: account)
    try daemon.write(stack, to: "pam/latchkey-biometry")
    try restart()
    try #require(commandLine.run("unlock", passcode: password).status == 0)
  }

  deinit { account.killEverything() }

  /// Starts the daemon anew, as after a crash.
  func restart() throws {
    daemon.crash()
    try daemon.start(house.daemonOptions + options)
  }

  /// Stores "secret" with these flags; all of several are needed unless they are joined otherwise.
  func add(_ name: String, _ flags: String, join: String = "and", accessible: String = "whenUnlocked") throws {
    let joined = ["--accessible", accessible] + (flags.contains(",") ? ["--join", join] : [])
    let result = commandLine.run(
      ["add", "-s", "com.example.\(name)", "-a", "me", "--require", flags] + joined, input: Array("secret".utf8))
    try #require(result.status == 0, "\(result.output)\(result.complaint)")
  }

  /// Begins to read an item at a terminal: at a new one where none is named.
  func get(_ name: String, at person: Person? = nil) throws -> Reading {
    try Reading(commandLine, name, account, at: person)
  }

  /// Begins to read an item at a terminal of another devpts.
  func get(_ name: String, at person: Person, of terminals: ForeignTerminals) throws -> SpawnedProcess {
    try commandLine.start("get", "-s", "com.example.\(name)", "-a", "me", at: person, of: terminals)
  }

  /// What `status` notes.
  var notes: String { commandLine.run("status").output }

  /// Copies a finger's template under the name of another: a finger that is enrolled while the reader is in use.
  func smuggleFinger() throws {
    let files = try #require(FileManager.default.enumerator(atPath: house.templates)?.allObjects as? [String])
    let one = try #require(files.first { $0.hasPrefix(account.name + "/") && $0.hasSuffix("/7") })
    try FileManager.default.copyItem(
      atPath: "\(house.templates)/\(one)", toPath: "\(house.templates)/\(one.dropLast())6")
  }

  /// Whether the reader wants a finger at this moment.
  var isAsked: Bool {
    house.call(
      "net.reactivated.Fprint", "/net/reactivated/Fprint/Device/0", "org.freedesktop.DBus.Properties.Get",
      "string:net.reactivated.Fprint.Device", "string:finger-needed"
    ).output.contains("true")
  }

  /// Has the client at a terminal do nothing any more, and ends its prompter: as a program of the same user's may.
  func silence(_ person: Person) throws {
    let device = try Terminal.device(person.terminal)
    let all = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }
    let found = all.compactMap { try? ProcessStatus.read($0) }
    let client = try #require(found.first { $0.name == "latchkey" && $0.terminalDevice == device })
    kill(client.pid, SIGSTOP)
    let prompters = found.filter { $0.name == "latchkey-prompt" && $0.parent == daemon.process?.pid }
    // The one that has this terminal open, whose number there is 5.
    let prompter = try #require(
      prompters.first { (try? Files.facts("/proc/\($0.pid)/fd/5"))?.specialDevice == device })
    kill(prompter.pid, SIGKILL)
  }

  /// Ends the helper that was started last, as a crash of its own would; answers how many were ended.
  func killNewestHelper() -> Int {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { pid_t($0) } ?? []
    let helpers = all.compactMap { try? ProcessStatus.read($0) }.filter { status in
      status.parent == daemon.process?.pid && status.name == "latchkey-pam-he"
    }
    guard let newest = helpers.max(by: { ($0.startTime, $0.pid) < ($1.startTime, $1.pid) }) else { return 0 }
    kill(newest.pid, SIGKILL)
    return 1
  }
}

/// `latchkey get` with a person at its terminal.
final class Reading {
  let person: Person
  let process: SpawnedProcess
  let before: TerminalSettings
  private let output: String

  init(_ commandLine: CommandLine, _ name: String, _ account: TestAccount, at place: Person? = nil) throws {
    person = try place ?? Person(owner: account.account)
    before = try person.settings
    output = "\(account.account.home)/value-\(UInt32.random(in: 0 ... .max))"
    process = try commandLine.start(
      "get", "-s", "com.example.\(name)", "-a", "me", "--json", at: person, output: output)
  }

  /// How it ended: "secret", or the reason why not.
  func end(within milliseconds: Int32 = 30_000) -> String {
    let status = process.status(within: milliseconds)
    person.readOn()
    let answer = JSONAnswer((try? String(contentsOfFile: output, encoding: .utf8)) ?? "")
    if status == 0, let value = answer["value"] as? String, let data = Data(base64Encoded: value) {
      return String(decoding: data, as: UTF8.self)
    }
    return answer["reason"] as? String ?? "status \(status), the screen shows \(person.screen.debugDescription)"
  }
}

/// What a person is told before the reader is started.
let touch = "Touch the fingerprint reader"
