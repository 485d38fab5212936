internal import KeychainClient
internal import KeychainModel
internal import TerminalIO

/// `status`: the state of the daemon and of this user's keychain.
struct StatusCommand: Command {
  static let manual = Manual("status", "", "show the state of the keychain", details: "Never asks for a proof.")

  init(_ arguments: Arguments) throws(UsageError) { try arguments.requireNoOperands() }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let status = try Failure.translating { () throws(Refusal) in try session.keychain.status(options: session.quiet) }
    let text = StatusText(status)
    try session.output.answer(text.json, orText: text.lines)
    return .good
  }
}

/// How a status is shown.
struct StatusText {
  let status: StatusReply

  init(_ status: StatusReply) { self.status = status }

  /// For programs.
  var json: JSONText {
    .object([
      "version": .string(status.version), "mode": .string(status.mode), "pid": .number(Int64(status.pid)),
      "socket": .string(status.socket), "store": .string(status.store), "keybag": .string(status.keybag.rawValue),
      "recoveryKey": .truth(status.hasRecoveryKey), "items": .number(Int64(clamping: status.items)),
      "cache": .string(status.cache),
      "cached": .list(
        status.cached.map {
          .object([
            "kind": .string($0.kind), "subject": .string($0.subject), "secondsLeft": .number(Int64($0.secondsLeft)),
          ])
        }),
      "misses": .number(Int64(status.misses)), "retryAfterSeconds": .number(Int64(status.retryAfterSeconds)),
      "triggers": .strings(status.triggers), "installation": .string(status.installation),
      "threats": .list(
        status.threats.map { .object(["threat": .string($0.threat), "answer": .string($0.answer)]) }),
      "notes": .strings(status.notes),
    ])
  }

  /// For people.
  var lines: String {
    var rows = [
      ["keychain", keybag], ["items", String(status.items)],
      ["recovery key", status.hasRecoveryKey ? "made" : "none"],
      ["passcode", tally], ["cache", status.cache],
    ]
    rows += status.cached.map { cached in
      let subject = cached.subject.isEmpty ? "" : " " + cached.subject
      return ["", "\(Self.kind(cached.kind))\(subject): \(cached.secondsLeft) s left"]
    }
    rows += [
      ["locked by", status.triggers.isEmpty ? "nothing but its timeouts" : status.triggers.joined(separator: ", ")],
      ["daemon", "\(status.mode) mode, version \(status.version), process \(status.pid)"], ["socket", status.socket],
      ["store", status.store], ["installation", status.installation],
    ]
    rows += status.notes.map { ["note", $0] }
    var text = Table(rows: rows.map(Self.plain)).text
    if !status.threats.isEmpty {
      text +=
        "\n" + Table(rows: [["AGAINST", "HOLDS"]] + status.threats.map { Self.plain([$0.threat, $0.answer]) }).text
    }
    return text
  }

  /// Programs get the class by the word that items carry; people get the name that `--accessible` takes.
  private static func kind(_ kind: String) -> String {
    switch kind {
    case "class ck": "key of class afterFirstUnlock:"
    case "class ak": "key of class whenUnlocked:"
    case "class akpu": "key of class whenPasscodeSetThisDeviceOnly:"
    default: kind
    }
  }

  private static func plain(_ row: [String]) -> [String] { row.map { UntrustedText($0).whole } }

  private var keybag: String {
    switch status.keybag {
    case .none: "empty"
    case .unbound: "open, not bound to a passcode yet"
    case .beforeFirstUnlock: "locked wholly, as after a start; 'latchkey unlock' opens it"
    case .unlocked: "unlocked"
    case .locked: "locked"
    case .passcodeChanged: "locked: the passcode was changed elsewhere"
    case .akpuDestroyed: "locked: the passcode was removed"
    case .damaged: "damaged"
    }
  }

  private var tally: String {
    switch (status.misses, status.retryAfterSeconds) {
    case (0, 0): "no wrong answers"
    case (1, 0): "1 wrong answer"
    case (let misses, 0): "\(misses) wrong answers in a row"
    case (1, let seconds): "1 wrong answer; the next is taken in \(seconds) s"
    case (let misses, let seconds): "\(misses) wrong answers in a row; the next is taken in \(seconds) s"
    }
  }
}
