internal import DialogueWire
internal import KeychainModel
internal import PAMModel

/// What helper, PAM and prompter say, as the reason that the client gets: one table for all of it.
enum ReasonTable {
  /// Why there is no proof, with the stage and PAM's answer where the reason alone does not tell.
  static func refusal(for failure: HelperFailure) -> Refusal {
    let reason = reason(for: failure)
    switch reason {
    case .helperFailed, .cannotVerifyPasscodes, .stackInvalid, .stackCannotFail, .accountDenied, .loginLockedOut:
      return Refusal(reason, detail: detail(of: failure))
    default: return Refusal(reason)
    }
  }

  /// The reason alone.
  static func reason(for failure: HelperFailure) -> Reason {
    failure.cause == .refusedByStack ? refusedByStack(failure) : reason(for: failure.cause)
  }

  /// The reason of a cause that needs no PAM answer.
  static func reason(for cause: HelperFailureCause) -> Reason {
    switch cause {
    case .refusedByStack, .requestRefused, .prompterFailed: .helperFailed
    case .stackMissing: .stackMissing
    case .stackUnusable: .stackInvalid
    case .stackCannotFail: .stackCannotFail
    case .userChanged: .userChanged
    case .emptyAnswer: .emptyPasscode
    case .answerTooLong: .answerTooLong
    // No passcode holds a NUL, so this is not the one.
    case .answerHasNUL: .wrongPasscode
    case .unexpectedQuestion, .conversationRefused: .conversationRefused
    case .cancelledByUser: .userCancelled
    case .terminalGone: .noWayToPrompt
    case .deadlinePassed: .deadlinePassed
    case .derivationFailed: .outOfMemory
    }
  }

  /// Why what was asked for after a proof has no key. Where nobody can be asked for the passcode from before, or the
  /// answer cannot be it, that it is needed says most.
  static func reason(for cause: HelperFailureCause, of followUp: HelperFollowUp) -> Reason {
    guard case .askOldPasscode = followUp else { return reason(for: cause) }
    switch cause {
    case .unexpectedQuestion, .emptyAnswer, .answerHasNUL, .answerTooLong: return .passcodeChanged
    default: return reason(for: cause)
    }
  }

  /// Why a prompter that has ended brings no answer; `nil` where it ended because the helper said that all is done.
  static func reason(for end: PrompterEnd) -> Reason? {
    switch end {
    case .done: nil
    case .userCancelled: .userCancelled
    case .terminalGone, .surfaceUnusable: .noWayToPrompt
    case .deadlinePassed: .deadlinePassed
    case .helperGone: .helperFailed
    }
  }

  private static func refusedByStack(_ failure: HelperFailure) -> Reason {
    switch failure.result {
    // A stack that refuses before anybody answered has locked the account (pam_faillock preauth).
    case .authenticationError where failure.stage == .authenticate:
      failure.missCount > 0 ? .wrongPasscode : .loginLockedOut
    // pam_unix says so at the third wrong answer, a module that has locked the account before the first.
    case .maximumTries: failure.missCount > 0 ? .wrongPasscode : .loginLockedOut
    case .authenticationError, .permissionDenied, .userUnknown: .accountDenied
    case .accountExpired: .accountExpired
    case .newTokenRequired, .tokenExpired, .credentialsExpired: .passcodeExpired
    case .authenticationUnavailable, .credentialsUnavailable, .credentialsInsufficient, .systemError, .bufferError,
      .abort, .tryAgain, .incomplete:
      .cannotVerifyPasscodes
    case .openError, .symbolError, .moduleUnknown, .badItem, .noModuleData: .stackInvalid
    case .conversationError, .conversationAgain: .conversationRefused
    default: .helperFailed
    }
  }

  /// "authenticate, PAM 9: what the module said".
  private static func detail(of failure: HelperFailure) -> String {
    var detail = "\(failure.stage)"
    if failure.result != .success { detail += ", PAM \(failure.result.code)" }
    let text = String(decoding: failure.moduleText.bytes, as: UTF8.self)
    return text.isEmpty ? detail : detail + ": " + text
  }
}
