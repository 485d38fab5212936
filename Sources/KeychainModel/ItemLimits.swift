/// The bounds of an item. Each is refused before anything is written.
public enum ItemLimits {
  /// Most bytes of a value: 1 MiB (`valueTooLarge`, -25302).
  public static let valueBytes = 1_048_576
  /// Most bytes of one attribute: 4 KiB (`invalidParameter`, -50).
  public static let attributeBytes = 4096
  /// Most bytes of all attributes of an item together, encoded: 32 KiB (`invalidParameter`, -50).
  public static let attributesBytes = 32_768
  /// Most keys in one dictionary: 128, as Apple's (`invalidParameter`, -50).
  public static let dictionaryKeys = 128
  /// Most bytes of a passcode answer: 512, Linux-PAM's PAM_MAX_RESP_SIZE.
  public static let passcodeBytes = 512
  /// Most bytes of the name of a service that has a policy file: 255.
  public static let policyServiceBytes = 255
}
