/// The daemon's answer to one request.
public enum KeychainReply: Hashable, Sendable {
  /// Done; how many items it touched (0 for requests that touch none).
  case done(count: UInt32)
  /// An item was stored.
  case added(FoundItem)
  /// A page of matches.
  case found(FindReply)
  /// Refused, and nothing was changed.
  case refused(Refusal)
  /// The state of everything.
  case status(StatusReply)
  /// What is wrong.
  case doctor([DoctorFinding])
  /// The new recovery key, at this place among the secrets: printable text.
  case recoveryKey(SecretIndex)
  /// Policies.
  case policy(PolicyReply)
  /// A page of the log.
  case log(LogReply)
  /// A new context's number.
  case context(UInt64)
  /// Where the count of changes to this user's keychain stands. It begins anywhere whenever the daemon starts, and says nothing
  /// but whether something happened since another count: neither what, nor to which item.
  case changed(UInt64)
  /// What stands for the set of enrolled fingers: 32 bytes that change with it and say nothing else.
  case enrolment([UInt8])
}

/// Why not.
public struct Refusal: Hashable, Sendable, Error {
  /// The stable code.
  public var reason: Reason
  /// What it is about where that helps (a file, a service, a module's own text); never a secret; at most 1024 bytes.
  public var detail: String
  /// Makes a refusal.
  public init(_ reason: Reason, detail: String = "") {
    self.reason = reason
    self.detail = detail
  }
}

/// A page of matches.
public struct FindReply: Hashable, Sendable {
  /// The matches, in the order they were added.
  public var items: [FoundItem]
  /// How many further matches are hidden because their class is locked.
  public var hidden: UInt32
  /// Ask again with this as `after`; `nil` where this was the last page.
  public var next: UInt64?
  /// Makes a page.
  public init(items: [FoundItem], hidden: UInt32, next: UInt64?) {
    self.items = items
    self.hidden = hidden
    self.next = next
  }
}

/// One match.
public struct FoundItem: Hashable, Sendable {
  /// Its name for life.
  public var identifier: ItemIdentifier
  /// Its class.
  public var itemClass: ItemClass
  /// Its attributes, where asked for, with `creationDate` and `modificationDate`; without `accessControl`.
  public var attributes: ItemAttributes?
  /// When and on which proof it opens.
  public var accessControl: AccessControl
  /// Its value among the secrets; `nil` where not asked for or where the item has none.
  public var value: SecretIndex?
  /// Why it can never be opened again (`invalidatedByEnrolment`, `passcodeRemoved`), or `nil`.
  public var dead: Reason?
  /// Makes a match.
  public init(
    identifier: ItemIdentifier, itemClass: ItemClass, attributes: ItemAttributes?, accessControl: AccessControl,
    value: SecretIndex?, dead: Reason? = nil
  ) {
    self.identifier = identifier
    self.itemClass = itemClass
    self.attributes = attributes
    self.accessControl = accessControl
    self.value = value
    self.dead = dead
  }
}

/// The state of the daemon and of this user's keychain.
public struct StatusReply: Hashable, Sendable {
  /// The daemon's version.
  public var version: String = ""
  /// "system" or "user".
  public var mode: String = ""
  /// The daemon's process id.
  public var pid: Int32 = 0
  /// Where it listens.
  public var socket: String = ""
  /// This user's store.
  public var store: String = ""
  /// The keybag.
  public var keybag: KeybagState = .none
  /// Whether a recovery key exists.
  public var hasRecoveryKey: Bool = false
  /// How many items are stored.
  public var items: UInt64 = 0
  /// "on", or "off: why".
  public var cache: String = ""
  /// What is cached, with the seconds left.
  public var cached: [CachedEntry] = []
  /// Wrong passcodes in a row.
  public var misses: UInt32 = 0
  /// Seconds until the next answer is taken; 0 for at once.
  public var retryAfterSeconds: UInt32 = 0
  /// What can end proofs early here ("lock command", "suspend seen by the clocks", ...).
  public var triggers: [String] = []
  /// "protected", or "unprotected installation: why".
  public var installation: String = ""
  /// Which of the threats of SECURITY.md this way of running holds off.
  public var threats: [ThreatLine] = []
  /// Further lines for people: name and text.
  public var notes: [String] = []
  /// An empty status.
  public init() {}
}

/// One entry of the key cache.
public struct CachedEntry: Hashable, Sendable {
  /// "class ak", "item", "proof".
  public var kind: String
  /// What it is for: a service, a class; never a secret.
  public var subject: String
  /// Seconds until it expires.
  public var secondsLeft: UInt32
  /// Makes an entry.
  public init(kind: String, subject: String, secondsLeft: UInt32) {
    self.kind = kind
    self.subject = subject
    self.secondsLeft = secondsLeft
  }
}

/// One line of the threat table.
public struct ThreatLine: Hashable, Sendable {
  /// Against whom.
  public var threat: String
  /// "yes", "no", or under which condition.
  public var answer: String
  /// Makes a line.
  public init(threat: String, answer: String) {
    self.threat = threat
    self.answer = answer
  }
}

/// One thing `doctor` found.
public struct DoctorFinding: Hashable, Sendable {
  /// Whether it is fine, worth a look, or broken.
  public var level: DoctorLevel
  /// A stable word for programs ("pam-stack", "keyring", ...).
  public var check: String
  /// What was found.
  public var text: String
  /// The one command that mends it; empty where nothing needs doing.
  public var command: String
  /// Makes a finding.
  public init(level: DoctorLevel, check: String, text: String, command: String = "") {
    self.level = level
    self.check = check
    self.text = text
    self.command = command
  }
}

/// How bad a finding is.
public enum DoctorLevel: UInt8, CaseIterable, Sendable {
  case fine = 0
  case warning = 1
  case broken = 2
}

/// Policies.
public struct PolicyReply: Hashable, Sendable {
  /// The layers: where each came from and its text.
  public var layers: [PolicyLayer]
  /// The effective policy as canonical YAML; empty for a listing.
  public var effective: String
  /// Makes a reply.
  public init(layers: [PolicyLayer], effective: String) {
    self.layers = layers
    self.effective = effective
  }
}

/// One policy file and where it stands.
public struct PolicyLayer: Hashable, Sendable {
  /// "system", "user", "shipped" or "built in".
  public var origin: String
  /// The service pattern.
  public var service: String
  /// The file, or empty.
  public var file: String
  /// Its canonical YAML text; of a file that is not in force lines that begin with ``faultMark``.
  public var text: String
  /// What a line begins with that says why a file is not in force.
  public static let faultMark = "# not in force: "
  /// Makes a layer.
  public init(origin: String, service: String, file: String, text: String) {
    self.origin = origin
    self.service = service
    self.file = file
    self.text = text
  }
}

/// A page of the decision log.
public struct LogReply: Hashable, Sendable {
  /// The lines, oldest first; each is one JSON object.
  public var lines: [String]
  /// Ask again with this as `before`; `nil` where there is nothing older.
  public var next: UInt64?
  /// Makes a page.
  public init(lines: [String], next: UInt64?) {
    self.lines = lines
    self.next = next
  }
}
