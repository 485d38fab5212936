import Foundation
import KeychainModel
import Testing

struct ReasonTests {
  /// Every reason in the order of its number, with its OSStatus and LAError. Frames, records and scripts hold these:
  /// a row is never changed or moved, new ones go to the end.
  static let pinned: [(name: String, status: Int32, authenticationError: Int?)] = [
    ("itemNotFound", -25300, nil),
    ("duplicateItem", -25299, nil),
    ("invalidParameter", -50, nil),
    ("noSuchAttribute", -25303, nil),
    ("noSuchClass", -25306, nil),
    ("missingEntitlement", -34018, nil),
    ("valueTooLarge", -25302, nil),
    ("keybagLocked", -25308, nil),
    ("beforeFirstUnlock", -25308, nil),
    ("interactionNotAllowed", -25308, -1004),
    ("noWayToPrompt", -25308, -1004),
    ("promptPending", -25308, -1004),
    ("passcodeSuppliedTwice", -25293, -1),
    ("userCancelled", -128, -2),
    ("appCancelled", -128, -9),
    ("systemCancelled", -128, -4),
    ("clientGone", -128, -9),
    ("userFallback", -25293, -3),
    ("deadlinePassed", -25315, -4),
    ("wrongPasscode", -25293, -1),
    ("emptyPasscode", -25293, -1),
    ("answerTooLong", -25293, -1),
    ("noMatch", -25293, -1),
    ("tooManyAttempts", -25293, -1),
    ("loginLockedOut", -25293, -1),
    ("biometryLockout", -25293, -8),
    ("accountExpired", -25293, -1),
    ("accountLocked", -25293, -1),
    ("accountDenied", -25293, -1),
    ("passcodeExpired", -25293, -1),
    ("passcodeNotSet", -25291, -5),
    ("passcodeUnusable", -25291, -5),
    ("passcodeNotBound", -25293, -5),
    ("passcodeChanged", -25293, -1),
    ("recoveryKeyWrong", -25293, -1),
    ("noRecoveryKey", -25291, nil),
    ("biometryNotAvailable", -25291, -6),
    ("biometryNotEnrolled", -25291, -7),
    ("readerBusy", -25291, -6),
    ("readerBroken", -25291, -6),
    ("lidClosed", -25291, -6),
    ("biometryNotCached", -25291, -6),
    ("companionNotAvailable", -25291, -11),
    ("invalidatedByEnrolment", -25300, nil),
    ("passcodeRemoved", -25300, nil),
    ("contextInvalid", -25293, -10),
    ("operationDenied", -25293, nil),
    ("applicationPasswordRequired", -25293, -1),
    ("applicationPasswordWrong", -25293, -1),
    ("noMethodAllowed", -25293, -1),
    ("callerNotAllowed", -25293, nil),
    ("remoteDenied", -25293, -1),
    ("remoteMethodDenied", -25293, -1),
    ("policyInvalid", -25291, nil),
    ("policyLooser", -25293, nil),
    ("stackMissing", -25291, -6),
    ("stackCannotFail", -25291, -1),
    ("stackInvalid", -25291, -1),
    ("conversationRefused", -25293, -1),
    ("userChanged", -25293, -1),
    ("cannotVerifyPasscodes", -25291, -6),
    ("helperFailed", -25291, -6),
    ("serviceUnavailable", -25291, nil),
    ("serviceTimedOut", -25291, nil),
    ("serverNotTrusted", -25291, nil),
    ("protocolMismatch", -25291, nil),
    ("tooManyRequests", -25291, nil),
    ("storeDamaged", -25291, nil),
    ("storeNewer", -25310, nil),
    ("storeForeign", -25291, nil),
    ("storeReadOnly", -25292, nil),
    ("diskFull", -34, nil),
    ("ioFailed", -36, nil),
    ("outOfMemory", -108, nil),
    ("rowDamaged", -25300, nil),
    ("archiveInvalid", -50, nil),
    ("archivePassphraseWrong", -25293, nil),
    ("unimplemented", -25291, nil),
    ("internalFailure", -25291, nil),
    ("itemChanged", -36, nil),
    ("biometryRemote", -25291, -6),
    ("enrolmentUnreadable", -25291, -6),
    ("recoveryKeyUnseen", -61, nil),
    ("programChanged", -25293, nil),
  ]

  @Test func `every reason has its number, status and LAError, and keeps them`() throws {
    #expect(Reason.allCases.count == Self.pinned.count, "a new reason goes to the end of this list")
    for (place, row) in Self.pinned.enumerated() {
      let reason = try #require(Reason(rawValue: row.name))
      #expect(reason.number == UInt16(place + 1), "\(row.name)")
      #expect(reason.status.rawValue == row.status, "\(row.name)")
      #expect(reason.row.authenticationError == row.authenticationError, "\(row.name)")
      #expect(Reason(number: UInt16(place + 1)) == reason)
    }
  }

  @Test func `numbers outside the list are no reason`() {
    #expect(Reason(number: 0) == nil)
    #expect(Reason(number: UInt16(Self.pinned.count + 1)) == nil)
    #expect(Reason(number: .max) == nil)
  }

  /// What scripts rely on, as macOS `security` ends.
  @Test(arguments: [
    (Reason.itemNotFound, UInt8(44)), (.duplicateItem, 45), (.interactionNotAllowed, 36), (.keybagLocked, 36),
    (.beforeFirstUnlock, 36), (.noWayToPrompt, 36), (.wrongPasscode, 51), (.operationDenied, 51),
    (.userCancelled, 128), (.serviceUnavailable, 53), (.biometryNotAvailable, 53), (.passcodeNotSet, 53),
  ])
  func `a refusal ends a command with the low byte of its status`(_ reason: Reason, _ exit: UInt8) {
    #expect(reason.status.exitStatus == exit)
  }

  @Test func `no refusal ends a command as success or as a usage error`() {
    for reason in Reason.allCases { #expect(![0, 1, 2].contains(reason.status.exitStatus), "\(reason)") }
  }

  @Test func `only what is missing or gone for good answers not found`() {
    let gone = Reason.allCases.filter { $0.status == .itemNotFound }
    #expect(gone == [.itemNotFound, .invalidatedByEnrolment, .passcodeRemoved, .rowDamaged])
  }

  @Test func `every sentence is a sentence, and none is used twice`() {
    for reason in Reason.allCases {
      #expect(reason.explanation.hasSuffix(".") && reason.nextStep.hasSuffix("."), "\(reason)")
      #expect(reason.explanation.first?.isLowercase == true, "it follows a colon: \(reason)")
      #expect(reason.nextStep.first?.isUppercase == true, "\(reason)")
    }
    #expect(Set(Reason.allCases.map(\.explanation)).count == Reason.allCases.count)
  }

  private static let errorNames = [
    -1: "authenticationFailed", -2: "userCancel", -3: "userFallback", -4: "systemCancel", -5: "passcodeNotSet",
    -6: "biometryNotAvailable", -7: "biometryNotEnrolled", -8: "biometryLockout", -9: "appCancel",
    -10: "invalidContext", -11: "companionNotAvailable", -1004: "notInteractive",
  ]

  @Test func `docs/reasons.md says what the code says`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(contentsOf: root.appendingPathComponent("docs/reasons.md"), encoding: .utf8)
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
    let expected = try Reason.allCases.map { reason in
      let error = try reason.row.authenticationError.map { try #require(Self.errorNames[$0]) } ?? "-"
      let sentence = reason.explanation.prefix(1).uppercased() + reason.explanation.dropFirst()
      return "| `\(reason.rawValue)` | \(reason.status.rawValue) | \(reason.status.exitStatus) | \(error) | "
        + "\(sentence) | \(reason.nextStep) |"
    }
    #expect(rows == expected)
  }
}

@Suite struct FingerAloneTests {
  @Test func `where a finger alone opens an item nobody is sent to the passcode`() {
    for reason in Reason.allCases {
      let marked = FingerAlone.marked(Refusal(reason, detail: "why"))
      guard let advice = FingerAlone.nextStep(marked) else {
        #expect(marked == Refusal(reason, detail: "why"))
        continue
      }
      #expect(!advice.contains("passcode") && marked.detail == "why; only a finger opens it", "\(reason)")
      #expect(FingerAlone.marked(marked) == marked)
      #expect(FingerAlone.nextStep(Refusal(reason)) == nil)
    }
    for reason in [Reason.interactionNotAllowed, .noWayToPrompt, .noMatch, .lidClosed] {
      #expect(reason.nextStep.contains("passcode") && FingerAlone.nextStep(FingerAlone.marked(Refusal(reason))) != nil)
    }
  }
}
