import Foundation
import KeychainModel
import PolicyFiles
import Synchronization
import Testing

@testable import latchkey_policy

/// A daemon that answers from a table and remembers what it was asked.
final class FakeDaemon: PolicyDaemon {
  let layers: [PolicyLayer]
  let refusal: Refusal?
  let removed: UInt32
  let asked = Mutex<[PolicyRequest]>([])

  init(_ layers: [PolicyLayer] = [], refusal: Refusal? = nil, removed: UInt32 = 1) {
    self.layers = layers
    self.refusal = refusal
    self.removed = removed
  }

  func answer(_ request: PolicyRequest) throws(Refusal) -> KeychainReply {
    asked.withLock { $0.append(request) }
    if let refusal { throw refusal }
    switch request {
    case .list: return .policy(PolicyReply(layers: layers, effective: ""))
    case .explain: return .policy(PolicyReply(layers: layers, effective: "service: \"a\"\ntries: 3\n"))
    case .apply: return .done(count: 1)
    case .remove: return .done(count: removed)
    }
  }
}

private func layer(_ origin: String, _ service: String, _ body: String) -> PolicyLayer {
  PolicyLayer(origin: origin, service: service, file: "", text: "service: \"\(service)\"\n\(body)\n")
}

struct OnlineCommandTests {
  private func run(_ words: [String], _ daemon: FakeDaemon) -> (report: Report, ending: Ending) {
    Program.run(words) { _ in daemon }
  }

  @Test func `explain shows what is in force and who had a say`() throws {
    let daemon = FakeDaemon([
      PolicyLayer(origin: "system", service: "a", file: "a.yaml", text: "service: a\ntries: 3\n")
    ])
    let (report, ending) = run(["explain", "a"], daemon)
    #expect(ending == .good)
    #expect(
      report.output == """
        # in force for this service:
        service: "a"
        tries: 3

        # system: a (a.yaml)
        service: a
        tries: 3

        """)
    #expect(daemon.asked.withLock { $0 } == [.explain(service: "a")])
    let answer = try json(run(["explain", "a", "--json"], daemon).report.output)
    #expect(answer["effective"] as? String == "service: \"a\"\ntries: 3\n")
    #expect((answer["layers"] as? [[String: Any]])?.first?["origin"] as? String == "system")
  }

  @Test func `list says of a broken file that it is not in force, and why`() {
    let broken = PolicyLayer(
      origin: "system", service: "", file: "/etc/latchkey/policies/a.yml",
      text: "\(PolicyLayer.faultMark)line 1, column 1: its name is not that of a policy\n")
    let (report, ending) = run(["list"], FakeDaemon([broken, layer("user", "com.*", "")]))
    #expect(ending == .good)
    #expect(
      report.output == """
        system:  (/etc/latchkey/policies/a.yml)
          not in force: line 1, column 1: its name is not that of a policy
        user: com.*

        """)
  }

  @Test func `list names every policy`() {
    let (report, ending) = run(["list"], FakeDaemon([layer("system", "a", ""), layer("user", "com.*", "")]))
    #expect(ending == .good && report.output == "system: a\nuser: com.*\n")
  }

  @Test func `apply sends the text as it is written`() throws {
    let text = "# why\nservice: a\ntries: 2\n"
    let folder = try ScratchFolder(["a.yaml": text])
    let daemon = FakeDaemon()
    let (report, ending) = run(["apply", folder.path + "/a.yaml"], daemon)
    #expect(ending == .good && report.output == "in force: a\n")
    #expect(daemon.asked.withLock { $0 } == [.apply(text: ExactText(text))])
  }

  @Test(arguments: ["apply", "diff"]) func `a file with a fault never reaches the daemon`(verb: String) throws {
    let folder = try ScratchFolder(["a.yaml": "service: a\ntries: 0\n"])
    let daemon = FakeDaemon()
    let (report, ending) = run([verb, folder.path + "/a.yaml"], daemon)
    #expect(ending == .findings && report.errors.hasPrefix(folder.path + "/a.yaml:2:8: 'tries' is '0'"))
    #expect(daemon.asked.withLock { $0 }.isEmpty)
  }

  @Test func `remove says whether there was one`() {
    #expect(run(["remove", "a"], FakeDaemon()).report.output == "removed: a\n")
    #expect(run(["remove", "a"], FakeDaemon(removed: 0)).report.output == "there was none\n")
  }

  @Test func `a policy that is not there leads to those that are, and its name moves no cursor`() {
    let daemon = FakeDaemon(refusal: Refusal(.itemNotFound, detail: "no policy of your own for \u{1B}[2J"))
    #expect(
      run(["remove", "\u{1B}[2J"], daemon).report.errors == """
        latchkey-policy: no item matches (no policy of your own for \\u{1B}[2J). 'latchkey policy list' names what there is.

        """)
  }

  @Test(arguments: [["list"], ["explain", "a"], ["remove", "a"]])
  func `a refusal ends with 1, its reason and the next step`(words: [String]) throws {
    let daemon = FakeDaemon(refusal: Refusal(.policyLooser, detail: "tries"))
    let (report, ending) = run(words, daemon)
    #expect(ending == .findings && report.output.isEmpty)
    #expect(report.errors.contains(Reason.policyLooser.explanation.dropLast()) && report.errors.contains("(tries)"))
    #expect(report.errors.hasSuffix(Reason.policyLooser.nextStep + "\n"))
    let answer = try json(run(words + ["--json"], daemon).report.output)
    #expect(answer["reason"] as? String == "policyLooser" && answer["good"] as? Bool == false)
  }

  @Test func `diff shows the user's own policy and what is in force, before and after`() throws {
    let folder = try ScratchFolder(["a.yaml": "service: a\ntries: 7\nremote: deny\n"])
    let daemon = FakeDaemon([layer("system", "a", "tries: 5"), layer("user", "a", "tries: 2")])
    let (report, ending) = run(["diff", folder.path + "/a.yaml"], daemon)
    #expect(ending == .findings)
    #expect(
      report.output == """
        # your own policy for a
        - tries: 2
        + tries: 7
        + remote: deny
        # in force
        - tries: 2
        - remote: passcode
        + tries: 5
        + remote: deny
        # looser than what is in force: applying it asks for a proof

        """)
  }

  @Test func `diff of what is in force already ends with 0`() throws {
    let folder = try ScratchFolder(["a.yaml": "service: com.*\ntries: 2\n"])
    let (report, ending) = run(["diff", folder.path + "/a.yaml"], FakeDaemon([layer("user", "com.*", "tries: 2")]))
    #expect(ending == .good)
    #expect(report.output == "# your own policy for com.*\n# in force\n")
  }

  @Test(arguments: [("tries: 2", false), ("tries: 3", false), ("tries: 4", true), ("reuse: {scope: session}", true)])
  func `diff tells a looser policy from a stricter one`(body: String, isLooser: Bool) throws {
    let folder = try ScratchFolder(["a.yaml": "service: \"*\"\n\(body)\n"])
    let (report, _) = run(["diff", folder.path + "/a.yaml", "--json"], FakeDaemon())
    #expect(try json(report.output)["looser"] as? Bool == isLooser)
  }

  @Test func `diff tells what is looser only behind a file of the administrator`() throws {
    let folder = try ScratchFolder(["a.yaml": "service: a\ntries: 3\n"])
    let daemon = FakeDaemon([layer("system", "a", "tries: 1"), layer("user", "a", "tries: 2")])
    let (report, _) = run(["diff", folder.path + "/a.yaml"], daemon)
    #expect(report.output.hasSuffix("# looser than what a system file hides now: applying it asks for a proof\n"))
    let answer = try json(run(["diff", folder.path + "/a.yaml", "--json"], daemon).report.output)
    #expect(answer["looser"] as? Bool == true)
  }

  @Test func `diff fails closed where a policy in force is broken`() throws {
    let folder = try ScratchFolder(["a.yaml": "service: a\n"])
    let (report, ending) = run(["diff", folder.path + "/a.yaml"], FakeDaemon([layer("system", "a", "tries: 0")]))
    #expect(ending == .findings && report.errors.contains(Reason.policyInvalid.explanation.dropLast()))
  }
}
