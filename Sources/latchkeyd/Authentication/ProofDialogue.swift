internal import AccessPolicy
internal import DialogueWire
internal import KeychainModel
internal import KeychainService
internal import LinuxSystem
internal import PAMModel
internal import SecretMemory

/// One proof asked for through PAM, by passcode, finger or both, from the start of the programs to their end, in one thread.
final class ProofDialogue {
  private let request: ProofRequest
  private let legs: DialogueLegs
  private let finger: FingerLeg?
  private let scene: PromptScene
  private let programs: AuthenticationPrograms
  private let gate: DerivationGate
  private let watch: DialogueWatch
  private var cast: DialogueCast?
  /// The turn of the derivation that runs beside PAM.
  private var turn: DerivationGate.Turn?
  /// How many derivations the helper still takes.
  private var followUps = HelperFollowUp.maximumCount

  /// How long a gate that is shut is waited at before the next look: nanoseconds.
  private static let gatePause: UInt64 = 10_000_000
  /// How long a prompter that leaves may take to say why: nanoseconds.
  private static let prompterPatience: UInt64 = 1_000_000_000

  init(
    request: ProofRequest, legs: DialogueLegs, finger: FingerLeg?, scene: PromptScene,
    programs: AuthenticationPrograms, gate: DerivationGate, watch: DialogueWatch
  ) {
    self.request = request
    self.legs = legs
    self.finger = finger
    self.scene = scene
    self.programs = programs
    self.gate = gate
    self.watch = watch
  }

  /// Returns what was proved and counts. Every program has ended, the reader is free and the terminal is as before.
  ///
  /// - Throws: ``Refusal``: why there is no proof, once the stack's delay is over.
  func run() throws(Refusal) -> [AuthenticationMethod] {
    // The last of all: while the prompt stands a finger may be on its way to it.
    var end = ReaderTurns.End.decided
    defer { finger?.leave(end) }
    do throws(DialogueEnd) {
      let methods = try converse()
      finger?.end()
      cast?.end(telling: .succeeded)
      return methods
    } catch {
      finger?.end()
      switch error.outcome {
      case .overtaken:
        cast?.overrule(.succeeded)
        return [.biometry]
      case .refused(let refusal):
        end = ReaderTurns.End(refusal.reason)
        self.end(error.manner, .failed(ShownText(refusal.reason.explanation)))
        watch.hold(microseconds: error.delayMicroseconds)
        throw refusal
      }
    }
  }

  private func end(_ manner: DialogueEnd.Manner, _ verdict: PromptVerdict) {
    switch manner {
    case .atOnce: cast?.endAtOnce()
    case .byItself: cast?.end(telling: nil)
    case .told: cast?.end(telling: verdict)
    case .overruled: cast?.overrule(verdict)
    }
  }

  private func converse() throws(DialogueEnd) -> [AuthenticationMethod] {
    switch legs {
    case .finger:
      try start(nil)
      try awaitFinger()
      return [.biometry]
    case .passcode, .either:
      try provePasscode()
      return [.passcode]
    case .both:
      // Five misses lock the finger until the passcode is given, which is about to be.
      if case .stop = request.finger.standing() { finger?.hold() }
      try provePasscode()
      finger?.release()
      if finger?.standing != .matched {
        let rest = finger?.isWanted == true ? "touch the fingerprint reader" : "a finger is wanted too"
        cast?.prompter?.tell(.say(.info, ShownText("The passcode is accepted; \(rest).")))
      }
      try awaitFinger()
      return [.passcode, .biometry]
    }
  }

  private func awaitFinger() throws(DialogueEnd) {
    while finger?.standing != .matched {
      if try listen() == .helper { throw Self.breach }
    }
  }

  private func provePasscode() throws(DialogueEnd) {
    let proof = try proof()
    // The passcode was faster; the reader is not needed while keys are derived.
    if case .either = legs { finger?.end() }
    let key = try key(of: proof)
    try ending(.atOnce) { () throws(Refusal) in try watch.requireWanted() }
    try settle(request.passcodeKey.passcodeProved(stretched: key))
  }

  /// Derives what the keybag wants yet, until it has taken the passcode.
  private func settle(_ first: PasscodeKeyVerdict) throws(DialogueEnd) {
    var verdict = first
    while true {
      switch verdict {
      case .accepted: return
      case .refused(let refusal): throw DialogueEnd(refusal, .told)
      case .stretchAgain(let parameters):
        let key = try derive(.stretchAgain(DerivationOrder(parameters)))
        verdict = request.passcodeKey.passcodeProved(stretched: key)
      case .askOldPasscode(let parameters):
        let old = try derive(.askOldPasscode(DerivationOrder(parameters)))
        verdict = request.passcodeKey.oldPasscode(stretched: old)
      }
    }
  }

  /// What PAM took. A passcode is stretched beside PAM: one that is here already from the helper's start on, under the gate;
  /// one that must be typed first from its answer on, where the gate has room then, so that a prompt nobody answers keeps no
  /// other user's derivation waiting.
  private func proof() throws(DialogueEnd) -> HelperProof {
    guard let parameters = request.passcodeKey.stretching else {
      try start(nil)
      return try result()
    }
    guard case .supplied = scene.place else {
      try start(DerivationOrder(parameters))
      defer { turn = nil }
      return try result()
    }
    return try gate.run(request.account.uid, waiting: waitAtGate) { () throws(DialogueEnd) in
      try start(DerivationOrder(parameters))
      return try result()
    }
  }

  private func start(_ order: DerivationOrder?) throws(DialogueEnd) {
    cast = try ending(.atOnce) { () throws(Refusal) in
      try DialogueCast(request, legs: legs, scene: scene, order: order, programs: programs)
    }
  }

  private func result() throws(DialogueEnd) -> HelperProof {
    while true {
      switch try next() {
      case .started, .asking, .message: continue
      case .answered: try giveTurn()
      case .miss(let miss):
        turn = nil
        try count(miss)
      case .result(.proved(let proof)): return proof
      case .result(.failed(let failure)): throw end(of: failure)
      case .stretched, .cancelled: throw Self.breach
      }
    }
  }

  /// The passcode was typed: it is stretched now where there is room, else after the proof.
  private func giveTurn() throws(DialogueEnd) {
    guard turn == nil else { throw Self.breach }
    turn = gate.turn(of: request.account.uid)
    try ending(.atOnce) { () throws(Refusal) in try cast?.helper?.tell(turn == nil ? DerivationTurn.later : .now) }
  }

  private func count(_ miss: HelperMiss) throws(DialogueEnd) {
    guard case .stop(let refusal) = request.passcodeKey.missed() else { return }
    var end = DialogueEnd(refusal, .atOnce)
    end.delayMicroseconds = miss.delayMicroseconds
    throw end
  }

  private func end(of failure: HelperFailure) -> DialogueEnd {
    if failure.cause == .prompterFailed, let reason = prompterReason() { return DialogueEnd(Refusal(reason), .atOnce) }
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

  /// Why the prompter left, where that is why the helper has nobody to ask: a key that cancels may come before its question.
  private func prompterReason() -> Reason? {
    guard let prompter = cast?.prompter else { return nil }
    prompter.end(by: Clock.boottime + Self.prompterPatience)
    guard case .ended(let why) = prompter.standing else { return nil }
    return ReasonTable.reason(for: why)
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
      try ending(.atOnce) { () throws(Refusal) in try cast?.helper?.tell(followUp) }
      while true {
        switch try next() {
        case .asking, .message: continue
        case .stretched(let key): return key
        case .cancelled(let cause): throw DialogueEnd(Refusal(ReasonTable.reason(for: cause, of: followUp)), .told)
        case .started, .miss, .result, .answered: throw Self.breach
        }
      }
    }
  }

  /// The helper's next word. What prompter and reader say is heeded on the way.
  private func next() throws(DialogueEnd) -> HelperEvent {
    guard let helper = cast?.helper else { throw Self.breach }
    while try listen() != .helper {}
    return try ending(.atOnce) { () throws(Refusal) in try helper.event() }
  }

  /// Who was heard.
  private enum Voice { case helper, others }

  /// Waits until somebody speaks or a moment has come. The helper is only named, the others are heeded.
  private func listen(until moment: UInt64 = .max) throws(DialogueEnd) -> Voice {
    guard let cast else { throw Self.breach }
    let voices = [cast.helper?.descriptor, cast.prompterDescriptor, finger?.descriptor]
    let present = voices.compactMap { $0 }
    // Before the prompt is up nobody knows that a finger is wanted.
    let due = cast.prompter?.progress == .starting ? UInt64.max : finger?.due ?? .max
    let ready = try ending(.atOnce) { () throws(Refusal) in try watch.wait(for: present, until: min(moment, due)) }
    var isReady = ready.makeIterator()
    let heard = voices.map { $0 == nil ? false : isReady.next() ?? false }
    if heard[0] { return .helper }
    if heard[1] { try heedPrompter(cast) }
    if heard[2] { try take(finger?.heed(), cast) }
    if due <= Clock.boottime { try take(finger?.startIfDue(), cast) }
    return .others
  }

  private func take(_ news: FingerLeg.News?, _ cast: DialogueCast) throws(DialogueEnd) {
    switch (news, legs) {
    case (nil, _): return
    case (.said(let style, let text), _): cast.prompter?.tell(.say(style, text))
    case (.wanted(let text), _):
      cast.prompter?.tell(.fingerWanted)
      cast.prompter?.tell(.say(.info, text))
    case (.waits(let holder), _): cast.prompter?.tell(.fingerWaits(holder))
    case (.matched, .either): throw .overtaken
    case (.matched, _):
      cast.prompter?.tell(.say(.info, ShownText("The finger is accepted.")))
      cast.prompter?.tell(.fingerOver(.none))
      finger?.leave(.brokenOff)
    case (.over(let refusal), .either):
      cast.prompter?.tell(.fingerOver(ShownText(refusal.reason.explanation)))
      finger?.leave(.brokenOff)
    case (.over(let refusal), _): throw DialogueEnd(refusal, .overruled)
    }
  }

  private func heedPrompter(_ cast: DialogueCast) throws(DialogueEnd) {
    cast.prompter?.heed()
    switch cast.prompter?.standing {
    case nil: return
    case .running: try heedChoice(cast)
    case .vanished: throw DialogueEnd(Refusal(.helperFailed, detail: "the prompter ended without an answer"), .atOnce)
    case .ended(let why):
      guard let reason = ReasonTable.reason(for: why) else { return }
      // A terminal that 'su' took over from somebody else cannot be opened by this user.
      let detail = why == .surfaceUnusable ? "the terminal or display cannot be used as this user" : ""
      throw DialogueEnd(Refusal(reason, detail: detail), .atOnce)
    }
  }

  /// The passcode instead of the finger: where it does not do, that is the end.
  private func heedChoice(_ cast: DialogueCast) throws(DialogueEnd) {
    guard cast.prompter?.progress == .passcodeChosen else { return }
    switch legs {
    case .either:
      finger?.end()
      finger?.leave(.brokenOff)
    case .finger: throw DialogueEnd(Refusal(.userFallback), .overruled)
    case .passcode, .both: throw Self.breach
    }
  }

  /// Waits a moment for another derivation's end; the prompt, the client and the deadline are watched meanwhile.
  private func waitAtGate(_ round: Int) throws(DialogueEnd) {
    if round == 0 {
      watch.channel.notify(Notice(kind: .waiting, text: "another key derivation is running; waiting for its end"))
    }
    let moment = Clock.boottime + Self.gatePause
    guard cast != nil else {
      _ = try ending(.atOnce) { () throws(Refusal) in try watch.wait(for: [], until: moment) }
      return
    }
    // The helper has nothing to say now, unless it is gone.
    if try listen(until: moment) == .helper { throw Self.breach }
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
