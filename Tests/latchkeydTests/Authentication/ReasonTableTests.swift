import DialogueWire
import KeychainModel
import LinuxSystem
import PAMModel
import SecretMemory
import Testing

@testable import latchkeyd

/// Each word of helper, PAM and prompter, and the reason that stands for it.
@Suite struct ReasonTableTests {
  private static let causes: [(HelperFailureCause, Reason)] = [
    (.stackMissing, .stackMissing), (.stackUnusable, .stackInvalid), (.requestRefused, .helperFailed),
    (.userChanged, .userChanged), (.emptyAnswer, .emptyPasscode), (.answerTooLong, .answerTooLong),
    (.unexpectedQuestion, .conversationRefused), (.conversationRefused, .conversationRefused),
    (.cancelledByUser, .userCancelled), (.terminalGone, .noWayToPrompt), (.deadlinePassed, .deadlinePassed),
    (.prompterFailed, .helperFailed), (.derivationFailed, .outOfMemory), (.answerHasNUL, .wrongPasscode),
    (.stackCannotFail, .stackCannotFail),
  ]

  @Test(arguments: causes) func `a cause`(cause: HelperFailureCause, reason: Reason) {
    #expect(ReasonTable.reason(for: HelperFailure(stage: .start, cause: cause)) == reason)
    // PAM's answer says nothing where the stack was not the one to refuse.
    #expect(ReasonTable.reason(for: HelperFailure(stage: .account, cause: cause, result: .accountExpired)) == reason)
  }

  @Test func `every cause has a row`() {
    #expect(Set(Self.causes.map(\.0)).union([.refusedByStack]) == Set(HelperFailureCause.allCases))
  }

  private static let answers: [(HelperStage, PAMResult, UInt8, Reason)] = [
    (.authenticate, .authenticationError, 1, .wrongPasscode), (.authenticate, .authenticationError, 0, .loginLockedOut),
    (.authenticate, .maximumTries, 0, .loginLockedOut), (.authenticate, .maximumTries, 3, .wrongPasscode),
    (.account, .authenticationError, 0, .accountDenied),
    (.account, .permissionDenied, 0, .accountDenied), (.authenticate, .permissionDenied, 1, .accountDenied),
    (.authenticate, .userUnknown, 0, .accountDenied), (.account, .userUnknown, 0, .accountDenied),
    (.account, .accountExpired, 0, .accountExpired), (.account, .newTokenRequired, 0, .passcodeExpired),
    (.account, .tokenExpired, 0, .passcodeExpired), (.account, .credentialsExpired, 0, .passcodeExpired),
    (.authenticate, .authenticationUnavailable, 0, .cannotVerifyPasscodes),
    (.authenticate, .credentialsUnavailable, 0, .cannotVerifyPasscodes),
    (.authenticate, .credentialsInsufficient, 0, .cannotVerifyPasscodes),
    (.authenticate, .systemError, 0, .cannotVerifyPasscodes), (.authenticate, .abort, 0, .cannotVerifyPasscodes),
    (.authenticate, .moduleUnknown, 0, .stackInvalid), (.authenticate, .openError, 0, .stackInvalid),
    (.authenticate, .symbolError, 0, .stackInvalid), (.authenticate, .conversationError, 0, .conversationRefused),
    (.authenticate, .unknown(77), 0, .helperFailed), (.account, .success, 0, .helperFailed),
  ]

  @Test(arguments: answers)
  func `an answer of PAM`(stage: HelperStage, result: PAMResult, misses: UInt8, reason: Reason) {
    var failure = HelperFailure(stage: stage, cause: .refusedByStack, result: result)
    failure.missCount = misses
    #expect(ReasonTable.reason(for: failure) == reason)
  }

  @Test func `the stage, the number and the module's words stand beside a reason that does not tell`() {
    var failure = HelperFailure(stage: .authenticate, cause: .refusedByStack, result: .authenticationUnavailable)
    failure.moduleText = ShownText("no shadow")
    #expect(
      ReasonTable.refusal(for: failure) == Refusal(.cannotVerifyPasscodes, detail: "authenticate, PAM 9: no shadow"))
    failure.result = .authenticationError
    failure.missCount = 1
    #expect(ReasonTable.refusal(for: failure) == Refusal(.wrongPasscode))
    #expect(
      ReasonTable.refusal(for: HelperFailure(stage: .derivation, cause: .requestRefused))
        == Refusal(.helperFailed, detail: "derivation"))
  }

  private static let ends: [(PrompterEnd, Reason?)] = [
    (.done, nil), (.userCancelled, .userCancelled), (.terminalGone, .noWayToPrompt), (.deadlinePassed, .deadlinePassed),
    (.surfaceUnusable, .noWayToPrompt), (.helperGone, .helperFailed),
  ]

  @Test(arguments: ends) func `an end of the prompter`(end: PrompterEnd, reason: Reason?) {
    #expect(ReasonTable.reason(for: end) == reason)
  }

  @Test func `every end of the prompter has a row`() {
    #expect(Set(Self.ends.map(\.0)) == Set(PrompterEnd.allCases))
  }

  @Test func `what cannot be the passcode from before leaves it changed`() throws {
    let order = DerivationOrder(salt: [UInt8](repeating: 0, count: 16), operations: 2, memoryBytes: 67_108_864)
    for cause in [HelperFailureCause.unexpectedQuestion, .emptyAnswer, .answerTooLong, .answerHasNUL] {
      #expect(ReasonTable.reason(for: cause, of: .askOldPasscode(order)) == .passcodeChanged)
    }
    #expect(ReasonTable.reason(for: .cancelledByUser, of: .askOldPasscode(order)) == .userCancelled)
    #expect(ReasonTable.reason(for: .unexpectedQuestion, of: .stretchAgain(order)) == .conversationRefused)
    #expect(ReasonTable.reason(for: .derivationFailed, of: .stretchAgain(order)) == .outOfMemory)
  }

  @Test(arguments: [
    (PasscodeState.set, Reason?.none), (.unknown, nil), (.notSet, .passcodeNotSet), (.locked, .accountLocked),
    (.disabled, .passcodeUnusable), (.unusable, .passcodeUnusable),
  ])
  func `a state of the passcode`(state: PasscodeState, reason: Reason?) {
    #expect(AccountFacts.reason(of: state) == reason)
  }

  @Test(arguments: [
    (AccountAgeing.Standing.current, Reason?.none), (.mustChange, .passcodeExpired),
    (.passcodeExpired, .passcodeExpired), (.accountExpired, .accountExpired),
  ])
  func `a standing of the account`(standing: AccountAgeing.Standing, reason: Reason?) {
    #expect(AccountFacts.reason(of: standing) == reason)
  }
}
