public import KeychainModel
public import SecretMemory

/// What a call says about prompting.
public struct CallOptions: Sendable {
  /// Whether a prompt is welcome.
  public var interaction: InteractionMode
  /// Whether a locked keybag may be unlocked by a prompt for a plain item.
  public var mayUnlock: Bool
  /// The authentication context, by its number.
  public var context: UInt64?
  /// The authentication context, as the object that keeps it alive; comes before ``context``.
  public var handle: ContextHandle?
  /// Why the program asks; at most 1024 bytes, shown escaped.
  public var reason: ExactText?
  /// What the ways out of a prompt are called; at most `PromptTitles.titleBytes` each, shown escaped.
  public var titles = PromptTitles.usual
  /// The password of items that want one of the application's.
  public var applicationPassword: SecretBytes?
  /// Where a prompt may appear for this call; `nil` is the configuration's.
  public var prompt: PromptSource?
  /// What takes the call back.
  public var cancellation: Cancellation?
  /// What else takes it back.
  var further: [Cancellation] = []

  /// Makes options; by default a prompt is welcome.
  public init(
    interaction: InteractionMode = .allow, mayUnlock: Bool = false, context: UInt64? = nil, reason: ExactText? = nil,
    applicationPassword: SecretBytes? = nil
  ) {
    self.interaction = interaction
    self.mayUnlock = mayUnlock
    self.context = context
    self.reason = reason
    self.applicationPassword = applicationPassword
  }

  /// Everything that takes the call back.
  var cancellations: CancellationSet {
    CancellationSet((cancellation.map { [$0] } ?? []) + further + (handle.map { [$0.life] } ?? []))
  }
}

/// Gathers the secrets of one request and gives each its place.
struct SecretList {
  private(set) var secrets: [SecretBytes] = []

  /// The place of a secret, or `nil` for none.
  mutating func place(_ secret: SecretBytes?) -> SecretIndex? {
    guard let secret else { return nil }
    secrets.append(secret)
    return SecretIndex(secrets.count - 1)
  }

  /// The place of a value.
  ///
  /// - Throws: `Refusal`: `valueTooLarge` above 1 MiB.
  mutating func placeValue(_ value: SecretBytes?) throws(Refusal) -> SecretIndex? {
    if let value, value.count > ItemLimits.valueBytes { throw Refusal(.valueTooLarge) }
    return place(value)
  }
}
