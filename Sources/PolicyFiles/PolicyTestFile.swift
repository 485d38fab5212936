public import AccessPolicy
public import KeychainModel

/// Rows of `latchkey policy test`: what is given, and the decision that must come of it.
public struct PolicyTestFile: Hashable, Sendable {
  /// The policy files of each layer, as named in the test, to be found beside it.
  public var layers: [PolicyOrigin: [String]]
  /// The rows, in order.
  public var rows: [PolicyTestRow]

  /// Most rows of one file.
  public static let mostRows = 1000
  /// Most policy files of one layer.
  public static let mostFiles = 64

  /// Reads a test.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8, at most 48 KiB, in the same subset of YAML as a policy.
  ///   - file: the name that faults carry.
  /// - Throws: ``PolicyFileError`` with every fault that could be told.
  public static func parse(_ bytes: [UInt8], file: String) throws(PolicyFileError) -> PolicyTestFile {
    var parser = PolicyTestParser(tree: YAMLTree(reading: bytes, file: file))
    return try parser.parse()
  }
}

/// One row.
public struct PolicyTestRow: Hashable, Sendable {
  /// What it shows, a sentence; empty where the file gives none.
  public var name: String
  /// Where it stands.
  public var mark: YAMLMark
  /// The request.
  public var given: PolicyTestGiven
  /// The decision.
  public var expect: PolicyTestExpectation
}

/// A request as a row describes it. What a row leaves out is the plainest case.
public struct PolicyTestGiven: Hashable, Sendable {
  /// The service of the item.
  public var service: ExactText = ""
  /// The item's own access control; by default none, `whenUnlocked`.
  public var accessControl: AccessControl = .unconstrained(.whenUnlocked)
  /// By default `unlocked`.
  public var keybag: KeybagState = .unlocked
  /// By default `decrypt`.
  public var operation: ItemOperation = .decrypt
  /// By default `stored`.
  public var presence: ItemPresence = .stored
  /// By default `local`.
  public var origin: PeerFacts.Origin = .local
  /// The path of the program that asks; `nil` is a program that is not known.
  public var caller: String?
  /// Whether a prompt may unlock the keybag for a plain item; by default not.
  public var mayUnlock = false
  /// The fingers enrolled now, against those a `biometryCurrentSet` item was bound to.
  public var enrolment: PolicyTestEnrolment = .same
  /// The proofs at hand.
  public var evidence: [PolicyTestEvidence] = []
}

/// The enrolled fingers of a row.
public enum PolicyTestEnrolment: Hashable, Sendable {
  /// Those that were enrolled when the item was added and the proofs were given.
  case same
  /// Others.
  case changed
  /// None.
  case none
}

/// A proof of a row.
public struct PolicyTestEvidence: Hashable, Sendable {
  /// How it was given.
  public var method: AuthenticationMethod
  /// Seconds since; 0 is just now.
  public var seconds: UInt32
  /// What the asking program shares with the one that gave it.
  public var from: PolicyTestKinship
}

/// What two requests share, from near to far.
public enum PolicyTestKinship: Int, Hashable, Sendable, Comparable {
  /// They are one request: the proof was given for it.
  case request
  /// The authentication context.
  case context
  /// The process.
  case process
  /// The terminal.
  case terminal
  /// The login session.
  case session
  /// Only the user.
  case elsewhere

  /// Nearer than.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The decision a row expects.
public enum PolicyTestExpectation: Hashable, Sendable {
  /// Go on without a prompt.
  case allow
  /// A prompt for one of these sets of methods.
  case authenticate(Set<MethodSet>)
  /// Refused.
  case deny(Reason)

  /// As a test file spells it.
  public var text: String {
    switch self {
    case .allow: return "allow"
    case .deny(let reason): return "{deny: \(reason.rawValue)}"
    case .authenticate(let sets):
      let names = PolicyWords.alternatives.filter { sets.contains($0.1) }.map(\.0)
      return "{authenticate: [\(names.joined(separator: ", "))]}"
    }
  }
}
