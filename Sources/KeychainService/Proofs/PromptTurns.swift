internal import AccessPolicy
internal import KeychainModel
internal import Synchronization

/// Lets one prompt at a time onto a terminal (or, without one, to a user). Who waits is served in order of arrival.
final class PromptTurns: Sendable {
  /// Where prompts would meet.
  enum Place: Hashable, Sendable {
    /// A terminal, by device number.
    case terminal(UInt64)
    /// The user's display, or nowhere yet.
    case display
  }

  /// Whether the turn came at once: after a wait the request must be judged anew.
  enum Turn: Sendable { case atOnce, afterWaiting }

  private let queues = Mutex<[Place: [UInt64]]>([:])
  private let tickets = Atomic<UInt64>(0)

  /// Waits for the turn. Throws `deadlinePassed`, or the reason why nobody wants the answer any more.
  ///
  /// It looks every few milliseconds; a prompt takes seconds, and no lock is held meanwhile.
  func take(
    _ place: Place, until deadline: Instant, clock: any ServiceClock, channel: any PromptChannel
  ) throws(Refusal) -> (ticket: Ticket, turn: Turn) {
    let number = tickets.wrappingAdd(1, ordering: .relaxed).newValue
    queues.withLock { $0[place, default: []].append(number) }
    let ticket = Ticket(place: place, number: number)
    var turn = Turn.atOnce
    while queues.withLock({ $0[place]?.first }) != number {
      if turn == .atOnce { channel.notify(Notice(kind: .waiting, text: "another prompt is up; waiting for its end")) }
      turn = .afterWaiting
      if case .ended(let reason) = channel.liveness {
        give(back: ticket)
        throw Refusal(reason)
      }
      guard clock.now < deadline else {
        give(back: ticket)
        throw Refusal(.deadlinePassed, detail: "another prompt was up all the time")
      }
      clock.pause(milliseconds: 5)
    }
    return (ticket, turn)
  }

  /// Lets the next one in.
  func give(back ticket: Ticket) {
    queues.withLock { queues in
      queues[ticket.place]?.removeAll { $0 == ticket.number }
      if queues[ticket.place]?.isEmpty == true { queues[ticket.place] = nil }
    }
  }

  /// One request's place in a queue.
  struct Ticket: Sendable {
    let place: Place
    let number: UInt64
  }
}
