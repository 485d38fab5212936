public import Foundation

/// What can stand for the user on this machine, as opaque bytes that change when it changes.
open class LADomainState: NSObject, @unchecked Sendable {
  /// The reader and the enrolled fingers.
  public let biometry: LADomainStateBiometry
  /// Paired devices; there are none here.
  public let companion: LADomainStateCompanion

  init(type: LABiometryType, hash: Data?) {
    biometry = LADomainStateBiometry(type: type, hash: hash)
    companion = LADomainStateCompanion()
  }

  /// Changes with any part; `nil` where nothing is enrolled or paired.
  open var stateHash: Data? { biometry.stateHash }
}

/// The reader and what is enrolled.
open class LADomainStateBiometry: NSObject, @unchecked Sendable {
  /// Which kind of reader the machine has.
  public let biometryType: LABiometryType
  /// Changes with the enrolled fingers; `nil` where none is enrolled or they cannot be told.
  public let stateHash: Data?

  init(type: LABiometryType, hash: Data?) {
    biometryType = type
    stateHash = hash
  }
}

/// Paired devices; there are none here.
open class LADomainStateCompanion: NSObject, @unchecked Sendable {
  /// The kinds of paired devices: none.
  open var availableCompanionTypes: Set<LACompanionType> { [] }
  /// `nil`: nothing is paired.
  open var stateHash: Data? { nil }
  /// `nil`: nothing of the kind is paired.
  open func stateHash(for companionType: LACompanionType) -> Data? { nil }
}
