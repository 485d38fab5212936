public import KeychainModel

/// Why the store refused or could not do something. Nothing was changed where one of these is thrown.
public enum StoreError: Error, Hashable, Sendable {
  /// There is no store file and none was to be made.
  case missing
  /// The file cannot be read as a store and was left as it is.
  case damaged(StoreDamage)
  /// The file was removed, or another put in its place, while it was open; a change would be lost.
  case replaced
  /// The file was written by a newer version, of this number.
  case newer(format: Int64)
  /// The file belongs to somebody or something else.
  case foreign(StoreForeignness)
  /// The file cannot be written.
  case readOnly
  /// No room is left.
  case diskFull
  /// Reading or writing failed; SQLite's extended result code.
  case ioFailed(code: Int32)
  /// Another process holds the file.
  case busy
  /// No memory, or no locked memory, is left.
  case outOfMemory
  /// No item matches.
  case itemNotFound
  /// An item of this primary key exists.
  case duplicateItem
  /// The keys of this class are not at hand.
  case locked(ProtectionClass)
  /// The item is protected and the change came without a permit for it.
  case permitRequired(ItemIdentifier)
  /// The grant or permit is for another item or another operation.
  case grantMismatch
  /// The item was changed since it was found; find it again.
  case changedMeanwhile
  /// The item's record cannot be opened although its keys are at hand.
  case rowDamaged(ItemIdentifier)
  /// The item can never be opened again.
  case dead(DeadCause)
  /// The value is longer than `ItemLimits.valueBytes`.
  case valueTooLarge
  /// An attribute is longer than `ItemLimits.attributeBytes`, or all together than `ItemLimits.attributesBytes`.
  case attributesTooLarge
  /// The attribute does not belong to the class or cannot be set by a caller.
  case attributeRefused(AttributeKey)
  /// The query names neither a class nor an identifier, or both an identifier and attributes.
  case queryInvalid
  /// `whenPasscodeSet` exists only in a bound keybag.
  case passcodeNotBound
  /// The keybag is bound already.
  case alreadyBound
  /// The passcode does not open the keybag.
  case passcodeDoesNotOpen
  /// The recovery key does not open the keybag, or is not one.
  case recoveryKeyWrong
  /// There is no recovery key.
  case noRecoveryKey
  /// The item wants its application password.
  case applicationPasswordRequired
  /// The application password is wrong.
  case applicationPasswordWrong
  /// The policy's text or pattern is longer than its bound, or there are too many.
  case policyTooLarge
  /// An internal check failed.
  case internalFailure

  /// The stable reason that stands for this error.
  public var reason: Reason {
    switch self {
    case .missing, .itemNotFound: .itemNotFound
    case .damaged, .replaced: .storeDamaged
    case .newer: .storeNewer
    case .foreign: .storeForeign
    case .readOnly: .storeReadOnly
    case .diskFull: .diskFull
    case .ioFailed, .busy: .ioFailed
    case .outOfMemory: .outOfMemory
    case .duplicateItem: .duplicateItem
    case .locked: .keybagLocked
    case .permitRequired: .interactionNotAllowed
    case .rowDamaged: .rowDamaged
    case .dead(let cause): cause.reason
    case .valueTooLarge: .valueTooLarge
    case .attributesTooLarge, .queryInvalid, .policyTooLarge: .invalidParameter
    case .attributeRefused: .noSuchAttribute
    case .passcodeNotBound: .passcodeNotBound
    case .passcodeDoesNotOpen: .passcodeChanged
    case .recoveryKeyWrong: .recoveryKeyWrong
    case .noRecoveryKey: .noRecoveryKey
    case .applicationPasswordRequired: .applicationPasswordRequired
    case .applicationPasswordWrong: .applicationPasswordWrong
    case .changedMeanwhile: .itemChanged
    case .grantMismatch, .alreadyBound, .internalFailure: .internalFailure
    }
  }
}

/// What about the file cannot be read.
public enum StoreDamage: String, Hashable, Sendable {
  /// It is not a database, or is cut, or a page of it is wrong.
  case database
  /// It is a database without Latchkey's mark or header.
  case header
  /// Its keybag is missing or was altered.
  case keybag
}

/// Whose the file is not.
public enum StoreForeignness: Hashable, Sendable {
  /// Another user id; a re-used one is told by the name.
  case uid(UInt32)
  /// The same user id under another name.
  case userName
  /// Another device key.
  case deviceKey
}

/// Why an item can never be opened again.
public enum DeadCause: UInt8, Hashable, Sendable, CaseIterable {
  /// The enrolled fingers changed.
  case invalidatedByEnrolment = 1
  /// The passcode was removed and the key of the class destroyed.
  case passcodeRemoved = 2

  /// The stable reason.
  public var reason: Reason {
    switch self {
    case .invalidatedByEnrolment: .invalidatedByEnrolment
    case .passcodeRemoved: .passcodeRemoved
    }
  }
}
