package import Foundation
package import KeychainModel
internal import Security

/// From the daemon's reasons to Apple's errors: the one place where they meet.
///
/// Most reasons name their code themselves (``ReasonRow``); here stand those that LocalAuthentication would not answer on
/// Apple's systems, because there no daemon can be missing.
package enum AuthenticationFailure {
  /// The code of a reason.
  package static func code(for reason: Reason) -> LAError.Code {
    if let own = reason.row.authenticationError.flatMap(LAError.Code.init(rawValue:)) { return own }
    return others[reason] ?? .systemCancel
  }

  /// The codes of the reasons that name none.
  package static let others: [Reason: LAError.Code] = {
    var table: [Reason: LAError.Code] = [:]
    for (code, reasons) in rows {
      for reason in reasons { table[reason] = code }
    }
    return table
  }()

  private static let rows: [(LAError.Code, [Reason])] = [
    // Nobody can be asked: the same answer as where passcodes cannot be verified.
    (
      .biometryNotAvailable,
      [
        .serviceUnavailable, .serviceTimedOut, .serverNotTrusted, .protocolMismatch, .tooManyRequests, .policyInvalid,
        .noRecoveryKey, .unimplemented,
      ]
    ),
    // Somebody could be asked, and the machine failed on the way.
    (
      .systemCancel,
      [
        .storeDamaged, .storeNewer, .storeForeign, .storeReadOnly, .diskFull, .ioFailed, .outOfMemory, .rowDamaged,
        .internalFailure, .itemChanged, .recoveryKeyUnseen,
      ]
    ),
    // A prompt would open it.
    (.notInteractive, [.keybagLocked, .beforeFirstUnlock]),
    // No proof would do.
    (
      .authenticationFailed,
      [
        .itemNotFound, .duplicateItem, .invalidParameter, .noSuchAttribute, .noSuchClass, .missingEntitlement,
        .valueTooLarge, .invalidatedByEnrolment, .passcodeRemoved, .operationDenied, .callerNotAllowed, .policyLooser,
        .archiveInvalid, .archivePassphraseWrong, .programChanged,
      ]
    ),
  ]

  /// The error that stands for a refusal, in ``LAErrorDomain``.
  package static func error(for refusal: Refusal) -> NSError {
    NSError(domain: LAErrorDomain, code: code(for: refusal.reason).rawValue, userInfo: facts(refusal))
  }

  /// The error of a stored right: as ``error(for:)``, but what has nothing to do with authentication keeps the result code
  /// of the item behind it, in `NSOSStatusErrorDomain`.
  package static func storedRightError(for refusal: Refusal) -> NSError {
    guard refusal.reason.row.authenticationError == nil else { return error(for: refusal) }
    return NSError(
      domain: NSOSStatusErrorDomain, code: Int(refusal.reason.status.rawValue), userInfo: facts(refusal))
  }

  /// An alert shows it as it is.
  private static func sentence(_ words: String) -> String { words.prefix(1).uppercased() + words.dropFirst() }

  private static func facts(_ refusal: Refusal) -> [String: Any] {
    var facts: [String: Any] = [
      NSLocalizedDescriptionKey: sentence(refusal.reason.explanation), LatchkeyReasonErrorKey: refusal.reason.rawValue,
      NSLocalizedRecoverySuggestionErrorKey: refusal.reason.nextStep,
    ]
    if !refusal.detail.isEmpty { facts[NSLocalizedFailureReasonErrorKey] = refusal.detail }
    return facts
  }
}

extension Result where Failure == Refusal {
  /// The value, or the error that stands for the refusal.
  func unbridged() throws -> Success { try mapError(AuthenticationFailure.error).get() }
}
