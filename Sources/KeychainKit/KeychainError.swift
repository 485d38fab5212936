internal import KeychainModel

/// A result code of the Security framework, as a number. The same type as the one of module `Security`.
public typealias OSStatus = Int32

/// Why the keychain did not do what it was asked for.
///
/// Apple counterpart: the `errSec` codes, of which four have names here. What `latchkey` and the decision log say beyond the code
/// is in docs/reasons.md.
public enum KeychainError: Equatable, Error, Sendable {
  /// The key has an item already (`errSecDuplicateItem`, -25299).
  case duplicateItem
  /// The item opens only after an unlock or on a proof that cannot be asked for here (`errSecInteractionNotAllowed`, -25308).
  case interactionNotAllowed
  /// The key has no item (`errSecItemNotFound`, -25300).
  case itemNotFound
  /// The program does not hold the access group (`errSecMissingEntitlement`, -34018).
  case missingEntitlement
  /// Anything else, by its code: -25291 where the daemon cannot be reached, -25302 for a value above 1 MiB, and so on.
  case unknownError(OSStatus)
}

extension KeychainError {
  /// The error that stands for a refusal.
  init(_ refusal: Refusal) { self.init(refusal.reason.status) }

  init(_ status: KeychainStatus) {
    switch status {
    case .duplicateItem: self = .duplicateItem
    case .interactionNotAllowed: self = .interactionNotAllowed
    case .itemNotFound: self = .itemNotFound
    case .missingEntitlement: self = .missingEntitlement
    default: self = .unknownError(status.rawValue)
    }
  }
}
