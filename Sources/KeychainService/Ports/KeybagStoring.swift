public import KeychainModel
public import SecretMemory

/// The keys of the bound classes, as a passcode or a recovery key opened them.
public struct ClassKeys: Sendable {
  /// A place for each class and use; none at all while there is no key.
  private var keys: [SecretBytes?] = []

  /// No keys.
  public init() {}

  /// The key of a class for a use, or `nil`.
  public subscript(_ protection: ProtectionClass, _ use: ClassKeyUse) -> SecretBytes? {
    get { keys.isEmpty ? nil : keys[Self.place(of: protection, use)] }
    set {
      if keys.isEmpty { keys = Array(repeating: nil, count: Self.places) }
      keys[Self.place(of: protection, use)] = newValue
    }
  }

  private static let places = ProtectionClass.allCases.count * ClassKeyUse.allCases.count

  private static func place(of protection: ProtectionClass, _ use: ClassKeyUse) -> Int {
    Int(protection.rawValue - 1) * ClassKeyUse.allCases.count + Int(use.rawValue - 1)
  }
}

/// What the stored keybag is, apart from what is unlocked at the moment.
public enum KeybagRecord: Sendable, Equatable {
  /// There is none.
  case none
  /// Not bound to a passcode.
  case unbound
  /// Bound; the parameters that stretch a passcode for it.
  case bound(StretchingParameters, recovery: RecoveryKeyState)
  /// Bound once; the passcode was removed and the `whenPasscodeSet` keys destroyed.
  case akpuDestroyed(StretchingParameters, recovery: RecoveryKeyState)
  /// It cannot be read.
  case damaged

  /// The parameters that stretch a passcode for it; `nil` where it is not bound, or cannot be read.
  public var stretching: StretchingParameters? {
    switch self {
    case .bound(let parameters, _), .akpuDestroyed(let parameters, _): parameters
    case .none, .unbound, .damaged: nil
    }
  }
}

/// Whether a recovery key was made.
public enum RecoveryKeyState: Sendable, Equatable { case made, absent }

/// One user's keybag. Every call throws a ``Refusal`` and has then changed nothing.
public protocol KeybagStoring: Sendable {
  /// The stored keybag.
  func keybagRecord() throws(Refusal) -> KeybagRecord

  /// Class keys that stand under the device key alone: `always`, and every class while unbound; `nil` for others.
  func deviceKey(for protection: ProtectionClass, use: ClassKeyUse) -> SecretBytes?

  /// Fresh parameters for a first binding, with a new salt.
  func newStretching() throws(Refusal) -> StretchingParameters

  /// Binds an unbound keybag: new class keys and item keys, every row sealed again, in one step.
  func bind(stretched: SecretBytes, parameters: StretchingParameters) throws(Refusal) -> ClassKeys

  /// Opens a bound keybag. Throws `passcodeChanged` where the passcode does not open it.
  func unlock(stretched: SecretBytes) throws(Refusal) -> ClassKeys

  /// Wraps the class keys anew for another passcode, opened by the old one. Throws `passcodeChanged`.
  func rebind(
    oldStretched: SecretBytes, newStretched: SecretBytes, parameters: StretchingParameters
  ) throws(Refusal) -> ClassKeys

  /// Wraps the class keys anew for another passcode, opened by the recovery key. Throws `recoveryKeyWrong`,
  /// `noRecoveryKey`.
  func recover(
    recoveryKey: SecretBytes, newStretched: SecretBytes, parameters: StretchingParameters
  ) throws(Refusal) -> ClassKeys

  /// Whether this recovery key opens the keybag; changes nothing. Throws `recoveryKeyWrong`, `noRecoveryKey`,
  /// `passcodeNotBound`.
  func checkRecoveryKey(_ recoveryKey: SecretBytes) throws(Refusal)

  /// Makes a recovery key for these class keys and answers its printable text; an older one stops working.
  func makeRecoveryKey(_ keys: ClassKeys) throws(Refusal) -> SecretBytes

  /// Destroys the `whenPasscodeSet` keys and marks the rows dead.
  func destroyPasscodeSetKeys() throws(Refusal)

  /// The tally of wrong passcodes.
  func tally() throws(Refusal) -> PasscodeTally

  /// Counts one wrong passcode.
  func countMiss() throws(Refusal) -> PasscodeTally

  /// Forgets the misses after a success.
  func clearMisses() throws(Refusal)

  /// Fingers in a row that did not match; at ``BiometryLockout/limit`` biometry is locked.
  func biometryMisses() throws(Refusal) -> UInt32

  /// Counts one more and answers how many there are.
  func countBiometryMiss() throws(Refusal) -> UInt32

  /// Forgets them after a proof.
  func clearBiometryMisses() throws(Refusal)

  /// Whether a passcode was seen, by this daemon or one before it, that the account takes and the keybag does not. What opens
  /// or binds the keybag ends it.
  func passcodeChange() throws(Refusal) -> PasscodeChange

  /// Remembers that one was seen.
  func notePasscodeChange() throws(Refusal)
}

/// Latchkey's own count of wrong passcodes.
public struct PasscodeTally: Sendable, Equatable {
  /// Wrong answers in a row.
  public var misses: UInt32
  /// Seconds until the next answer is taken; 0 for at once.
  public var retryAfterSeconds: UInt32

  /// Makes a tally.
  public init(misses: UInt32, retryAfterSeconds: UInt32) {
    self.misses = misses
    self.retryAfterSeconds = retryAfterSeconds
  }
}
