public import SecretMemory

/// A passcode after Argon2id, with the parameters that were used: what the authentication helper hands over.
public struct StretchedPasscode: Sendable {
  /// 32 bytes.
  public let key: SecretBytes
  /// Salt and cost.
  public let parameters: StretchingParameters

  /// Pairs a key with its parameters.
  public init(key: SecretBytes, parameters: StretchingParameters) {
    self.key = key
    self.parameters = parameters
  }
}

/// What opens a keybag whose passcode was changed elsewhere.
public enum KeybagProof: Sendable {
  /// The old passcode, stretched with ``ItemStore/stretching``.
  case passcode(SecretBytes)
  /// The recovery key as text, as it was printed.
  case recoveryKey(SecretBytes)
}
