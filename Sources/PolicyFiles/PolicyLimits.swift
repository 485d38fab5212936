/// The bounds of a policy text; each is refused above.
public enum PolicyLimits {
  /// Most bytes of a text: 48 KiB.
  public static let textBytes = PolicyText.mostBytes
  /// Most containers inside each other.
  public static let depth = YAMLTree.mostDepth
  /// Most entries of a list of words.
  public static let words = 16
  /// Most programs under `callers`.
  public static let callers = 256
  /// Most access groups of one program.
  public static let groups = 64
  /// Most bytes of the name of an access group.
  public static let groupBytes = 255
  /// Most bytes of the path of a program (PATH_MAX less its final NUL).
  public static let executableBytes = 4095
}
