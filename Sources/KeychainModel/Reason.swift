/// Why a request was refused: the stable code that log, command line, OSStatus and LAError share.
///
/// The table is repeated for people in docs/reasons.md; a test compares the two.
public enum Reason: String, CaseIterable, Error, Sendable {
  /// No item matches.
  case itemNotFound
  /// An item with this name exists.
  case duplicateItem
  /// The request is malformed.
  case invalidParameter
  /// The attribute does not belong to this class or cannot be changed.
  case noSuchAttribute
  /// There is no such class of item.
  case noSuchClass
  /// The program does not hold this access group.
  case missingEntitlement
  /// The value is longer than 1 MiB.
  case valueTooLarge
  /// The keybag is locked.
  case keybagLocked
  /// The keybag was not unlocked since the daemon started.
  case beforeFirstUnlock
  /// A proof is needed and the caller allows no prompt.
  case interactionNotAllowed
  /// A proof is needed and there is no way to prompt.
  case noWayToPrompt
  /// This program already waits for a prompt.
  case promptPending
  /// The passcode handed in was already used and another proof is needed.
  case passcodeSuppliedTwice
  /// The prompt was dismissed.
  case userCancelled
  /// The program took its request back.
  case appCancelled
  /// The system ended the prompt (lock, suspend or shutdown).
  case systemCancelled
  /// The program that asked is gone.
  case clientGone
  /// The passcode was chosen where only biometry is allowed.
  case userFallback
  /// Nobody answered before the deadline.
  case deadlinePassed
  /// The passcode is wrong.
  case wrongPasscode
  /// The answer was empty.
  case emptyPasscode
  /// The answer is longer than 511 bytes.
  case answerTooLong
  /// The finger does not match.
  case noMatch
  /// Too many wrong passcodes; answers are refused for a while.
  case tooManyAttempts
  /// A PAM module has locked the account out.
  case loginLockedOut
  /// Five fingers did not match; biometry is locked.
  case biometryLockout
  /// The account has expired.
  case accountExpired
  /// The account's passcode is locked.
  case accountLocked
  /// The account may not log in now.
  case accountDenied
  /// The passcode has expired.
  case passcodeExpired
  /// The account has no passcode.
  case passcodeNotSet
  /// The account's passcode entry cannot be used.
  case passcodeUnusable
  /// The keybag is not bound to a passcode yet.
  case passcodeNotBound
  /// The passcode was changed elsewhere and does not open the keybag.
  case passcodeChanged
  /// The recovery key does not open the keybag.
  case recoveryKeyWrong
  /// There is no recovery key.
  case noRecoveryKey
  /// No fingerprint reader can be used.
  case biometryNotAvailable
  /// No finger is enrolled.
  case biometryNotEnrolled
  /// The fingerprint reader is in use.
  case readerBusy
  /// The fingerprint reader fails.
  case readerBroken
  /// The lid is shut.
  case lidClosed
  /// A fingerprint cannot unlock the keybag here; the passcode must come first.
  case biometryNotCached
  /// No paired device can be used.
  case companionNotAvailable
  /// The enrolled fingers changed since the item was added; it cannot be opened any more.
  case invalidatedByEnrolment
  /// The passcode was removed and with it the key of this item.
  case passcodeRemoved
  /// The authentication context was invalidated.
  case contextInvalid
  /// The item's access control does not allow this operation.
  case operationDenied
  /// The item wants its application password.
  case applicationPasswordRequired
  /// The application password is wrong.
  case applicationPasswordWrong
  /// The policy leaves no method that could satisfy the item.
  case noMethodAllowed
  /// The policy does not let this program use the service.
  case callerNotAllowed
  /// The policy refuses remote sessions.
  case remoteDenied
  /// The policy allows no method of this item in a remote session.
  case remoteMethodDenied
  /// A policy file that matters here cannot be read.
  case policyInvalid
  /// The policy is looser than the one in force and needs a proof.
  case policyLooser
  /// The PAM stack of the method is missing.
  case stackMissing
  /// The PAM stack of the method accepts without asking.
  case stackCannotFail
  /// The PAM stack of the method cannot be used.
  case stackInvalid
  /// The PAM stack asked something that cannot be answered here.
  case conversationRefused
  /// The PAM stack authenticated another user.
  case userChanged
  /// Passcodes cannot be verified here.
  case cannotVerifyPasscodes
  /// The authentication helper ended without an answer.
  case helperFailed
  /// The daemon is not running or does not answer.
  case serviceUnavailable
  /// The daemon did not answer in time.
  case serviceTimedOut
  /// The socket belongs to another user.
  case serverNotTrusted
  /// Client and daemon speak different versions.
  case protocolMismatch
  /// Too many connections or requests of this user.
  case tooManyRequests
  /// The store is damaged and was left as it is.
  case storeDamaged
  /// The store was written by a newer version.
  case storeNewer
  /// The store belongs to another account or another device key.
  case storeForeign
  /// The store cannot be written.
  case storeReadOnly
  /// The disk is full; nothing was changed.
  case diskFull
  /// Reading or writing the store failed; nothing was changed.
  case ioFailed
  /// No locked memory is left.
  case outOfMemory
  /// The item is damaged and cannot be opened.
  case rowDamaged
  /// The archive is not one of Latchkey's or is damaged.
  case archiveInvalid
  /// The passphrase does not open the archive.
  case archivePassphraseWrong
  /// This build does not do that yet.
  case unimplemented
  /// An internal check failed.
  case internalFailure
  /// Another program changed the item while the request ran.
  case itemChanged
  /// A finger on this machine's reader proves nothing of somebody in a remote session.
  case biometryRemote
  /// Which fingers are enrolled can be told by the system's daemon only.
  case enrolmentUnreadable
  /// A recovery key was made, and nobody saw it.
  case recoveryKeyUnseen
  /// The process at the other end of the connection became another program.
  case programChanged

  /// The status, the LAError code (`nil` where LocalAuthentication never answers it), the sentence and the next step.
  public var row: ReasonRow {
    switch self {
    case .itemNotFound:
      ReasonRow(
        .itemNotFound, nil, "no item matches.",
        "Check the service and account with 'latchkey list'.")
    case .duplicateItem:
      ReasonRow(
        .duplicateItem, nil, "an item with this name exists.",
        "Use 'latchkey set' to replace its value.")
    case .invalidParameter:
      ReasonRow(
        .param, nil, "the request is malformed.",
        "Check the command or the dictionary against its documentation.")
    case .noSuchAttribute:
      ReasonRow(
        .noSuchAttribute, nil, "the attribute does not belong to this class or cannot be changed.",
        "Leave the attribute out.")
    case .noSuchClass:
      ReasonRow(
        .noSuchClass, nil, "there is no such class of item.",
        "Use genp, inet, cert, keys or idnt.")
    case .missingEntitlement:
      ReasonRow(
        .missingEntitlement, nil, "the program does not hold this access group.",
        "Grant the group under 'callers' in the policy file of the service.")
    case .valueTooLarge:
      ReasonRow(
        .dataTooLarge, nil, "the value is longer than 1 MiB.",
        "Store the value elsewhere and keep only its key here.")
    case .keybagLocked:
      ReasonRow(
        .interactionNotAllowed, nil, "the keychain is locked.",
        "Run 'latchkey unlock'.")
    case .beforeFirstUnlock:
      ReasonRow(
        .interactionNotAllowed, nil, "the keychain was not unlocked since the daemon started or was locked wholly.",
        "Run 'latchkey unlock'.")
    case .interactionNotAllowed:
      ReasonRow(
        .interactionNotAllowed, -1004, "a proof is needed and the caller allows no prompt.",
        "Run again without --no-prompt, or hand in the passcode with --passcode-fd.")
    case .noWayToPrompt:
      ReasonRow(
        .interactionNotAllowed, -1004, "a proof is needed and there is no way to prompt.",
        "Run it on a terminal or a display, or hand in the passcode with --passcode-fd.")
    case .promptPending:
      ReasonRow(
        .interactionNotAllowed, -1004, "too many requests of this program wait for a prompt already.",
        "Answer the prompt that is up, then try again.")
    case .passcodeSuppliedTwice:
      ReasonRow(
        .authFailed, -1, "the passcode handed in was already used and another proof is needed.",
        "Give one passcode for each proof, or run on a terminal.")
    case .userCancelled:
      ReasonRow(
        .userCanceled, -2, "the prompt was dismissed.",
        "Try again and answer the prompt.")
    case .appCancelled:
      ReasonRow(
        .userCanceled, -9, "the program took its request back.",
        "Nothing needs doing.")
    case .systemCancelled:
      ReasonRow(
        .userCanceled, -4, "the system ended the prompt (lock, suspend or shutdown).",
        "Try again.")
    case .clientGone:
      ReasonRow(
        .userCanceled, -9, "the program that asked is gone.",
        "Nothing needs doing.")
    case .userFallback:
      ReasonRow(
        .authFailed, -3, "the passcode was chosen where only biometry is allowed.",
        "Use the fingerprint.")
    case .deadlinePassed:
      ReasonRow(
        .interactionRequired, -4, "nobody answered before the deadline.",
        "Try again; the policy's 'deadline' sets the time.")
    case .wrongPasscode:
      ReasonRow(
        .authFailed, -1, "the passcode is wrong.",
        "Try again with this account's login passcode.")
    case .emptyPasscode:
      ReasonRow(
        .authFailed, -1, "the answer was empty.",
        "Type this account's login passcode.")
    case .answerTooLong:
      ReasonRow(
        .authFailed, -1, "the answer is longer than 511 bytes.",
        "Type this account's login passcode.")
    case .noMatch:
      ReasonRow(
        .authFailed, -1, "the finger does not match.",
        "Try again, or use the passcode.")
    case .tooManyAttempts:
      ReasonRow(
        .authFailed, -1, "too many wrong passcodes; answers are refused for a while.",
        "Wait; 'latchkey status' shows how long.")
    case .loginLockedOut:
      ReasonRow(
        .authFailed, -1, "a PAM module has locked the account out.",
        "Wait, or ask the administrator to reset its tally; 'latchkey doctor' shows it.")
    case .biometryLockout:
      ReasonRow(
        .authFailed, -8, "five fingers did not match; biometry is locked.",
        "Give the passcode once: 'latchkey lock && latchkey unlock'.")
    case .accountExpired:
      ReasonRow(
        .authFailed, -1, "the account has expired.",
        "Ask the administrator to extend it.")
    case .accountLocked:
      ReasonRow(
        .authFailed, -1, "the account's passcode is locked.",
        "Ask the administrator to unlock it.")
    case .accountDenied:
      ReasonRow(
        .authFailed, -1, "the account may not log in now.",
        "Ask the administrator which PAM account rule refuses it.")
    case .passcodeExpired:
      ReasonRow(
        .authFailed, -1, "the passcode has expired.",
        "Change it with 'passwd', then try again.")
    case .passcodeNotSet:
      ReasonRow(
        .notAvailable, -5, "the account has no passcode.",
        "Set one with 'passwd'.")
    case .passcodeUnusable:
      ReasonRow(
        .notAvailable, -5, "the account's passcode entry cannot be used.",
        "Set a passcode with 'passwd'.")
    case .passcodeNotBound:
      ReasonRow(
        .authFailed, -5, "the keybag is not bound to a passcode yet.",
        "Run 'latchkey unlock' once; it asks for the passcode and binds the keybag.")
    case .passcodeChanged:
      ReasonRow(
        .authFailed, -1, "the passcode was changed elsewhere and does not open the keybag.",
        "Run 'latchkey unlock' and give the old passcode or the recovery key.")
    case .recoveryKeyWrong:
      ReasonRow(
        .authFailed, -1, "the recovery key does not open the keybag.",
        "Check the key; it is printed as groups of letters and digits.")
    case .noRecoveryKey:
      ReasonRow(
        .notAvailable, nil, "there is no recovery key.",
        "Make one with 'latchkey recovery-key' while the passcode opens the keybag.")
    case .biometryNotAvailable:
      ReasonRow(
        .notAvailable, -6, "no fingerprint reader can be used.",
        "Use the passcode; for an item, require userPresence or devicePasscode.")
    case .biometryNotEnrolled:
      ReasonRow(
        .notAvailable, -7, "no finger is enrolled.",
        "Enrol one with 'fprintd-enroll'; for an item without a finger, require userPresence or devicePasscode.")
    case .readerBusy:
      ReasonRow(
        .notAvailable, -6, "the fingerprint reader is in use.",
        "Try again when it is free.")
    case .readerBroken:
      ReasonRow(
        .notAvailable, -6, "the fingerprint reader fails.",
        "Check the reader with 'fprintd-verify'.")
    case .lidClosed:
      ReasonRow(
        .notAvailable, -6, "the lid is shut.",
        "Open the lid or use the passcode.")
    case .biometryNotCached:
      ReasonRow(
        .notAvailable, -6, "a fingerprint cannot unlock the keybag here; the passcode must come first.",
        "Give the passcode.")
    case .companionNotAvailable:
      ReasonRow(
        .notAvailable, -11, "no paired device can be used.",
        "Use another method.")
    case .invalidatedByEnrolment:
      ReasonRow(
        .itemNotFound, nil, "the enrolled fingers changed since the item was added; it cannot be opened any more.",
        "Delete the item and add it again.")
    case .passcodeRemoved:
      ReasonRow(
        .itemNotFound, nil, "the passcode was removed and with it the key of this item.",
        "Delete the item and add it again.")
    case .contextInvalid:
      ReasonRow(
        .authFailed, -10, "the authentication context was invalidated.",
        "Make a new context.")
    case .operationDenied:
      ReasonRow(
        .authFailed, nil, "the item's access control does not allow this operation.",
        "Add the item with another access control.")
    case .applicationPasswordRequired:
      ReasonRow(
        .authFailed, -1, "the item wants its application password.",
        "Set it on the context with setCredential.")
    case .applicationPasswordWrong:
      ReasonRow(
        .authFailed, -1, "the application password is wrong.",
        "Set the right one on the context.")
    case .noMethodAllowed:
      ReasonRow(
        .authFailed, -1, "the policy leaves no method that could satisfy the item.",
        "Run 'latchkey policy explain' for the service.")
    case .callerNotAllowed:
      ReasonRow(
        .authFailed, nil, "the policy does not let this program use the service.",
        "Add the program under 'callers' in the policy file of the service.")
    case .remoteDenied:
      ReasonRow(
        .authFailed, -1, "the policy refuses remote sessions.",
        "Read it from a local session, or change 'remote' in the policy.")
    case .remoteMethodDenied:
      ReasonRow(
        .authFailed, -1, "the policy allows no method of this item in a remote session.",
        "Read it from a local session, or change 'remote' in the policy.")
    case .policyInvalid:
      ReasonRow(
        .notAvailable, nil, "a policy file that matters here cannot be read.",
        "Run 'latchkey policy list'; it names the file.")
    case .policyLooser:
      ReasonRow(
        .authFailed, nil, "the policy is looser than the one in force and needs a proof.",
        "Answer the prompt.")
    case .stackMissing:
      ReasonRow(
        .notAvailable, -6, "the PAM stack of the method is missing.",
        "Install Latchkey's pam/ folder again; 'latchkey doctor' names the file.")
    case .stackCannotFail:
      ReasonRow(
        .notAvailable, -1, "the PAM stack of the method accepts without asking.",
        "Correct the stack; 'latchkey policy check' names the line.")
    case .stackInvalid:
      ReasonRow(
        .notAvailable, -1, "the PAM stack of the method cannot be used.",
        "Correct the stack; 'latchkey doctor' names the fault.")
    case .conversationRefused:
      ReasonRow(
        .authFailed, -1, "the PAM stack asked something that cannot be answered here.",
        "Correct the stack; a method asks one hidden question.")
    case .userChanged:
      ReasonRow(
        .authFailed, -1, "the PAM stack authenticated another user.",
        "Correct the stack; it must not change the user.")
    case .cannotVerifyPasscodes:
      ReasonRow(
        .notAvailable, -6, "passcodes cannot be verified here.",
        "Run 'latchkey doctor'; it names the cause.")
    case .helperFailed:
      ReasonRow(
        .notAvailable, -6, "the authentication helper ended without an answer.",
        "Try again; 'latchkey doctor' checks the installation.")
    case .serviceUnavailable:
      ReasonRow(
        .notAvailable, nil, "the daemon is not running or does not answer.",
        "Run 'latchkey doctor'.")
    case .serviceTimedOut:
      ReasonRow(
        .notAvailable, nil, "the daemon did not answer in time.",
        "Run 'latchkey doctor'.")
    case .serverNotTrusted:
      ReasonRow(
        .notAvailable, nil, "the socket belongs to another user.",
        "Check LATCHKEY_SOCKET; the server must run as you or as root.")
    case .protocolMismatch:
      ReasonRow(
        .notAvailable, nil, "client and daemon speak different versions.",
        "Restart the daemon after an upgrade.")
    case .tooManyRequests:
      ReasonRow(
        .notAvailable, nil, "too many connections or requests of this user.",
        "Close some and try again.")
    case .storeDamaged:
      ReasonRow(
        .notAvailable, nil, "the store is damaged and was left as it is.",
        "Restore it from a backup; 'latchkey doctor' names the file.")
    case .storeNewer:
      ReasonRow(
        .wrongVersion, nil, "the store was written by a newer version.",
        "Upgrade Latchkey.")
    case .storeForeign:
      ReasonRow(
        .notAvailable, nil, "the store belongs to another account or another device key.",
        "Restore the right store or device key; nothing was changed.")
    case .storeReadOnly:
      ReasonRow(
        .readOnly, nil, "the store cannot be written.",
        "Check the permissions of the store's folder.")
    case .diskFull:
      ReasonRow(
        .diskFull, nil, "the disk is full; nothing was changed.",
        "Free some space and try again.")
    case .ioFailed:
      ReasonRow(
        .io, nil, "reading or writing the store failed; nothing was changed.",
        "Check the disk and try again.")
    case .outOfMemory:
      ReasonRow(
        .allocate, nil, "no locked memory is left.",
        "Try again with a smaller value, or raise RLIMIT_MEMLOCK.")
    case .rowDamaged:
      ReasonRow(
        .itemNotFound, nil, "the item is damaged and cannot be opened.",
        "Delete it and add it again.")
    case .archiveInvalid:
      ReasonRow(
        .param, nil, "the archive is not one of Latchkey's or is damaged.",
        "Check the file.")
    case .archivePassphraseWrong:
      ReasonRow(
        .authFailed, nil, "the passphrase does not open the archive.",
        "Try again with the archive's passphrase.")
    case .unimplemented:
      ReasonRow(
        .notAvailable, nil, "this build does not do that yet.",
        "See the README for what comes later.")
    case .internalFailure:
      ReasonRow(
        .notAvailable, nil, "an internal check failed.",
        "Report it with the output of 'latchkey doctor'.")
    case .itemChanged:
      ReasonRow(
        .io, nil, "another program changed the item while the request ran; nothing was changed.",
        "Try again.")
    case .biometryRemote:
      ReasonRow(
        .notAvailable, -6, "a finger proves nothing of somebody in a remote session.",
        "Use the passcode.")
    case .enrolmentUnreadable:
      ReasonRow(
        .notAvailable, -6, "which fingers are enrolled can be told by the system's daemon only.",
        "Use biometryAny, or have root start the system's daemon, latchkeyd(8).")
    case .recoveryKeyUnseen:
      ReasonRow(
        .writePermission, nil, "a recovery key was made and nobody saw it; the one before it works no more.",
        "Make another with 'latchkey recovery-key', where it can be read.")
    case .programChanged:
      ReasonRow(
        .authFailed, nil, "the process that connected runs another program now.",
        "Connect again.")
    }
  }

  /// The OSStatus that stands for this reason.
  public var status: KeychainStatus { row.status }

  /// What happened, one sentence.
  public var explanation: String { row.explanation }

  /// What to do next, one sentence.
  public var nextStep: String { row.nextStep }

  /// The number in frames and cached records: 1 for the first case. New reasons go to the end.
  public var number: UInt16 { UInt16((Self.allCases.firstIndex(of: self) ?? 0) + 1) }

  /// The reason with this number, or `nil`.
  public init?(number: UInt16) {
    guard number >= 1, Int(number) <= Self.allCases.count else { return nil }
    self = Self.allCases[Int(number) - 1]
  }
}

/// What one reason means to programs and to people.
public struct ReasonRow: Sendable {
  /// The OSStatus.
  public let status: KeychainStatus
  /// The `LAError` code, or `nil`.
  public let authenticationError: Int?
  /// What happened, one sentence.
  public let explanation: String
  /// What to do next, one sentence.
  public let nextStep: String

  init(_ status: KeychainStatus, _ authenticationError: Int?, _ explanation: String, _ nextStep: String) {
    self.status = status
    self.authenticationError = authenticationError
    self.explanation = explanation
    self.nextStep = nextStep
  }
}
