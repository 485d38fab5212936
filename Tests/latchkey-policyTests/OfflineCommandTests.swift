import Foundation
import Testing

@testable import latchkey_policy

/// The repository's policies.
let policies = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().appendingPathComponent("policies").path

/// A folder that is removed at the end.
final class ScratchFolder {
  let path: String

  init(_ files: [String: String], under parent: String = FileManager.default.temporaryDirectory.path) throws {
    path = "\(parent)/latchkey-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (name, text) in files { try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)")) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Runs a command that must not need the daemon.
func runOffline(_ words: [String]) -> (report: Report, ending: Ending) {
  Program.run(words) { _ in
    Issue.record("an offline command reached for the daemon")
    return FakeDaemon()
  }
}

func json(_ text: String) throws -> [String: Any] {
  try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
}

struct CheckCommandTests {
  @Test func `the shipped policies and their test are good`() throws {
    let (report, ending) = runOffline(["check", policies])
    #expect(ending == .good, "\(report.errors)")
    #expect(report.output == "5 files read, 0 faults\n")
  }

  @Test func `every fault of every file is told with its place`() throws {
    let folder = try ScratchFolder([
      "a.yaml": "service: a\ntries: 0\nremote: no\n", "b.yaml": "service: c\n", "c.test.yaml": "rows: []\n",
      "d.yaml": "service: d\n",
    ])
    let (report, ending) = runOffline(["check", folder.path])
    #expect(ending == .findings)
    let lines = report.errors.split(separator: "\n").map { $0.replacing(folder.path + "/", with: "") }
    #expect(lines.count == 4)
    #expect(lines[0].hasPrefix("a.yaml:2:8: 'tries' is '0'"))
    #expect(lines[1].hasPrefix("a.yaml:3:9: 'remote' is 'no'"))
    #expect(lines[2].hasPrefix("b.yaml:1:10: the file of 'c' is called 'c.yaml'"))
    #expect(lines[3].hasPrefix("c.test.yaml:1:7: 'rows' is empty"))
    #expect(report.output == "4 files read, 4 faults\n")
  }

  @Test func `a single file may have any name, and standard output stays free for JSON`() throws {
    let folder = try ScratchFolder(["mine": "service: a\n", "bad\"name.yaml": "service: a\ntries: \"\\t\"\n"])
    #expect(runOffline(["check", folder.path + "/mine"]).ending == .good)
    let (report, ending) = runOffline(["check", folder.path + "/bad\"name.yaml", "--json"])
    #expect(ending == .findings && report.errors.isEmpty)
    let answer = try json(report.output)
    #expect(answer["good"] as? Bool == false)
    let fault = try #require((answer["faults"] as? [[String: Any]])?.first)
    #expect(fault["file"] as? String == folder.path + "/bad\"name.yaml")
    #expect(fault["line"] as? Int == 2 && fault["column"] as? Int == 8)
  }

  @Test func `what is not there is a fault, not an empty success`() {
    let (report, ending) = runOffline(["check", "/nonexistent/x.yaml"])
    #expect(ending == .findings)
    #expect(report.errors == "/nonexistent/x.yaml:1:1: the file cannot be read: it is not there.\n")
  }

  private static let good = "auth required pam_unix.so\naccount required pam_unix.so\n"

  /// The faults of a folder of stacks that nobody but its owner could change.
  private func faults(_ stacks: ScratchFolder) -> [String] {
    let (report, _) = runOffline(["check", "--pam", stacks.path])
    // Whether the folder of temporary files may be written by all is no concern of these tests.
    return report.errors.split(separator: "\n").map(String.init).filter {
      $0.hasPrefix(stacks.path + "/") && !$0.contains(" /tmp can be written by others.")
    }
  }

  @Test func `a PAM stack that cannot fail is told with its line`() throws {
    let stacks = try ScratchFolder([
      "latchkey-passcode": Self.good, "latchkey-biometry": Self.good, "README.md": "text",
      "bad": "# comment\nauth sufficient pam_permit.so\naccount required pam_permit.so\n",
      "worse": "auth optional pam_unix.so\nauth required pam_exec.so /bin/true\naccount required pam_unix.so\n",
    ])
    let faults = faults(stacks)
    #expect(faults.count == 2, "\(faults)")
    #expect(faults.contains { $0.hasPrefix("\(stacks.path)/bad:2:1: ") })
    #expect(faults.contains { $0.hasPrefix("\(stacks.path)/worse:2:1: ") })
    let (report, ending) = runOffline(["check", "--pam", stacks.path])
    #expect(ending == .findings && report.output.hasPrefix("4 files read, "))
  }

  @Test func `what the daemon would refuse of a stack is told with what mends it`() throws {
    let stacks = try ScratchFolder([
      "latchkey-passcode": Self.good, "own": "auth required pam_no_such_module.so\n" + Self.good,
      "missing": "account required pam_oath.so\n" + Self.good,
      "passed-over": "auth optional pam_nowhere.so\n" + Self.good,
    ])
    chmod(stacks.path + "/own", 0o666)
    let faults = faults(stacks)
    #expect(
      faults.contains { $0.hasPrefix("\(stacks.path)/own:1:1: pam_no_such_module.so: the module is not installed") })
    #expect(faults.contains { $0.hasPrefix("\(stacks.path)/latchkey-biometry:1:1: ") && $0.hasSuffix("make install") })
    #expect(!faults.contains { $0.contains("passed-over:1:1: pam_nowhere") })
    if !FileManager.default.fileExists(atPath: "/usr/lib/x86_64-linux-gnu/security/pam_oath.so") {
      #expect(faults.contains { $0.hasSuffix("Run: apt-get install --reinstall libpam-oath") }, "\(faults)")
    }
  }

  @Test(.enabled(if: getuid() == 0)) func `a draft in somebody's home does not advise to give the home to root`() throws
  {
    let home = try ScratchFolder([:], under: "/var/lib")
    let drafts = home.path + "/drafts"
    mkdir(drafts, 0o755)
    for name in ["latchkey-passcode", "latchkey-biometry"] {
      try Data(Self.good.utf8).write(to: URL(fileURLWithPath: "\(drafts)/\(name)"))
    }
    chown(home.path, 7, 7)
    let errors = runOffline(["check", "--pam", drafts]).report.errors
    #expect(errors.contains("\(home.path) belongs to user 7."), "\(errors)")
    #expect(errors.contains("put them there when they are done") && !errors.contains("chown"), "\(errors)")
    chown(drafts, 7, 7)
    chown(home.path, 0, 0)
    let own = runOffline(["check", "--pam", drafts]).report.errors
    #expect(own.contains("Run: chown root:root \(drafts)"), "\(own)")
  }

  @Test(.enabled(if: getuid() == 0)) func `a folder, a file or a module that others may write is told once`() throws {
    let stacks = try ScratchFolder(
      ["latchkey-passcode": Self.good, "latchkey-biometry": Self.good], under: "/var/lib")
    func errors() -> [String] {
      runOffline(["check", "--pam", stacks.path]).report.errors.split(separator: "\n").map(String.init)
    }
    #expect(errors() == [])
    chmod(stacks.path, 0o777)
    #expect(errors().count == 1)
    #expect(
      errors()[0].hasSuffix("\(stacks.path) can be written by others. Run: chmod go-w \(stacks.path)"), "\(errors())")
    chmod(stacks.path, 0o755)
    chmod(stacks.path + "/latchkey-passcode", 0o646)
    #expect(errors().count == 1 && errors()[0].hasSuffix("Run: chmod go-w \(stacks.path)/latchkey-passcode"))
    let module = stacks.path + "/pam_own.so"
    try Data().write(to: URL(fileURLWithPath: module))
    chown(module, 7, 7)
    try Data("auth required \(module)\naccount required pam_unix.so\n".utf8)
      .write(to: URL(fileURLWithPath: stacks.path + "/latchkey-biometry"))
    chmod(stacks.path + "/latchkey-passcode", 0o644)
    #expect(errors().count == 1 && errors()[0].hasSuffix("Run: chown root:root \(module)"), "\(errors())")
  }
}

struct TestCommandTests {
  @Test func `every row of the shipped test passes`() throws {
    let (report, ending) = runOffline(["test", policies + "/examples.test.yaml"])
    #expect(ending == .good, "\(report.errors)")
    #expect(report.output == "19 passed, 0 failed\n")
  }

  @Test(arguments: [
    ("reuse: {window: 5m, scope: terminal}", "reuse: {window: 4m, scope: terminal}", "let through inside the window"),
    ("reuse: {window: 5m, scope: terminal}", "reuse: {window: 6m, scope: terminal}", "at the end of the window"),
    ("scope: terminal", "scope: session", "another terminal of the same session"),
    ("remote: passcode", "remote: any", "over ssh only the passcode counts"),
    ("require: [userPresence]", "require: []", "although the item itself wants nothing"),
  ])
  func `a changed policy fails the row that speaks of it`(old: String, new: String, row: String) throws {
    let folder = try ScratchFolder([:])
    for name in try FileManager.default.contentsOfDirectory(atPath: policies) {
      var text = try String(contentsOfFile: "\(policies)/\(name)", encoding: .utf8)
      if name == "com.example.mail.yaml" {
        #expect(text.contains(old))
        text = text.replacing(old, with: new)
      }
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder.path)/\(name)"))
    }
    let (report, ending) = runOffline(["test", folder.path + "/examples.test.yaml"])
    #expect(ending == .findings)
    #expect(report.errors.contains(row), "\(report.errors)")
  }

  @Test func `a failing row says what was expected, what came and what the rules said`() throws {
    let folder = try ScratchFolder([
      "a.yaml": "service: a\nremote: deny\n",
      "a.test.yaml": """
      system: [a.yaml]
      rows:
        - name: remote reads go on
          given: {service: a, origin: remote}
          expect: allow
      """,
    ])
    let (report, ending) = runOffline(["test", folder.path + "/a.test.yaml"])
    #expect(ending == .findings)
    let lines = report.errors.split(separator: "\n")
    #expect(lines[0].hasSuffix("a.test.yaml:3:5: remote reads go on: expected allow, got {deny: remoteDenied}."))
    #expect(lines.last == "  remote: the policy refuses remote sessions.")
    let answer = try json(runOffline(["test", folder.path + "/a.test.yaml", "--json"]).report.output)
    #expect(answer["failed"] as? Int == 1 && answer["passed"] as? Int == 0)
  }

  @Test func `a broken policy fails its rows closed, and a missing one fails the test`() throws {
    let folder = try ScratchFolder([
      "a.yaml": "service: a\ntries: 0\n",
      "a.test.yaml": "system: [a.yaml]\nrows: [{given: {service: a}, expect: {deny: policyInvalid}}]\n",
      "b.test.yaml": "system: [b.yaml]\nrows: [{given: {service: b}, expect: allow}]\n",
    ])
    #expect(runOffline(["test", folder.path + "/a.test.yaml"]).ending == .good)
    let (report, ending) = runOffline(["test", folder.path + "/b.test.yaml"])
    #expect(ending == .findings && report.errors.contains("b.yaml:1:1: the file cannot be read: it is not there."))
  }

  @Test func `layers meet in a test as they do in the daemon`() throws {
    let folder = try ScratchFolder([
      "a.yaml": "service: a\nmethods: [passcode]\n", "a.any.yaml": "service: a.*\n",
      "default.yaml": "service: \"*\"\nrequire: [userPresence]\n",
      "a.test.yaml": """
      system: [a.yaml]
      user: [default.yaml]
      rows:
        - {given: {service: a}, expect: {authenticate: [passcode]}}
        - {given: {service: b}, expect: {authenticate: [passcode, biometry]}}
        - given:
            service: a
            flags: [biometryAny, devicePasscode, or]
            evidence: [{method: passcode, from: elsewhere, since: 1s}]
          expect: {authenticate: [passcode]}
      """,
    ])
    let (report, ending) = runOffline(["test", folder.path + "/a.test.yaml"])
    #expect(ending == .good, "\(report.errors)")
  }
}
