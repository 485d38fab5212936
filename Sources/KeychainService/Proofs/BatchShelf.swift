internal import AccessPolicy
internal import KeychainModel
internal import Synchronization

/// The proofs of batches whose values fill several replies: the page that follows is part of the same request, so that one
/// proof serves the whole batch also where the policy lets no proof serve twice.
///
/// A batch is named by who asked, by what was asked and by where the next page begins. It is taken once, and only for as
/// long as a client needs to ask for its next page.
final class BatchShelf: Sendable {
  /// What a batch has proved so far.
  struct Proofs: Sendable {
    /// The proofs given for it.
    let evidence: [VerifiedEvidence]
    /// When its first prompt came up.
    let since: Instant
  }

  private struct Entry {
    let peer: PeerFacts
    let options: RequestOptions
    let request: FindRequest
    let proofs: Proofs
    let ends: Instant
  }

  /// How long the next page may take to be asked for, in seconds.
  static let seconds: UInt32 = 30
  /// Most batches at once; the oldest makes room.
  static let capacity = 64

  private let entries = Mutex<[Entry]>([])

  /// Keeps the proofs for the page that `request` will ask for.
  func keep(_ proofs: Proofs, for request: FindRequest, _ incoming: IncomingRequest, now: Instant) {
    let entry = Entry(
      peer: incoming.peer, options: incoming.options, request: request, proofs: proofs,
      ends: now.adding(seconds: Self.seconds))
    entries.withLock { list in
      list.removeAll { $0.ends <= now }
      if list.count >= Self.capacity { list.removeFirst(list.count - Self.capacity + 1) }
      list.append(entry)
    }
  }

  /// Takes the proofs of the batch that this request goes on with; `nil` where there are none.
  func take(for request: FindRequest, _ incoming: IncomingRequest, now: Instant) -> Proofs? {
    entries.withLock { list in
      list.removeAll { $0.ends <= now }
      let place = list.firstIndex {
        $0.request == request && $0.peer == incoming.peer && $0.options == incoming.options
      }
      return place.map { list.remove(at: $0).proofs }
    }
  }

  /// Forgets every batch.
  func clear() { entries.withLock { $0.removeAll() } }
}
