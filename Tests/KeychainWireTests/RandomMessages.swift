import KeychainModel
import KeychainWire
import SecretMemory
import TestSupport

/// Makes valid messages of every kind, with every optional part present in some and absent in others.
struct RandomMessages {
  var generator: SeededGenerator
  private var secrets = 0

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// A message and the lengths of its secrets.
  mutating func next() throws -> Message {
    secrets = 0
    let made = body()
    let lengths = (0..<secrets).map { _ in Int.random(in: 0...80, using: &generator) }
    return Message(
      requestID: number32(), body: made,
      secrets: try lengths.map { length in
        try SecretBytes(copying: bytes(length...length).span)
      })
  }

  mutating func flip() -> Bool { Bool.random(using: &generator) }
  mutating func number32() -> UInt32 { UInt32.random(in: .min ... .max, using: &generator) }
  mutating func number64() -> UInt64 { UInt64.random(in: .min ... .max, using: &generator) }
  mutating func pick<Choice: CaseIterable>(_: Choice.Type) -> Choice {
    Choice.allCases.randomElement(using: &generator)!
  }
  mutating func bytes(_ count: ClosedRange<Int> = 0...40) -> [UInt8] {
    (0..<Int.random(in: count, using: &generator)).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
  mutating func text() -> String {
    let letters = ["a", "é", "e\u{301}", "\u{202E}", "\n", "😀", "z", " "]
    return (0..<Int.random(in: 0...12, using: &generator)).map { _ in letters.randomElement(using: &generator)! }
      .joined()
  }
  mutating func list<Entry>(_ make: (inout RandomMessages) -> Entry) -> [Entry] {
    (0..<Int.random(in: 0...3, using: &generator)).map { _ in make(&self) }
  }
  mutating func secret() -> SecretIndex {
    defer { secrets += 1 }
    return SecretIndex(secrets)
  }
  mutating func maybeSecret() -> SecretIndex? { flip() ? secret() : nil }

  private mutating func body() -> MessageBody {
    switch Int.random(in: 0...11, using: &generator) {
    case 0: .hello
    case 1: .cancel
    case 2: .helloReply(HelloReply(oldest: 1, newest: UInt16.random(in: 1...9, using: &generator), daemon: text()))
    case 3: .wanted(.prompt(attempt: number32()))
    case 4: .presentation(presentation())
    case 5: .notice(Notice(kind: pick(NoticeKind.self), text: text()))
    case 6, 7: .reply(reply())
    default: .request(request(), options())
    }
  }

  private mutating func presentation() -> Presentation {
    switch Int.random(in: 0...2, using: &generator) {
    case 0: return .none
    case 1: return .passcode(secret())
    default:
      var variables: [String: String] = [:]
      for name in DisplayVariable.names where flip() { variables[name] = text() }
      return .display(variables)
    }
  }

  mutating func value() -> AttributeValue {
    switch Int.random(in: 0...3, using: &generator) {
    case 0: .text(ExactText(bytes: bytes()))
    case 1: .data(bytes())
    case 2: .number(Int64(bitPattern: number64()))
    default: .date(Double(Int32.random(in: .min ... .max, using: &generator)) / 7)
    }
  }

  mutating func attributes() -> ItemAttributes {
    var made = ItemAttributes()
    for _ in 0..<Int.random(in: 0...8, using: &generator) { made[pick(AttributeKey.self)] = value() }
    return made
  }

  private mutating func constraint(_ depth: Int) -> Constraint {
    switch Int.random(in: 0...(depth < 4 ? 6 : 4), using: &generator) {
    case 0: .userPresence
    case 1: .passcode
    case 2: .biometryAny
    case 3: .biometryCurrentSet
    case 4: .companion
    case 5: .anyOf(list { $0.constraint(depth + 1) })
    default: .allOf(list { $0.constraint(depth + 1) })
    }
  }

  mutating func control() -> AccessControl {
    let sets: [AccessControlFlags] = [
      [], .userPresence, .biometryAny, [.biometryCurrentSet, .devicePasscode, .or], [.privateKeyUsage, .companion],
      [.userPresence, .applicationPassword],
    ]
    var overrides: [ItemOperation: OperationRule] = [:]
    if flip() {
      for operation in ItemOperation.allCases where flip() {
        overrides[operation] = flip() ? .constrained(constraint(1)) : flip() ? .allowed : .denied
      }
    }
    return try! AccessControl(
      accessibility: pick(Accessibility.self), flags: sets.randomElement(using: &generator)!, overrides: overrides)
  }

  private mutating func identifier() -> ItemIdentifier { ItemIdentifier(high: number64(), low: number64()) }
  private mutating func maybe64() -> UInt64? { flip() ? number64() : nil }
  private mutating func parts() -> ReturnedParts {
    ReturnedParts(rawValue: UInt8.random(in: 0...15, using: &generator))
  }

  private mutating func query() -> ItemQuery {
    let limits: [MatchLimit] = [.one, .all, .count(2), .count(.max)]
    return ItemQuery(
      itemClass: flip() ? pick(ItemClass.self) : nil, identifier: flip() ? identifier() : nil, attributes: attributes(),
      twin: pick(SynchronizableFilter.self), limit: limits.randomElement(using: &generator)!)
  }

  private mutating func options() -> RequestOptions {
    RequestOptions(
      interaction: pick(InteractionMode.self), mayUnlock: flip(), context: maybe64(),
      reason: flip() ? ExactText(bytes: bytes()) : nil, titles: titles(), applicationPassword: maybeSecret())
  }

  private mutating func titles() -> PromptTitles {
    let names: [FallbackTitle] = [.usual, .hidden, .named(title())]
    return PromptTitles(fallback: names.randomElement(using: &generator)!, cancel: flip() ? title() : nil)
  }

  private mutating func title() -> ExactText { ExactText(bytes: Array(bytes().prefix(PromptTitles.titleBytes))) }

  private mutating func request() -> KeychainRequest {
    switch Int.random(in: 0...18, using: &generator) {
    case 0:
      .add(
        AddRequest(
          itemClass: pick(ItemClass.self), attributes: attributes(), accessControl: control(), value: maybeSecret(),
          returns: parts(), onDuplicate: pick(DuplicateRule.self)))
    case 1: .find(FindRequest(query: query(), returns: parts(), after: maybe64()))
    case 2:
      .update(
        UpdateRequest(
          query: query(), changes: attributes(), removals: Set(list { $0.pick(AttributeKey.self) }),
          access: flip() ? .accessControl(control()) : flip() ? .accessibility(pick(Accessibility.self)) : nil,
          value: maybeSecret()))
    case 3: .delete(DeleteRequest(query: query(), onlyIfValue: maybeSecret()))
    case 4: .lock
    case 5: .lockAll
    case 6: .unlock(flip() ? .passcode : .recoveryKey(secret()))
    case 7: .status
    case 8: .doctor
    case 9: .makeRecoveryKey
    case 10: .policy(.apply(text: ExactText(bytes: bytes(0...300))))
    case 11: .policy(flip() ? .list : .remove(service: ExactText(bytes: bytes())))
    case 12: .policy(.explain(service: ExactText(bytes: bytes())))
    case 13: .log(LogRequest(limit: UInt32.random(in: 0...200, using: &generator), before: maybe64()))
    case 14: .context(flip() ? .create : .invalidate)
    case 17: .context(flip() ? .enrolment : .allowReuse(seconds: number32()))
    case 15: .context(flip() ? .canEvaluate(alternatives: bytes(0...16)) : .evaluate(alternatives: bytes(0...16)))
    case 16: .watch(since: maybe64())
    default: .context(.evaluateAccessControl(control(), pick(ItemOperation.self)))
    }
  }

  mutating func item() -> FoundItem {
    FoundItem(
      identifier: identifier(), itemClass: pick(ItemClass.self), attributes: flip() ? attributes() : nil,
      accessControl: control(), value: maybeSecret(), dead: flip() ? pick(Reason.self) : nil)
  }

  private mutating func reply() -> KeychainReply {
    switch Int.random(in: 0...11, using: &generator) {
    case 0: .done(count: number32())
    case 1: .added(item())
    case 2: .found(FindReply(items: list { $0.item() }, hidden: number32(), next: maybe64()))
    case 3: .refused(Refusal(pick(Reason.self), detail: text()))
    case 4: .status(status())
    case 5:
      .doctor(
        list { DoctorFinding(level: $0.pick(DoctorLevel.self), check: $0.text(), text: $0.text(), command: $0.text()) })
    case 6: .recoveryKey(secret())
    case 7:
      .policy(
        PolicyReply(
          layers: list { PolicyLayer(origin: $0.text(), service: $0.text(), file: $0.text(), text: $0.text()) },
          effective: text()))
    case 8: .log(LogReply(lines: list { $0.text() }, next: maybe64()))
    case 9: .changed(number64())
    case 10: .enrolment(bytes(0...64))
    default: .context(number64())
    }
  }

  private mutating func status() -> StatusReply {
    var status = StatusReply()
    status.version = text()
    status.mode = text()
    status.pid = Int32(bitPattern: number32())
    status.socket = text()
    status.store = text()
    status.keybag = pick(KeybagState.self)
    status.hasRecoveryKey = flip()
    status.items = number64()
    status.cache = text()
    status.cached = list { CachedEntry(kind: $0.text(), subject: $0.text(), secondsLeft: $0.number32()) }
    status.misses = number32()
    status.retryAfterSeconds = number32()
    status.triggers = list { $0.text() }
    status.installation = text()
    status.threats = list { ThreatLine(threat: $0.text(), answer: $0.text()) }
    status.notes = list { $0.text() }
    return status
  }
}
