import AccessPolicy
import KeychainModel
import KeychainService
import LatchkeyTesting
import SecretMemory
import Testing

@testable import latchkeyd

/// One user's keychain over any store, and what it answered, a line for each step.
private final class Scenario<Store: ItemStoring & KeybagStoring> {
  let clock = TestClock()
  let authenticator: MockAuthenticator
  let log = RecordedDecisions()
  let keychain: UserKeychain
  private(set) var lines: [String] = []

  init(_ store: Store) {
    authenticator = MockAuthenticator(passcode: "right", script: [.passcode("right")], clock: clock)
    keychain = UserKeychain(
      account: ScratchFolder.alice, store: store,
      ports: ServicePorts(
        cache: MemoryKeyCache(clock: clock), authenticator: authenticator, policies: FixedPolicies(),
        enrolment: SetEnrolment(.nothingEnrolled), log: log, clock: clock, host: SilentHost()))
  }

  func ask(
    _ step: String, _ request: KeychainRequest, secrets: [String] = [], _ options: RequestOptions = RequestOptions()
  ) {
    let peer = PeerFacts(uid: 1000, process: ProcessIdentity(pid: 5, startTime: 5), origin: .local)
    let answer = keychain.answer(
      IncomingRequest(
        request: request, options: options, secrets: secrets.map(secret), peer: peer,
        channel: LatchkeyTesting.TestChannel()))
    let values = answer.secrets.map { text($0) ?? "" }
    lines.append("\(step): \(Self.shown(answer.reply)) \(values) prompts \(authenticator.prompts)")
  }

  private static func shown(_ reply: KeychainReply) -> String {
    switch reply {
    case .done(let count): return "done \(count)"
    case .refused(let refusal): return refusal.reason.rawValue
    case .added(let item): return "added \(item.accessControl.flags.names)"
    case .found(let page):
      let names = page.items.map { $0.attributes?.text(.account)?.string ?? ($0.dead?.rawValue ?? "-") }
      return "found \(names) hidden \(page.hidden) next \(page.next != nil)"
    case .status(let status): return "\(status.keybag) items \(status.items) misses \(status.misses)"
    default: return "something else"
    }
  }

  func add(
    _ account: String, _ value: String, _ flags: AccessControlFlags = [], _ accessible: Accessibility = .whenUnlocked,
    rule: DuplicateRule = .refuse, options: RequestOptions = RequestOptions()
  ) {
    let request = AddRequest(
      itemClass: .genericPassword, attributes: Self.name(account),
      accessControl: try! AccessControl(accessibility: accessible, flags: flags), value: 0, onDuplicate: rule)
    ask("add \(account)", .add(request), secrets: [value], options)
  }

  func read(_ account: String, _ options: RequestOptions = RequestOptions()) {
    let query = ItemQuery(itemClass: .genericPassword, attributes: Self.name(account))
    ask("read \(account)", .find(FindRequest(query: query, returns: [.data, .attributes])), options)
  }

  func list(_ attributes: ItemAttributes = ItemAttributes()) {
    let query = ItemQuery(itemClass: .genericPassword, attributes: attributes, limit: .all)
    ask("list", .find(FindRequest(query: query, returns: .attributes)))
  }

  func update(_ account: String, _ edit: (inout UpdateRequest) -> Void, secrets: [String] = []) {
    var request = UpdateRequest(query: ItemQuery(itemClass: .genericPassword, attributes: Self.name(account)))
    edit(&request)
    ask("update \(account)", .update(request), secrets: secrets)
  }

  func delete(_ account: String, onlyIf value: String? = nil) {
    let query = ItemQuery(itemClass: .genericPassword, attributes: Self.name(account))
    ask(
      "delete \(account)", .delete(DeleteRequest(query: query, onlyIfValue: value.map { _ in 0 })),
      secrets: value.map { [$0] } ?? [])
  }

  static func name(_ account: String) -> ItemAttributes {
    ItemAttributes([.service: .text("mail"), .account: .text(ExactText(account))])
  }
}

/// Everything a store must do, with every state of the keybag in it.
private func play<Store: ItemStoring & KeybagStoring>(_ store: Store) -> [String] {
  let scene = Scenario(store)
  let quiet = RequestOptions(interaction: .fail)
  scene.add("plain", "p1")
  scene.add("plain", "p2")
  scene.add("plain", "p2", .userPresence)
  scene.read("plain")
  scene.read("nobody")
  scene.add("early", "v", [], .whenPasscodeSetThisDeviceOnly)
  scene.add("word", "w1", .applicationPassword)
  scene.ask("status", .status)
  // The first proof binds the keybag.
  scene.add("guarded", "g1", .userPresence)
  scene.read("guarded", quiet)
  scene.read("guarded")
  scene.ask("status", .status)
  scene.read("plain")
  scene.update("guarded", { $0.changes[.label] = .text("L") })
  scene.update("guarded", { $0.value = 0 }, secrets: ["g2"])
  scene.read("guarded")
  scene.update("guarded", { $0.changes[.account] = .text("plain") })
  scene.update("guarded", { $0.changes[.account] = .text("renamed") })
  scene.read("guarded")
  scene.read("renamed")
  scene.add("plain", "p3", rule: .replace)
  scene.add("renamed", "g3", rule: .replaceKeepingAccessControl)
  scene.read("renamed")
  scene.delete("plain", onlyIf: "p1")
  scene.delete("plain", onlyIf: "p3")
  scene.delete("plain")
  scene.add("first", "f1", [], .afterFirstUnlock)
  scene.add("ever", "e1", [], .always)
  scene.add("held", "h1", [], .whenPasscodeSetThisDeviceOnly)
  scene.add("shut", "s1")
  scene.list()
  scene.list(ItemAttributes([.label: .text("L")]))
  // Locked: what is open stays open, what is not says so, and deleting works.
  scene.ask("lock", .lock)
  scene.ask("status", .status)
  for name in ["first", "ever", "held", "shut", "renamed"] { scene.read(name, quiet) }
  scene.list()
  scene.add("new", "n1")
  scene.update("shut", { $0.changes[.label] = .text("M") })
  scene.delete("shut", onlyIf: "s1")
  scene.delete("shut")
  scene.ask("lock all", .lockAll)
  for name in ["first", "ever", "held"] { scene.read(name, quiet) }
  scene.authenticator.follow([.passcode("wrong"), .passcode("right")])
  scene.ask("unlock", .unlock(.passcode))
  scene.ask("status", .status)
  scene.ask("unlock", .unlock(.passcode))
  scene.ask("status", .status)
  for name in ["first", "ever", "held"] { scene.read(name) }
  scene.authenticator.removePasscode()
  scene.read("held")
  scene.read("held")
  scene.ask("status", .status)
  return scene.lines + scene.log.records.map { "\($0.action) \($0.method) \($0.refusal?.reason.rawValue ?? "allowed")" }
}

@Suite struct ScenarioTests {
  @Test func `a value that is damaged hides no other, and says so where it is asked for alone`() throws {
    let folder = ScratchFolder()
    let scene = Scenario(try folder.store())
    for name in ["a", "b", "c"] { scene.add(name, "v" + name) }
    try tamper(folder("store"), "UPDATE items SET sealed_value = zeroblob(60) WHERE id = 2")
    let query = ItemQuery(
      itemClass: .genericPassword, attributes: ItemAttributes([.service: .text("mail")]), limit: .all)
    scene.ask("all", .find(FindRequest(query: query, returns: [.data, .attributes])))
    scene.read("b")
    #expect(
      Array(scene.lines.suffix(2)) == [
        #"all: found ["a", "b", "c"] hidden 0 next false ["va", "vc"] prompts 0"#, "read b: rowDamaged [] prompts 0",
      ])
  }

  @Test func `the store on the disk answers as the one in memory, step for step`() throws {
    let folder = ScratchFolder()
    let disk = play(try folder.store())
    let memory = play(MemoryStore())
    #expect(disk.count == memory.count)
    for (real, expected) in zip(disk, memory) { #expect(real == expected) }
  }
}
