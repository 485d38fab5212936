internal import AccessPolicy
internal import KeychainModel
internal import Synchronization

/// The proofs that may serve again. Each lives as long as its mark in the key cache.
final class EvidenceShelf: Sendable {
  private struct Entry {
    let evidence: VerifiedEvidence
    let mark: ProofMark
  }

  /// More proofs than a person gives within a day; the oldest makes room.
  static let capacity = 64

  private let entries = Mutex<[Entry]>([])

  /// Keeps a proof, where its terms and the cache allow it.
  func keep(_ evidence: VerifiedEvidence, cache: any KeyCaching) {
    guard evidence.reuse.windowSeconds > 0, evidence.reuse.scope != .never,
      let mark = cache.keepProof(service: evidence.service ?? "a context", seconds: evidence.reuse.windowSeconds)
    else { return }
    entries.withLock { list in
      if list.count >= Self.capacity { list.removeFirst(list.count - Self.capacity + 1) }
      list.append(Entry(evidence: evidence, mark: mark))
    }
  }

  /// The proofs for a service whose marks still stand. What has ended is thrown away on the way.
  func standing(for service: ExactText, cache: any KeyCaching) -> [VerifiedEvidence] {
    // The cache asks the kernel, which takes longer than all other threads should wait.
    let kept = entries.withLock { $0 }
    guard !kept.isEmpty else { return [] }
    var standing: [VerifiedEvidence] = []
    var ended: Set<ProofMark> = []
    for entry in kept where Self.serves(entry, service) {
      switch cache.stands(entry.mark) {
      case .alive: standing.append(entry.evidence)
      case .ended: ended.insert(entry.mark)
      }
    }
    if !ended.isEmpty { entries.withLock { $0.removeAll { ended.contains($0.mark) } } }
    return standing
  }

  /// Forgets the proofs of which `judge` says that they end, by service and policy, and those of no service; answers the services
  /// of the others.
  func keep(_ judge: (ExactText, PolicyDigest) -> ProofFate) -> Set<ExactText> {
    entries.withLock { list in
      list.removeAll { entry in
        guard let service = entry.evidence.service else { return true }
        return judge(service, entry.evidence.policyDigest) == .ends
      }
      return Set(list.compactMap(\.evidence.service))
    }
  }

  /// What becomes of a proof.
  enum ProofFate { case stands, ends }

  /// Forgets every proof.
  func clear() {
    entries.withLock { $0.removeAll() }
  }

  /// Forgets the proofs of one context.
  func drop(context: ContextIdentifier) {
    entries.withLock { $0.removeAll { $0.evidence.context == context } }
  }

  private static func serves(_ entry: Entry, _ service: ExactText) -> Bool {
    entry.evidence.service == nil || entry.evidence.service == service
  }
}
