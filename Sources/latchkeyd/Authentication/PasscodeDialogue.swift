internal import DialogueWire
internal import KeychainModel
internal import KeychainService
internal import LinuxSystem
internal import PAMModel
internal import SecretMemory

/// One passcode asked for through PAM, from the start of the programs to their end, in one thread.
final class PasscodeDialogue {
  private let request: ProofRequest
  private let stack: CheckedStack
  private let place: PromptPlace
  private let programs: AuthenticationPrograms
  private let gate: DerivationGate
  private let watch: DialogueWatch
  private var cast: DialogueCast?
  /// How many derivations the helper still takes.
  private var followUps = HelperFollowUp.maximumCount

  /// How long a gate that is shut is waited at before the next look: nanoseconds.
  private static let gatePause: UInt64 = 10_000_000

  init(
    request: ProofRequest, stack: CheckedStack, place: PromptPlace, programs: AuthenticationPrograms,
    gate: DerivationGate, watch: DialogueWatch
  ) {
    self.request = request
    self.stack = stack
    self.place = place
    self.programs = programs
    self.gate = gate
    self.watch = watch
  }

  /// Returns when PAM accepted a passcode and it counts. Every program has ended and the terminal is as before.
  ///
  /// - Throws: ``Refusal``: why there is no proof, once the stack's delay is over.
  func run() throws(Refusal) {
    do throws(DialogueEnd) {
      try converse()
      cast?.end(telling: .succeeded)
    } catch {
      switch error.manner {
      case .atOnce: cast?.endAtOnce()
      case .byItself: cast?.end(telling: nil)
      case .told: cast?.end(telling: .failed(ShownText(error.refusal.reason.explanation)))
      }
      watch.hold(microseconds: error.delayMicroseconds)
      throw error.refusal
    }
  }

  private func converse() throws(DialogueEnd) {
    let proof = try proof()
    let key = try key(of: proof)
    try ending(.atOnce) { () throws(Refusal) in try watch.requireWanted() }
    var verdict = request.passcodeKey.passcodeProved(stretched: key)
    while case .askOldPasscode(let parameters) = verdict {
      let old = try derive(.askOldPasscode(DerivationOrder(parameters)))
      verdict = request.passcodeKey.oldPasscode(stretched: old)
    }
    if case .refused(let refusal) = verdict { throw DialogueEnd(refusal, .told) }
  }

  /// What PAM took. A passcode that is here already is stretched beside PAM; one that must be typed first is stretched
  /// afterwards, so that a prompt nobody answers keeps no other user's derivation waiting.
  private func proof() throws(DialogueEnd) -> HelperProof {
    guard case .supplied = place, let parameters = request.passcodeKey.stretching else {
      try start(nil)
      return try result()
    }
    return try gate.run(request.account.uid, waiting: waitAtGate) { () throws(DialogueEnd) in
      try start(DerivationOrder(parameters))
      return try result()
    }
  }

  private func start(_ order: DerivationOrder?) throws(DialogueEnd) {
    cast = try ending(.atOnce) { () throws(Refusal) in
      try DialogueCast(request, stack: stack, place: place, order: order, programs: programs)
    }
  }

  private func result() throws(DialogueEnd) -> HelperProof {
    while true {
      switch try next() {
      case .started, .asking, .message: continue
      case .miss(let miss): try count(miss)
      case .result(.proved(let proof)): return proof
      case .result(.failed(let failure)): throw end(of: failure)
      case .stretched, .cancelled: throw Self.breach
      }
    }
  }

  private func count(_ miss: HelperMiss) throws(DialogueEnd) {
    guard case .stop(let refusal) = request.passcodeKey.missed() else { return }
    var end = DialogueEnd(refusal, .atOnce)
    end.delayMicroseconds = miss.delayMicroseconds
    throw end
  }

  private func end(of failure: HelperFailure) -> DialogueEnd {
    var refusal = ReasonTable.refusal(for: failure)
    // The last wrong answer of a dialogue counts as the others did; PAM must have seen it.
    if failure.cause == .refusedByStack, refusal.reason == .wrongPasscode,
      case .stop(let stop) = request.passcodeKey.missed()
    {
      refusal.detail = stop.detail
    }
    var end = DialogueEnd(refusal, .byItself)
    end.delayMicroseconds = failure.delayMicroseconds
    return end
  }

  /// The key of a proof: `nil` where none is wanted, or where more than one answer was given and so none is the passcode.
  private func key(of proof: HelperProof) throws(DialogueEnd) -> SecretBytes? {
    guard proof.user == request.account.name else { throw DialogueEnd(Refusal(.userChanged), .told) }
    guard proof.questionCount > 0 else {
      throw DialogueEnd(Refusal(.stackCannotFail, detail: "PAM accepted without a hidden question"), .told)
    }
    guard proof.questionCount == 1, let parameters = request.passcodeKey.stretching else { return nil }
    if let key = proof.stretched { return key }
    return try derive(.stretchAgain(DerivationOrder(parameters)))
  }

  /// Has the helper derive once more, when this user's turn has come.
  private func derive(_ followUp: HelperFollowUp) throws(DialogueEnd) -> SecretBytes {
    guard followUps > 0 else { throw DialogueEnd(Refusal(.passcodeChanged), .told) }
    followUps -= 1
    return try gate.run(request.account.uid, waiting: waitAtGate) { () throws(DialogueEnd) in
      try ending(.atOnce) { () throws(Refusal) in try cast?.helper.tell(followUp) }
      while true {
        switch try next() {
        case .asking, .message: continue
        case .stretched(let key): return key
        case .cancelled(let cause): throw DialogueEnd(Refusal(ReasonTable.reason(for: cause, of: followUp)), .told)
        case .started, .miss, .result: throw Self.breach
        }
      }
    }
  }

  /// The helper's next word. The prompter's words are heeded on the way.
  private func next() throws(DialogueEnd) -> HelperEvent {
    guard let cast else { throw Self.breach }
    while true {
      let ready = try ending(.atOnce) { () throws(Refusal) in try watch.wait(for: cast.descriptors) }
      if ready[0] { return try ending(.atOnce) { () throws(Refusal) in try cast.helper.event() } }
      try heedPrompter(cast)
    }
  }

  private func heedPrompter(_ cast: DialogueCast) throws(DialogueEnd) {
    cast.prompter?.heed()
    switch cast.prompter?.standing {
    case nil, .running: return
    case .vanished: throw DialogueEnd(Refusal(.helperFailed, detail: "the prompter ended without an answer"), .atOnce)
    case .ended(let why):
      guard let reason = ReasonTable.reason(for: why) else { return }
      // A terminal that 'su' took over from somebody else cannot be opened by this user.
      let detail = why == .surfaceUnusable ? "the terminal or display cannot be used as this user" : ""
      throw DialogueEnd(Refusal(reason, detail: detail), .atOnce)
    }
  }

  /// Waits a moment for another derivation's end; the prompt, the client and the deadline are watched meanwhile.
  private func waitAtGate(_ round: Int) throws(DialogueEnd) {
    if round == 0 {
      watch.channel.notify(Notice(kind: .waiting, text: "another key derivation is running; waiting for its end"))
    }
    let descriptors = cast?.descriptors ?? []
    let ready = try ending(.atOnce) { () throws(Refusal) in
      try watch.wait(for: descriptors, until: Clock.boottime + Self.gatePause)
    }
    // The helper has nothing to say now, unless it is gone.
    if ready.first == true { throw Self.breach }
    if ready.contains(true), let cast { try heedPrompter(cast) }
  }

  private static var breach: DialogueEnd {
    DialogueEnd(Refusal(.helperFailed, detail: "it spoke out of turn or is gone"), .atOnce)
  }
}

/// Gives a refusal the manner that the dialogue ends in.
private func ending<Result>(
  _ manner: DialogueEnd.Manner, _ body: () throws(Refusal) -> Result
) throws(DialogueEnd) -> Result {
  do throws(Refusal) { return try body() } catch { throw DialogueEnd(error, manner) }
}

extension DerivationOrder {
  init(_ parameters: StretchingParameters) {
    self.init(salt: parameters.salt, operations: parameters.operations, memoryBytes: parameters.memoryBytes)
  }
}
