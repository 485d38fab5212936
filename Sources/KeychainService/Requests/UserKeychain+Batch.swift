internal import AccessPolicy
internal import KeychainModel

// A search whose values fill several replies is one request to the user: one prompt serves all of its pages.
extension UserKeychain {
  /// Most pages behind the first that are looked at before a prompt: 64, with at most 16,384 items. What lies behind them asks
  /// when its page comes.
  static var batchPages: Int { 64 }

  /// Takes up the proofs of the page before.
  func goOn(with request: FindRequest, _ passage: inout Passage) {
    guard request.after != nil, request.returns.contains(.data),
      let proofs = batches.take(for: request, passage.incoming, now: ports.clock.now)
    else { return }
    passage.fresh = proofs.evidence
    passage.freshSince = proofs.since
  }

  /// Leaves the proofs of this page to the next.
  func keepForNextPage(_ answer: Answer, _ request: FindRequest, _ passage: Passage) {
    guard case .found(let reply) = answer.reply, let next = reply.next, let since = passage.freshSince else { return }
    var following = request
    following.after = next
    batches.keep(
      BatchShelf.Proofs(evidence: passage.fresh, since: since), for: following, passage.incoming, now: ports.clock.now)
  }

  /// What the next pages behind this one hold, one item for each kind of proof that may be needed.
  func furtherTargets(
    _ page: StoredPage, _ request: FindRequest, _ passage: Passage
  ) throws(Refusal) -> [ProofTarget] {
    guard request.query.limit == .all, var next = page.next else { return [] }
    let groups = try visibleGroups(request.query.attributes, passage.incoming)
    var kinds: Set<ProofKind> = []
    var targets: [ProofTarget] = []
    for _ in 0..<Self.batchPages {
      let further = try store.find(
        request.query, groups: groups, page: PageRequest(after: next, limit: PageBounds.items), keys: passage.keys)
      for item in further.items where item.dead == nil {
        let target = try target(item, .decrypt, query: request.query)
        guard kinds.insert(ProofKind(target)).inserted else { continue }
        targets.append(target)
      }
      guard let behind = further.next, behind > next else { break }
      next = behind
    }
    return targets
  }

  /// What decides which proof an item needs.
  private struct ProofKind: Hashable {
    let service: ExactText
    let accessControl: AccessControl
    let boundEnrolment: [UInt8]?

    init(_ target: ProofTarget) {
      service = target.service
      accessControl = target.item.accessControl
      boundEnrolment = target.item.boundEnrolment
    }
  }
}
