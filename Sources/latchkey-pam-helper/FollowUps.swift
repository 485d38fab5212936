internal import DialogueWire
internal import PAMSession
internal import SecretMemory

/// What the daemon may ask after a proof.
struct FollowUps {
  let daemon: DaemonLink
  let prompter: PrompterLink?
  /// The passcode that was proven; nil where there was none or more than one.
  let passcode: SecretBytes?

  /// Serves at most ``HelperFollowUp/maximumCount`` derivations, until the daemon finishes or breaks off.
  func run() {
    var left = HelperFollowUp.maximumCount
    while let followUp = daemon.next() {
      if case .finish(let verdict) = followUp { return finish(verdict) }
      guard left > 0 else { return }
      left -= 1
      serve(followUp)
    }
  }

  private func serve(_ followUp: HelperFollowUp) {
    switch followUp {
    case .askOldPasscode(let order): answer(order, from: askOldPasscode)
    case .stretchAgain(let order): answer(order, from: provenPasscode)
    case .finish: break
    }
  }

  private func answer(
    _ order: DerivationOrder, from source: () throws(FollowUpFailure) -> SecretBytes
  ) {
    do throws(FollowUpFailure) {
      guard let parameters = try? StretchingParameters(order) else { throw FollowUpFailure(cause: .derivationFailed) }
      let passcode = try source()
      guard let key = try? PasscodeStretching.stretch(passcode, parameters: parameters) else {
        throw FollowUpFailure(cause: .derivationFailed)
      }
      daemon.tell(.stretched(key))
    } catch { daemon.tell(.cancelled(error.cause)) }
  }

  private func provenPasscode() throws(FollowUpFailure) -> SecretBytes {
    guard let passcode else { throw FollowUpFailure(cause: .unexpectedQuestion) }
    return passcode
  }

  private func askOldPasscode() throws(FollowUpFailure) -> SecretBytes {
    guard let prompter else { throw FollowUpFailure(cause: .unexpectedQuestion) }
    let answer: SecretBytes
    do throws(QuestionFailure) {
      answer = try prompter.ask(.off, .oldPasscode, .none)
    } catch { throw FollowUpFailure(cause: HelperFailureCause(ConversationRefusal(error))) }
    guard answer.count > 0 else { throw FollowUpFailure(cause: .emptyAnswer) }
    return answer
  }

  private func finish(_ verdict: PromptVerdict) { prompter?.show(.done(verdict)) }
}

/// Why a follow-up has no key.
struct FollowUpFailure: Error {
  let cause: HelperFailureCause
}
