internal import DialogueWire
internal import LinuxSystem
internal import PAMModel
internal import PAMSession
internal import SecretMemory

/// One authentication: the account, the stack's file, the tries, the account lines, the user, the key.
struct Authentication {
  let request: HelperRequest
  let conversant: HelperConversant
  let daemon: DaemonLink
  let prompter: PrompterLink?

  /// Runs it to its end.
  func run() -> HelperOutcome {
    do throws(HelperFailure) {
      try requireAccount()
      let session = try authenticate(try checkedStack())
      let questions = try checkAccount(session)
      guard session.user == request.user else { throw HelperFailure(stage: .user, cause: .userChanged) }
      return .proved(try proof(questions: questions))
    } catch {
      return .failed(error)
    }
  }

  /// The account must be the one the daemon means, and our own unless we are root.
  private func requireAccount() throws(HelperFailure) {
    let own = Users.effectiveUserID
    let account = try? Users.account(request.user)
    guard own == 0 || own == request.uid, account?.uid == request.uid else {
      throw HelperFailure(stage: .start, cause: .requestRefused)
    }
  }

  private func checkedStack() throws(HelperFailure) -> CheckedStack {
    let limit = StackCheck.maximumFileBytes
    let contents: [UInt8]
    do throws(Errno) {
      contents = try Files.readAll(request.pamDirectory + "/" + request.stack.text, limit: limit)
    } catch .noSuchFile { throw HelperFailure(stage: .start, cause: .stackMissing) } catch {
      throw HelperFailure(stage: .start, cause: .stackUnusable)
    }
    do throws(StackFlaw) {
      return try CheckedStack(name: request.stack, directory: request.pamDirectory, contents: contents) { path in
        try? Files.readAll(path, limit: limit)
      }
    } catch { throw HelperFailure(error) }
  }

  private func startSession(_ stack: CheckedStack) throws(HelperFailure) -> PAMSession {
    let subject = PAMSubject(
      user: request.user, terminalName: request.terminalName, remoteHost: request.remoteHost)
    do throws(PAMStartFailure) {
      return try PAMSession(subject, stack: stack, conversant: conversant)
    } catch { throw HelperFailure(stage: .start, cause: .stackUnusable, result: error.result) }
  }

  /// Tries until PAM accepts, refuses for another reason than a wrong answer, or no try is left.
  private func authenticate(_ stack: CheckedStack) throws(HelperFailure) -> PAMSession {
    var session = try startSession(stack)
    var misses: UInt8 = 0
    while true {
      conversant.beginTry()
      let reply = session.authenticate()
      if reply.refusal == nil, reply.result == .success { return session }
      if reply.isWrongAnswer || isOtherFinger(reply) { misses += 1 }
      guard reply.isWrongAnswer, misses < request.tries else {
        throw HelperFailure(.authenticate, reply, misses: misses)
      }
      conversant.endTurn()
      tellMiss(misses, reply)
      // pam_unix takes three answers in one transaction; the policy's tries are what counts.
      if reply.result == .maximumTries { session = try startSession(stack) }
    }
  }

  /// Whether a finger was read and is not one of those enrolled (pam_fprintd: all its tries were misses). A swipe that was too
  /// short, a timeout and a fault have other codes.
  private func isOtherFinger(_ reply: PAMReply) -> Bool {
    guard case .none = request.answers, reply.refusal == nil else { return false }
    return reply.result == .maximumTries
  }

  private func tellMiss(_ misses: UInt8, _ reply: PAMReply) {
    daemon.tell(.miss(HelperMiss(count: misses, delayMicroseconds: reply.delayMicroseconds)))
    let left = request.tries - misses
    prompter?.show(.error(ShownText("Wrong passcode, \(left) \(left == 1 ? "try" : "tries") left.")))
  }

  /// Gives the number of hidden questions answered in all.
  private func checkAccount(_ session: PAMSession) throws(HelperFailure) -> Int {
    let reply = session.checkAccount()
    guard reply.refusal == nil, reply.result == .success else { throw HelperFailure(.account, reply, misses: 0) }
    return reply.hiddenAnswers
  }

  private func proof(questions: Int) throws(HelperFailure) -> HelperProof {
    var proof = HelperProof(user: request.user, questionCount: UInt8(clamping: questions), stretched: nil)
    guard questions == 1, request.derivation != nil, conversant.turn == .now else { return proof }
    guard let key = conversant.derivation?.key() else {
      throw HelperFailure(stage: .derivation, cause: .derivationFailed)
    }
    proof.stretched = key
    return proof
  }
}

extension PAMReply {
  /// Whether somebody answered and the answer was wrong, be it the last that this transaction takes.
  fileprivate var isWrongAnswer: Bool {
    refusal == nil && hiddenAnswers > 0 && (result == .authenticationError || result == .maximumTries)
  }
}

extension HelperFailure {
  /// What a session's reply means at this stage.
  fileprivate init(_ stage: HelperStage, _ reply: PAMReply, misses: UInt8) {
    let cause = reply.refusal.map { HelperFailureCause($0) } ?? .refusedByStack
    self.init(stage: stage, cause: cause, result: reply.result)
    missCount = misses
    delayMicroseconds = reply.delayMicroseconds
    moduleText = ShownText(reply.text)
  }

  fileprivate init(_ flaw: StackFlaw) {
    self.init(stage: .start, cause: flaw.reason.cannotFail ? .stackCannotFail : .stackUnusable)
    moduleText = ShownText("line \(flaw.line): \(flaw.reason.explanation)")
  }
}
