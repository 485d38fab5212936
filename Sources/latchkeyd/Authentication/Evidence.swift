internal import AccessPolicy
internal import KeychainService
internal import LinuxSystem

/// The one place where a proof that PAM accepted becomes evidence.
enum Evidence {
  /// One piece for each of the request's terms, all of this moment.
  static func of(_ method: AuthenticationMethod, for request: ProofRequest) -> [VerifiedEvidence] {
    let now = Instant(nanoseconds: Clock.boottime)
    return request.terms.map { terms in
      VerifiedEvidence(
        provenBy: method, uid: request.account.uid, service: terms.service, requester: terms.peer.process,
        program: terms.peer.executable, terminal: terms.peer.terminal, session: terms.peer.session,
        context: terms.context,
        policyDigest: terms.policyDigest, enrolmentHash: method == .biometry ? request.enrolment : nil,
        bootID: terms.bootID, provedAt: now, reuse: terms.reuse)
    }
  }
}
