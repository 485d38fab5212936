public import AccessPolicy
internal import KeychainModel
internal import SecretMemory
internal import Synchronization

/// One user's keychain: takes a request from end to end and answers it.
///
/// Safe from many threads; a call blocks for as long as its prompt is up, and for another call's prompt only on the same terminal,
/// of the same process, or where the wrong answers of those that are up could use up what is left before a wait.
public final class UserKeychain: Sendable {
  /// Whose.
  public let account: UserAccountName
  let store: any ItemStoring & KeybagStoring
  let ports: ServicePorts
  let shelf = EvidenceShelf()
  let batches = BatchShelf()
  let contexts = ContextTable()
  let turns = PromptTurns()
  let guesses = GuessBudget()
  let fullLocks = FullLocks()
  /// Moves with every item that is stored, changed or deleted, and whenever the keybag is locked or opened.
  public let changes = ChangeCounter()
  /// A change of the passcode elsewhere that the store could not note down: its disk is full, say.
  let unsavedPasscodeChange = Mutex<PasscodeChange>(.none)

  /// Puts a keychain together.
  public init(account: UserAccountName, store: any ItemStoring & KeybagStoring, ports: ServicePorts) {
    self.account = account
    self.store = store
    self.ports = ports
  }

  /// Answers one request. Every failure is an answer as well.
  public func answer(_ incoming: IncomingRequest) -> Answer {
    do throws(Refusal) {
      guard incoming.peer.uid == account.uid else { throw Refusal(.internalFailure, detail: "another user's request") }
      let answer = try dispatch(incoming)
      if incoming.request.changesItems { changes.advance() }
      return answer
    } catch {
      return Answer(.refused(error))
    }
  }

  private func dispatch(_ incoming: IncomingRequest) throws(Refusal) -> Answer {
    switch incoming.request {
    case .find(let request): try untilUnchanged(incoming) { (passage) throws(Refusal) in try find(request, &passage) }
    case .add(let request): try add(request, incoming)
    case .update(let request):
      try untilUnchanged(incoming) { (passage) throws(Refusal) in try update(request, &passage) }
    case .delete(let request):
      try untilUnchanged(incoming) { (passage) throws(Refusal) in try delete(request, &passage) }
    case .lock: lock(.trigger(.lock))
    case .lockAll: lock(.everything)
    case .unlock(let request): try unlock(request, incoming)
    case .makeRecoveryKey: try makeRecoveryKey(incoming)
    case .status: try status()
    case .doctor: try doctor()
    case .policy(let request): try policy(request, incoming)
    case .log(let request): Answer(.log(try ports.log.page(request)))
    case .context(let request): try context(request, incoming)
    // To wait is the server's part: here the count is told as it stands.
    case .watch: Answer(.changed(changes.current))
    }
  }

  /// Searches and judges anew where another program changed an item between the search and the deed. What was proved by then
  /// is proved for this request: only what the change made necessary is asked for.
  private func untilUnchanged(
    _ incoming: IncomingRequest, _ body: (inout Passage) throws(Refusal) -> Answer
  ) throws(Refusal) -> Answer {
    var passage = passage(incoming)
    for _ in 1..<Self.searchRounds {
      do throws(Refusal) {
        return try body(&passage)
      } catch {
        guard error.reason == .itemChanged else { throw error }
      }
    }
    return try body(&passage)
  }

  /// How often a request searches anew before it answers `itemChanged`.
  private static var searchRounds: Int { 16 }

  /// Locks, and ends what proofs unlocked, at once. Also the door for triggers: screen lock, suspend, logout.
  @discardableResult
  public func lock(_ event: LockEvent) -> Answer {
    switch event {
    case .trigger(let trigger):
      ports.cache.revoke(.locked(sparing: keepProofs(over: trigger)))
      batches.clear()
    case .everything:
      fullLocks.lock {
        ports.cache.revoke(.everyClass)
        forgetProofs()
      }
    }
    changes.advance()
    return Answer(.done(count: 0))
  }

  /// Forgets the proofs that a trigger ends, and answers the services that have others. A policy says so of its own service, and
  /// of proofs that were given under it; one that cannot be read spares nothing, and neither does any what belongs to a context.
  private func keepProofs(over trigger: DropTriggers) -> Set<ExactText> {
    shelf.keep { service, digest in
      guard let effective = try? ports.policies.effective(for: service) else { return .ends }
      return effective.digest == digest && effective.policy.dropOn.isDisjoint(with: trigger) ? .stands : .ends
    }
  }

  /// Lets no earlier proof serve any more.
  func forgetProofs() {
    shelf.clear()
    batches.clear()
  }
}

/// What locks a keychain.
public enum LockEvent: Sendable, Hashable {
  /// Something that each policy's `dropOn` may leave its own service's proofs and cached keys alone by.
  case trigger(DropTriggers)
  /// A full lock, or the daemon's end: nothing is left.
  case everything
}

extension KeychainRequest {
  /// Whether it changes what is stored, once it is done.
  fileprivate var changesItems: Bool {
    switch self {
    case .add, .update, .delete: true
    case .find, .lock, .lockAll, .unlock, .makeRecoveryKey, .status, .doctor, .policy, .log, .context, .watch: false
    }
  }
}

/// What the service needs from outside, each behind a protocol.
public struct ServicePorts: Sendable {
  /// Cached keys.
  public var cache: any KeyCaching
  /// Dialogues.
  public var authenticator: any Authenticating
  /// Policies.
  public var policies: any PolicyProviding
  /// Enrolled fingers.
  public var enrolment: any EnrolmentReading
  /// The decision log.
  public var log: any DecisionRecording
  /// Time.
  public var clock: any ServiceClock
  /// The machine.
  public var host: any HostDescribing

  /// Gathers the ports.
  public init(
    cache: any KeyCaching, authenticator: any Authenticating, policies: any PolicyProviding,
    enrolment: any EnrolmentReading, log: any DecisionRecording, clock: any ServiceClock, host: any HostDescribing
  ) {
    self.cache = cache
    self.authenticator = authenticator
    self.policies = policies
    self.enrolment = enrolment
    self.log = log
    self.clock = clock
    self.host = host
  }
}
