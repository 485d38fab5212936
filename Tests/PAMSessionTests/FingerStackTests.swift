import DialogueWire
import LinuxSystem
import PAMModel
import TestSupport
import Testing

/// The built helper with a stack that asks nothing, as a fingerprint's does.
@Suite(.enabled(if: isRoot, "runs PAM for root")) struct FingerStackTests {
  let folder = StackFolder()

  private func failure(_ code: String, _ answers: AnswerSource) throws -> HelperFailure {
    folder.write(
      "latchkey-passcode",
      "auth requisite pam_debug.so auth=\(code)\nauth required pam_unix.so\naccount required pam_permit.so\n")
    let isAsked = if case .prompter = answers { true } else { false }
    return try HelperRun(helperRequest(folder, answers), prompted: isAsked).failure()
  }

  @Test(arguments: [("maxtries", UInt8(1)), ("auth_err", 0), ("authinfo_unavail", 0), ("cred_err", 0)])
  func `only a finger that was read and is another one counts as a miss`(code: String, misses: UInt8) throws {
    let failure = try failure(code, .none)
    #expect(failure.cause == .refusedByStack && failure.stage == .authenticate)
    #expect(failure.missCount == misses)
  }

  @Test func `where a passcode is asked for, tries that are used up before it are no miss of a person's`() throws {
    #expect(try failure("maxtries", .prompter).missCount == 0)
  }
}
