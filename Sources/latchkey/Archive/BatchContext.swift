internal import KeychainClient
internal import KeychainModel

/// The authentication context of one export or import: what is proved in it once serves all of its requests, where the items'
/// policies let a proof serve in its context.
struct BatchContext {
  /// Its number; `nil` where no proof is welcome.
  let number: UInt64?
  private var asked: Set<ProofNeed>

  /// Makes one, and unlocks the keybag where it is locked, so that a batch does not find half of it hidden.
  ///
  /// - Parameter reason: what the prompt says that unlocks: its proof serves the whole batch.
  init(_ session: Session, unlockingFor reason: ExactText) throws(Failure) {
    (number, asked) = try Failure.translating { () throws(Refusal) in
      let isLocked =
        switch try session.keychain.status(options: session.quiet).keybag {
        case .locked, .beforeFirstUnlock: true
        default: false
        }
      guard session.proving.interaction == .allow else {
        guard !isLocked else { throw Refusal(.interactionNotAllowed) }
        return (nil, [])
      }
      let number = try session.keychain.makeContext(options: session.quiet)
      if isLocked { try Self.prove(.passcode, in: number, for: reason, session) }
      return (number, isLocked ? [.passcode, .presence] : [])
    }
  }

  /// Asks once for each of the needs that was not asked for yet. One that cannot be met here is left to the requests: they name
  /// the items.
  mutating func prove(_ needs: Set<ProofNeed>, for reason: ExactText, _ session: Session) throws(Failure) {
    guard let number else { return }
    for need in ProofNeed.allCases where needs.contains(need) && !asked.contains(need) {
      asked.insert(need)
      do throws(Refusal) {
        try Self.prove(need, in: number, for: reason, session)
        asked.insert(.presence)
      } catch {
        guard UnprovableItem.reasons.contains(error.reason) else { throw Failure(error) }
      }
    }
  }

  private static func prove(
    _ need: ProofNeed, in context: UInt64, for reason: ExactText, _ session: Session
  ) throws(Refusal) {
    var options = session.proving
    options.context = context
    options.reason = reason
    try session.keychain.useContext(.evaluate(alternatives: need.alternatives), options: options)
  }
}

/// A proof that items want, in the order they are asked for: a passcode and a finger each show presence as well.
enum ProofNeed: CaseIterable, Hashable {
  case passcode, finger, presence

  /// The sets of methods that would do, a bit for each (protocol section 5).
  var alternatives: [UInt8] {
    switch self {
    case .passcode: [1]
    case .finger: [2]
    case .presence: [2, 1]
    }
  }

  /// What reading an item wants; nothing where no proof of a person opens it.
  static func of(_ accessControl: AccessControl) -> Set<ProofNeed> {
    guard case .constrained(let constraint) = accessControl.rule(for: .decrypt) else { return [] }
    return of(constraint)
  }

  private static func of(_ constraint: Constraint) -> Set<ProofNeed> {
    switch constraint {
    case .userPresence: [.presence]
    case .passcode: [.passcode]
    case .biometryAny, .biometryCurrentSet: [.finger]
    case .companion: []
    case .allOf(let members): members.reduce(into: []) { $0.formUnion(of($1)) }
    case .anyOf(let members):
      // Finger or passcode is presence; else what is left when the companion is not there.
      switch members.reduce(into: Set<ProofNeed>(), { $0.formUnion(of($1)) }) {
      case let needs where needs.count > 1: [.presence]
      case let needs: needs
      }
    }
  }
}
