internal import KeychainModel
internal import PolicyFiles

/// The daemon, as far as this program needs it.
protocol PolicyDaemon {
  /// Sends one request about policies and waits for its answer; a prompt may come up meanwhile.
  ///
  /// - Throws: ``Refusal``, also where the daemon cannot be reached.
  func answer(_ request: PolicyRequest) throws(Refusal) -> KeychainReply
}

extension PolicyDaemon {
  /// The policies of an answer that must hold some.
  func policies(_ request: PolicyRequest) throws(Refusal) -> PolicyReply {
    guard case .policy(let reply) = try answer(request) else { throw Refusal(.protocolMismatch) }
    return reply
  }

  /// Sends a request that is answered by what it touched.
  func change(_ request: PolicyRequest) throws(Refusal) -> UInt32 {
    guard case .done(let count) = try answer(request) else { throw Refusal(.protocolMismatch) }
    return count
  }
}

extension Report {
  /// Says why the daemon refused.
  mutating func refuse(_ refusal: Refusal) -> Ending {
    let detail = refusal.detail.isEmpty ? "" : " (\(refusal.detail))"
    complain("latchkey-policy: \(refusal.reason.explanation)\(detail) \(refusal.reason.nextStep)")
    answer(
      .object([
        "good": .truth(false), "reason": .string(refusal.reason.rawValue), "detail": .string(refusal.detail),
        "message": .string(refusal.reason.explanation), "nextStep": .string(refusal.reason.nextStep),
      ]))
    return .findings
  }

  /// Says what is wrong with a file.
  mutating func refuse(_ faults: [PolicyFault]) -> Ending {
    for fault in faults { complain(fault.description) }
    answer(.object(["good": .truth(false), "faults": .list(faults.map(JSONText.fault))]))
    return .findings
  }
}
