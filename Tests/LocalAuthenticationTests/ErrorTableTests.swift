import Foundation
import KeychainModel
import LocalAuthentication
import Testing

/// From reasons to errors.
@Suite struct ErrorTableTests {
  /// The outcomes that Apple's API tells apart.
  static let outcomes: [(Reason, LAError.Code, Int32)] = [
    (.userCancelled, .userCancel, -128), (.appCancelled, .appCancel, -128), (.systemCancelled, .systemCancel, -128),
    (.noMatch, .authenticationFailed, -25293), (.wrongPasscode, .authenticationFailed, -25293),
    (.biometryLockout, .biometryLockout, -25293), (.biometryNotEnrolled, .biometryNotEnrolled, -25291),
    (.biometryNotAvailable, .biometryNotAvailable, -25291), (.passcodeNotSet, .passcodeNotSet, -25291),
    (.userFallback, .userFallback, -25293), (.deadlinePassed, .systemCancel, -25315),
    (.contextInvalid, .invalidContext, -25293), (.companionNotAvailable, .companionNotAvailable, -25291),
    (.interactionNotAllowed, .notInteractive, -25308), (.noWayToPrompt, .notInteractive, -25308),
  ]

  @Test(arguments: outcomes)
  func `each outcome has its error and its result code`(outcome: (reason: Reason, code: LAError.Code, status: Int32)) {
    #expect(AuthenticationFailure.code(for: outcome.reason) == outcome.code)
    #expect(outcome.reason.status.rawValue == outcome.status)
  }

  @Test func `every reason has one row, here or in its own table`() {
    for reason in Reason.allCases {
      let own = reason.row.authenticationError
      #expect((own == nil) == (AuthenticationFailure.others[reason] != nil), "\(reason)")
      if let own {
        #expect(LAError.Code(rawValue: own) != nil, "\(reason)")
        #expect(AuthenticationFailure.code(for: reason).rawValue == own)
      }
    }
  }

  @Test(arguments: Reason.allCases)
  func `an error says its reason, its sentence and what to do`(reason: Reason) {
    let error = AuthenticationFailure.error(for: Refusal(reason, detail: "about this"))
    #expect(error.domain == "com.apple.LocalAuthentication")
    #expect(error.userInfo[LatchkeyReasonErrorKey] as? String == reason.rawValue)
    #expect(error.localizedDescription.lowercased() == reason.explanation.lowercased())
    #expect(error.localizedDescription.first?.isUppercase == true, "an alert shows it as it is")
    #expect(error.localizedRecoverySuggestion == reason.nextStep)
    #expect(error.localizedFailureReason == "about this")
    #expect((error as any Error as? LAError)?.code == AuthenticationFailure.code(for: reason))
  }

  @Test(arguments: Reason.allCases)
  func `a stored right keeps the result code of what is no authentication`(reason: Reason) {
    let error = AuthenticationFailure.storedRightError(for: Refusal(reason))
    if reason.row.authenticationError == nil {
      #expect(error.domain == NSOSStatusErrorDomain && error.code == Int(reason.status.rawValue))
    } else {
      #expect(error.domain == LAErrorDomain)
    }
    #expect(error.userInfo[LatchkeyReasonErrorKey] as? String == reason.rawValue)
  }
}
