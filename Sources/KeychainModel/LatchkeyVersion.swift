/// The version of all programs and libraries of one build.
public enum LatchkeyVersion {
  /// Semantic Versioning 2.0.0.
  public static let text = "0.1.0"
}
