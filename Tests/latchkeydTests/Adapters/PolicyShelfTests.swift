import AccessPolicy
import Foundation
import KeychainModel
import KeychainService
import SecretMemory
import Testing

@testable import latchkeyd

@Suite struct PolicyShelfTests {
  private func shelf(_ folder: ScratchFolder) throws -> PolicyShelf {
    PolicyShelf(store: try folder.store(), places: folder.places)
  }

  private func peer(_ path: String?) -> PeerFacts {
    var facts = stat()
    let identity = path.flatMap {
      stat($0, &facts) == 0
        ? ExecutableIdentity(device: UInt64(facts.st_dev), inode: UInt64(facts.st_ino), displayPath: "/faked") : nil
    }
    return PeerFacts(uid: 1000, process: ProcessIdentity(pid: 1, startTime: 1), executable: identity, origin: .local)
  }

  @Test func `the layers meet, and the digest is of what is in force`() throws {
    let folder = ScratchFolder()
    _ = folder.places
    folder.write("service: mail\ntries: 2\n", to: "system/mail.yaml")
    folder.write("service: \"*\"\ndeadline: 30s\n", to: "shipped/default.yaml")
    let shelf = try shelf(folder)
    let mail = try shelf.effective(for: "mail")
    #expect(mail.policy.tries == 2 && mail.policy.deadlineSeconds == 30)
    #expect(mail.digest.bytes == Digest.sha256(mail.policy.canonicalBytes))
    #expect(try shelf.effective(for: "other").policy.tries == 3)
    try shelf.put(shelf.examine("service: mail\ntries: 1\n"))
    let stricter = try shelf.effective(for: "mail")
    #expect(stricter.policy.tries == 1 && stricter.policy.deadlineSeconds == 30)
    #expect(stricter.digest != mail.digest)
  }

  @Test func `a changed, new or removed file is in force within a second`() throws {
    let folder = ScratchFolder()
    _ = folder.places
    folder.write("service: mail\ntries: 2\n", to: "system/mail.yaml")
    let shelf = try shelf(folder)
    func tries(_ service: ExactText) -> UInt8? { try? shelf.effective(for: service).policy.tries }
    #expect(tries("mail") == 2)
    // The same length, in place, within the same tick: only the contents differ.
    folder.write("service: mail\ntries: 1\n", to: "system/mail.yaml")
    #expect(becomesTrue(within: 1.5) { tries("mail") == 1 })
    folder.write("service: bank\ntries: 1\n", to: "system/bank.yaml")
    #expect(becomesTrue(within: 1.5) { tries("bank") == 1 })
    unlink(folder("system/bank.yaml"))
    #expect(becomesTrue(within: 1.5) { tries("bank") == 3 })
    chmod(folder("system/mail.yaml"), 0o666)
    #expect(becomesTrue(within: 1.5) { tries("mail") == nil })
    chmod(folder("system/mail.yaml"), 0o644)
    #expect(becomesTrue(within: 1.5) { tries("mail") == 1 })
  }

  @Test func `a file that others could have written shuts its own services, and names itself`() throws {
    let spoilers: [(String, (String) -> Void)] = [
      ("others may write it", { chmod($0, 0o646) }), ("others may write it", { chmod($0, 0o664) }),
      ("belongs to the user id 65534", { chown($0, 65_534, 65_534) }),
      (
        "symbolic link",
        {
          rename($0, $0 + ".real"); symlink($0 + ".real", $0)
        }
      ),
      (
        "not a regular file",
        {
          unlink($0); mkfifo($0, 0o644)
        }
      ),
      ("longer than", { try! Data(repeating: 35, count: 200_000).write(to: URL(fileURLWithPath: $0)) }),
      ("is no key of a policy", { try! Data("service: mail\nwrong: 1\n".utf8).write(to: URL(fileURLWithPath: $0)) }),
    ]
    for (why, spoil) in spoilers {
      let folder = ScratchFolder()
      _ = folder.places
      folder.write("service: mail\ntries: 2\n", to: "system/mail.yaml")
      spoil(folder("system/mail.yaml"))
      let shelf = try shelf(folder)
      let refused = refusal { try shelf.effective(for: "mail") }
      #expect(refused?.reason == .policyInvalid, "\(why)")
      #expect(refused?.detail.contains(folder("system/mail.yaml")) == true, "\(refused?.detail ?? "")")
      #expect(refused?.detail.contains(why) == true, "\(refused?.detail ?? "")")
      #expect(try shelf.effective(for: "other").policy.tries == 3)
    }
  }

  @Test func `a folder that others could write in shuts every service`() throws {
    let folder = ScratchFolder()
    _ = folder.places
    chmod(folder("system"), 0o777)
    let shelf = try shelf(folder)
    #expect(refusal { try shelf.effective(for: "mail") }?.reason == .policyInvalid)
    chmod(folder("system"), 0o755)
    #expect(becomesTrue(within: 1.5) { (try? shelf.effective(for: "mail")) != nil })
  }

  @Test func `missing folders hold no policies`() throws {
    let folder = ScratchFolder()
    var places = folder.places
    places.systemPolicies = folder("nowhere")
    places.shippedPolicies = folder("nowhere")
    let shelf = PolicyShelf(store: try folder.store(), places: places)
    #expect(try shelf.effective(for: "mail").policy == ServicePolicy.builtIn.canonical)
  }

  @Test func `programs are known by their files, whatever they are called`() throws {
    let folder = ScratchFolder()
    _ = folder.places
    folder.write("program", to: "tool", mode: 0o755)
    folder.write("other", to: "other", mode: 0o755)
    symlink(folder("tool"), folder("alias"))
    folder.write(
      "service: mail\ncallers: [{executable: \(folder("alias")), groups: [com.example.shared]}]\n",
      to: "system/mail.yaml")
    let shelf = try shelf(folder)
    let policy = try shelf.effective(for: "mail").policy
    #expect(shelf.standing(of: peer(folder("tool")), in: policy) == .listed)
    #expect(shelf.standing(of: peer(folder("other")), in: policy) == .notListed)
    #expect(shelf.standing(of: peer(nil), in: policy) == .notListed)
    #expect(shelf.standing(of: peer(nil), in: .builtIn) == .unrestricted)
    #expect(shelf.groups(of: peer(folder("tool"))) == ["com.example.shared"])
    #expect(shelf.groups(of: peer(folder("other"))) == [])
    #expect(shelf.groups(of: peer(nil)) == [])
    rename(folder("other"), folder("tool"))
    #expect(becomesTrue(within: 1.5) { shelf.standing(of: peer(folder("tool")), in: policy) == .listed })
  }

  @Test func `a user grants groups only where the administrator is silent`() throws {
    let folder = ScratchFolder()
    _ = folder.places
    folder.write("program", to: "tool", mode: 0o755)
    let callers = "callers: [{executable: \(folder("tool")), groups: [mine]}]\n"
    let shelf = try shelf(folder)
    try shelf.put(shelf.examine(ExactText("service: mail\n" + callers)))
    #expect(shelf.groups(of: peer(folder("tool"))) == ["mine"])
    folder.write("service: mail\ntries: 2\n", to: "system/mail.yaml")
    #expect(becomesTrue(within: 1.5) { shelf.groups(of: peer(folder("tool"))) == [] })
  }

  @Test func `a policy that grants a program a group is looser, whatever service it is for`() throws {
    let folder = ScratchFolder()
    _ = folder.places
    folder.write("service: held\ncallers: [{executable: /usr/bin/cat, groups: [theirs]}]\n", to: "shipped/held.yaml")
    let shelf = try shelf(folder)
    func strictness(_ text: String) throws -> ProposedPolicy.Strictness {
      try shelf.examine(ExactText("service: zzz.mine\n" + text)).strictness
    }
    #expect(try strictness("callers: [{executable: /usr/bin/cat}]\n") == .sameOrStricter)
    #expect(try strictness("callers: [{executable: /usr/bin/cat, groups: [shared]}]\n") == .looser)
    // Taking the shipped file's place for its own service takes its grant away; taking that back gives it anew.
    try shelf.put(shelf.examine("service: held\ncallers: [{executable: /usr/bin/cat}]\n"))
    #expect(shelf.groups(of: peer("/usr/bin/cat")) == [])
    #expect(try shelf.examineRemoval(of: "held").strictness == .looser)
  }

  @Test func `a grant counts where the policy of its own service cannot be told`() throws {
    let folder = ScratchFolder()
    _ = folder.places
    folder.write("service: mail\nwrong: 1\n", to: "shipped/mail.yaml")
    let shelf = try shelf(folder)
    #expect(try shelf.examine("service: mail\ntries: 2\n").strictness == .sameOrStricter)
    let text: ExactText = "service: mail\ncallers: [{executable: /usr/bin/cat, groups: [shared]}]\n"
    #expect(try shelf.examine(text).strictness == .looser)
  }

  @Test func `a group that a file of the administrator names is granted by such files alone`() throws {
    let folder = ScratchFolder()
    _ = folder.places
    folder.write("program", to: "tool", mode: 0o755)
    folder.write("other", to: "other", mode: 0o755)
    let callers = "callers: [{executable: \(folder("tool")), groups: [shared, mine]}]\n"
    folder.write("service: shipped.one\n" + callers, to: "shipped/shipped.one.yaml")
    let shelf = try shelf(folder)
    try shelf.put(shelf.examine(ExactText("service: zzz.mine\n" + callers)))
    #expect(Set(shelf.groups(of: peer(folder("tool")))) == ["shared", "mine"])
    folder.write(
      "service: mail\ncallers: [{executable: \(folder("other")), groups: [shared]}]\n", to: "system/mail.yaml")
    #expect(becomesTrue(within: 30) { shelf.groups(of: peer(folder("tool"))) == ["mine"] })
    #expect(shelf.groups(of: peer(folder("other"))) == ["shared"])
    folder.write("service: bank\nwrong: 1\n", to: "system/bank.yaml")
    #expect(becomesTrue(within: 30) { shelf.groups(of: peer(folder("tool"))) == [] }, "nobody knows what it names")
    #expect(shelf.groups(of: peer(folder("other"))) == ["shared"])
  }

  @Test(
    arguments: [
      ("service: mail\ntries: 2\n", ProposedPolicy.Strictness.sameOrStricter),
      ("service: mail\ntries: 4\n", .looser),
      ("service: mail.*\ntries: 4\n", .looser), ("service: \"*\"\ntries: 2\n", .sameOrStricter),
      ("service: \"*\"\nremote: any\n", .looser), ("service: mail\nremote: deny\n", .sameOrStricter),
    ] as [(String, ProposedPolicy.Strictness)])
  func `a change is told looser or stricter than what holds`(text: String, strictness: ProposedPolicy.Strictness) throws
  {
    let folder = ScratchFolder()
    #expect(try shelf(folder).examine(ExactText(text)).strictness == strictness)
  }

  @Test func `a wide policy that takes the place of a strict one for a single service is looser there`() throws {
    let folder = ScratchFolder()
    _ = folder.places
    let shelf = try shelf(folder)
    try shelf.put(shelf.examine("service: \"*\"\ntries: 1\n"))
    let proposal = try shelf.examine("service: com.example.*\ntries: 2\n")
    #expect(proposal.strictness == .looser)
    #expect(proposal.loosened.map(\.policy.tries) == [1])
    #expect(try shelf.examineRemoval(of: "*").strictness == .looser)
  }

  @Test func `a change names every policy that it loosens, each once`() throws {
    let folder = ScratchFolder()
    _ = folder.places
    folder.write("service: bank\ntries: 2\nremote: deny\n", to: "shipped/bank.yaml")
    folder.write("service: mail\ntries: 2\nremote: deny\n", to: "shipped/mail.yaml")
    folder.write("service: strict\ntries: 1\n", to: "system/strict.yaml")
    let shelf = try shelf(folder)
    let proposal = try shelf.examine("service: \"*\"\ntries: 4\nremote: any\n")
    // Built in, and what the two shipped ones say alike; the administrator's stands.
    #expect(Set(proposal.loosened.map(\.policy.tries)) == [3, 2, 1] && proposal.loosened.count == 3)
    #expect(try shelf.examine("service: \"*\"\ntries: 2\nremote: deny\n").loosened == [])
  }

  @Test func `what was stricter when it was examined is refused once it is not`() throws {
    let folder = ScratchFolder()
    let shelf = try shelf(folder)
    let early = try shelf.examine("service: mail\ntries: 2\n")
    #expect(early.strictness == .sameOrStricter)
    try shelf.put(shelf.examine("service: mail\ntries: 1\n"))
    #expect(refusal { try shelf.put(early) }?.reason == .policyLooser)
    #expect(try shelf.effective(for: "mail").policy.tries == 1)
  }

  @Test func `a policy of one's own is kept over a new start, listed, explained and taken away`() throws {
    let folder = ScratchFolder()
    let text: ExactText = "service: mail\ntries: 2\n"
    do {
      let shelf = try shelf(folder)
      try shelf.put(shelf.examine(text))
    }
    let shelf = try shelf(folder)
    #expect(try shelf.effective(for: "mail").policy.tries == 2)
    #expect(try shelf.listing().layers == [PolicyLayer(origin: "user", service: "mail", file: "", text: text.string)])
    let explained = try shelf.explanation(of: "mail")
    #expect(explained.layers.map(\.origin) == ["user"])
    #expect(explained.effective.contains("tries: 2\n"))
    #expect(try shelf.explanation(of: "bank").layers.map(\.origin) == ["built in"])
    let removal = try shelf.examineRemoval(of: "mail")
    #expect(removal.strictness == .looser && removal.text == nil)
    try shelf.put(removal)
    #expect(try shelf.effective(for: "mail").policy.tries == 3)
    #expect(refusal { try shelf.examineRemoval(of: "mail") }?.reason == .itemNotFound)
  }

  @Test func `a text that is no policy is refused with its place`() throws {
    let folder = ScratchFolder()
    let shelf = try shelf(folder)
    let refused = refusal { try shelf.examine("service: mail\ntries: 0\n") }
    #expect(refused?.reason == .invalidParameter)
    #expect(refused?.detail.hasPrefix("policy:2:8: ") == true)
  }

  @Test func `a listing fits a reply however much there is, and says what it leaves out`() throws {
    let folder = ScratchFolder()
    _ = folder.places
    let groups = (0..<60).map { "\"" + String(repeating: "g", count: 200) + "\($0)\"" }.joined(separator: ", ")
    for number in 0..<20 {
      let text = "service: s\(number)\ncallers: [{executable: /usr/bin/mail, groups: [\(groups)]}]\n"
      folder.write(text, to: "system/s\(number).yaml")
    }
    folder.write("service: x\nwrong: 1\n", to: "shipped/x.yaml")
    let shelf = try shelf(folder)
    let layers = try shelf.listing().layers
    let size = layers.reduce(0) {
      $0 + $1.origin.utf8.count + $1.service.utf8.count + $1.file.utf8.count + $1.text.utf8.count
    }
    #expect(size < 62 * 1024)
    #expect(layers.last?.origin == "note")
    let shown = layers.filter { $0.origin == "system" }.count
    #expect(shown >= 3 && shown < 20)
    #expect(layers.last?.text.hasPrefix("# \(20 - shown) more") == true)
    #expect(layers.first { $0.origin == "shipped" }?.text.contains("not in force: line 2") == true)
    let explained = try shelf.explanation(of: "s1")
    #expect(explained.layers.allSatisfy { $0.text.utf8.count <= PolicyPage.voiceBytes })
    #expect(explained.effective.utf8.count <= PolicyPage.effectiveBytes)
    #expect(explained.layers.first?.text.contains("# cut here") == true)
  }

  @Test func `a look-up costs no file access while the last look is fresh`() throws {
    let folder = ScratchFolder()
    let shelf = try shelf(folder)
    _ = try shelf.effective(for: "mail")
    let clock = ContinuousClock()
    var best = Duration.seconds(1)
    for _ in 0..<20 {
      best = min(best, try clock.measure { for _ in 0..<100 { _ = try shelf.effective(for: "mail") } })
    }
    // A debug build; a release build takes about a microsecond. Reading a folder alone would take more than ten.
    #expect(best / 100 < .microseconds(10), "\(best / 100)")
  }
}
