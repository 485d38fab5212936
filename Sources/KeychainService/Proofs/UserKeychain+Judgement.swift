internal import AccessPolicy
internal import KeychainModel

extension UserKeychain {
  /// Asks the evaluator.
  ///
  /// Where a session comes from is asked of the machine only where the connection did not tell and the decision may hang on it:
  /// the question takes a while, and most decisions do not.
  func judge(_ asked: AccessRequest) -> Decision {
    var request = asked
    var trace = DecisionTrace.off
    let first = AccessEvaluator.evaluate(request, trace: &trace)
    guard request.peer.origin == .unknown, request.policy.remote != .any, case .decisive = Self.weight(of: first) else {
      return first
    }
    request.peer.origin = origin(of: request.peer)
    return AccessEvaluator.evaluate(request, trace: &trace)
  }

  /// Whether the session's origin may change a decision that took it for remote.
  private enum OriginWeight { case decisive, none }

  private static func weight(of decision: borrowing Decision) -> OriginWeight {
    switch decision {
    case .allow: .none
    case .authenticate: .decisive
    case .deny(let reason): reason == .remoteDenied || reason == .remoteMethodDenied ? .decisive : .none
    }
  }

  /// Where a process comes from, as its connection told or else the machine.
  func origin(of peer: PeerFacts) -> PeerFacts.Origin {
    peer.origin == .unknown ? ports.host.origin(of: peer) : peer.origin
  }
}
