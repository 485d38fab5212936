/// The layer that a policy comes from.
public enum PolicyOrigin: String, CaseIterable, Sendable {
  /// The administrator's folder.
  case system
  /// The user's own, kept in the store.
  case user
  /// What came with Latchkey.
  case shipped
  /// What holds where no file speaks.
  case builtIn = "built in"
}
