internal import KeychainModel

/// The bounds of a frame. Every length that was received is held against one of them before memory is taken for it.
public enum WireLimits {
  /// Most bytes of a frame's public part: 64 KiB.
  public static let publicBytes = 65_536
  /// Most bytes of all secrets of a frame together: 1 MiB and 64 KiB.
  public static let secretBytes = 1_048_576 + 65_536
  /// Most bytes of one secret: 1 MiB and 4 KiB, so that a value that is too large is refused by its own reason.
  public static let oneSecretBytes = 1_048_576 + 4096
  /// Most secrets of a frame: 64.
  public static let secrets = 64
  /// Most bytes of one attribute: 4 KiB.
  public static let attributeBytes = ItemLimits.attributeBytes
  /// Most bytes of a prompt's reason, of a refusal's detail and of a notice: 1 KiB.
  public static let shortTextBytes = RequestOptions.reasonBytes
  /// Most bytes of what a way out of a prompt is called: 128.
  public static let titleBytes = PromptTitles.titleBytes
  /// Most bytes of a line of status, doctor or log: 4 KiB.
  public static let lineBytes = 4096
  /// Most bytes of a policy text: 48 KiB.
  public static let policyBytes = PolicyRequest.textBytes
  /// Most bytes of a pattern of services: 255.
  public static let serviceBytes = ItemLimits.policyServiceBytes
  /// Most entries of a list of lines, findings, layers, threats or cached keys: 1024.
  public static let listEntries = 1024
  /// Most lines of a log that one request may ask for: 200.
  public static let logLines = 200
  /// Most levels of a constraint: 8.
  public static let constraintDepth = 8
  /// Most members of one `anyOf` or `allOf`: 16.
  public static let constraintMembers = 16
  /// Most alternatives of a context's evaluation: 16.
  public static let alternatives = 16
  /// Most bytes of what stands for the enrolled fingers: 64.
  public static let enrolmentBytes = 64
  /// Most variables of a display: 8.
  public static let displayVariables = 8
  /// Most bytes of a display variable's value: 512.
  public static let displayValueBytes = 512
  /// Most bytes of a stable word (a reason, a keybag state, an operation, a version): 64.
  public static let wordBytes = 64
}
