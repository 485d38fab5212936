internal import KeychainModel

/// What a remote session may do: `remote` of the policy. A session of unknown origin counts as remote.
enum RemoteClause {
  /// Refuses remote sessions where the policy says so, plain items included.
  ///
  /// - Throws: `remoteDenied`.
  static func check(_ request: borrowing AccessRequest, _ trace: inout DecisionTrace) throws(Reason) {
    guard isRemote(request) else { return }
    if request.policy.remote == .deny { throw trace.refusal(.remote, .remoteDenied) }
    trace.pass(.remote, "the session is remote or its origin unknown")
  }

  /// The methods that this session's origin leaves.
  static func methods(_ request: borrowing AccessRequest) -> MethodSet {
    guard isRemote(request) else { return .all }
    switch request.policy.remote {
    case .deny: return []
    case .passcode: return .passcode
    case .any: return .all
    }
  }

  private static func isRemote(_ request: borrowing AccessRequest) -> Bool { request.peer.origin != .local }
}
