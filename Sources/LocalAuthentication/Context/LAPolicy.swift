internal import KeychainModel

/// What shall be proved.
public enum LAPolicy: Int, CaseIterable, Sendable {
  /// A finger.
  case deviceOwnerAuthenticationWithBiometrics = 1
  /// A finger or the passcode.
  case deviceOwnerAuthentication = 2
  /// A paired device. Nothing here is one: `companionNotAvailable`.
  case deviceOwnerAuthenticationWithCompanion = 3
  /// A finger or a paired device.
  case deviceOwnerAuthenticationWithBiometricsOrCompanion = 4
  /// A watch on its owner's wrist. Nothing here is one: `companionNotAvailable`.
  case deviceOwnerAuthenticationWithWristDetection = 5

  /// Apple's older name of ``deviceOwnerAuthenticationWithCompanion``.
  public static var deviceOwnerAuthenticationWithWatch: LAPolicy { .deviceOwnerAuthenticationWithCompanion }
  /// Apple's older name of ``deviceOwnerAuthenticationWithBiometricsOrCompanion``.
  public static var deviceOwnerAuthenticationWithBiometricsOrWatch: LAPolicy {
    .deviceOwnerAuthenticationWithBiometricsOrCompanion
  }

  /// What the daemon is asked for: any one of these sets of methods.
  ///
  /// - Throws: `companionNotAvailable` where only a paired device would do.
  func alternatives() throws(Refusal) -> [MethodBits] {
    switch self {
    case .deviceOwnerAuthenticationWithBiometrics, .deviceOwnerAuthenticationWithBiometricsOrCompanion:
      [.biometry]
    case .deviceOwnerAuthentication: [.biometry, .passcode]
    case .deviceOwnerAuthenticationWithCompanion, .deviceOwnerAuthenticationWithWristDetection:
      throw Refusal(.companionNotAvailable)
    }
  }
}

/// Methods as the protocol writes them.
enum MethodBits: UInt8, Sendable {
  case passcode = 1
  case biometry = 2
}

extension ContextRequest {
  static func evaluate(_ methods: [MethodBits]) -> ContextRequest { .evaluate(alternatives: methods.map(\.rawValue)) }
  static func canEvaluate(_ methods: [MethodBits]) -> ContextRequest {
    .canEvaluate(alternatives: methods.map(\.rawValue))
  }
}

/// Which kind of reader the machine has.
public enum LABiometryType: Int, CaseIterable, Sendable {
  /// None.
  case none = 0
  /// A fingerprint reader.
  case touchID = 1
  /// A face. No method here reads one.
  case faceID = 2
  /// An iris. No method here reads one.
  case opticID = 4

  /// Apple's older name of ``none``.
  public static var LABiometryNone: LABiometryType { .none }
}

/// What an application may hand in.
public enum LACredentialType: Int, CaseIterable, Sendable {
  /// The password of items with the flag `applicationPassword`.
  case applicationPassword = 0
  /// The PIN of a smart card. No method here takes one.
  case smartCardPIN = -3
}

/// What an access control is evaluated for.
public enum LAAccessControlOperation: Int, CaseIterable, Sendable {
  /// Adding an item.
  case createItem = 0
  /// Reading an item.
  case useItem = 1
  /// Making a key.
  case createKey = 2
  /// Signing with a key.
  case useKeySign = 3
  /// Decrypting with a key.
  case useKeyDecrypt = 4
  /// Agreeing on a key.
  case useKeyKeyExchange = 5

  /// The operation as the keychain knows it. A private key decrypts by agreeing on a key, as its operation table says.
  var itemOperation: ItemOperation {
    switch self {
    case .createItem, .createKey: .encrypt
    case .useItem: .decrypt
    case .useKeySign: .sign
    case .useKeyDecrypt, .useKeyKeyExchange: .keyAgreement
    }
  }
}

/// Devices that may stand for their owner.
public enum LACompanionType: Int, CaseIterable, Sendable {
  /// A watch.
  case watch = 1
  /// A computer.
  case mac = 2
  /// A headset.
  case vision = 4
}
