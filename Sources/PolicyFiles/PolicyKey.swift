/// The keys of a policy that may be left out. A key that is left out says nothing: see ``PolicyFile/stated``.
public enum PolicyKey: String, CaseIterable, Sendable {
  /// `require`, with `join`.
  case require
  /// `methods`.
  case methods
  /// `tries`.
  case tries
  /// `deadline`.
  case deadline
  /// `remote`.
  case remote
  /// `window` under `reuse`.
  case window
  /// `scope` under `reuse`.
  case scope
  /// `timeout` under `cache`.
  case timeout
  /// `dropOn` under `cache`.
  case dropOn
  /// `callers`.
  case callers
}
