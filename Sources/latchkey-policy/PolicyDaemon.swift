internal import KeychainModel
internal import PolicyFiles
internal import TerminalIO

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
    let message = refusal.reason.explanation.dropLast()
    // The daemon's own next step is about items; this program asks about policies only.
    let nextStep =
      refusal.reason == .itemNotFound ? "'latchkey policy list' names what there is." : refusal.reason.nextStep
    complain("latchkey-policy: \(message)\(detail). \(nextStep)")
    answer(
      .object([
        "good": .truth(false), "reason": .string(refusal.reason.rawValue), "detail": .string(refusal.detail),
        "message": .string(refusal.reason.explanation), "nextStep": .string(nextStep),
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
