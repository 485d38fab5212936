internal import AccessPolicy
internal import KeychainModel
internal import Synchronization

/// Lets one prompt at a time onto a terminal (or, without one, to a user), and up for a process. Who waits is served in order
/// of arrival.
///
/// A request stands in two queues at once, its terminal's and its process's. It enters both in one step, so all queues have
/// the same order: the one that came first of all is the first in both of its queues, and none can wait for another in a ring.
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

  /// What has one prompt at a time.
  private enum Queue: Hashable {
    case place(Place)
    case process(ProcessIdentity)
  }

  private struct State {
    var queues: [Queue: [UInt64]] = [:]
    var last: UInt64 = 0
  }

  /// Most requests of one process behind the one whose turn it is.
  static let mostWaiting = 32

  private let state = Mutex(State())

  /// Waits for the turn. Throws `promptPending` where too many of the process wait already, `deadlinePassed`, or the reason why
  /// nobody wants the answer any more.
  ///
  /// It looks every few milliseconds; a prompt takes seconds, and no lock is held meanwhile.
  func take(
    _ place: Place, _ process: ProcessIdentity, until deadline: Instant, clock: any ServiceClock,
    channel: any PromptChannel
  ) throws(Refusal) -> (ticket: Ticket, turn: Turn) {
    let ticket = try enter(place, process)
    var turn = Turn.atOnce
    while !isFirst(ticket) {
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
    state.withLock { state in
      for queue in Self.queues(of: ticket) {
        state.queues[queue]?.removeAll { $0 == ticket.number }
        if state.queues[queue]?.isEmpty == true { state.queues[queue] = nil }
      }
    }
  }

  /// Requests of a process that stand in its queue, the one whose turn it is among them.
  func count(of process: ProcessIdentity) -> Int { state.withLock { $0.queues[.process(process), default: []].count } }

  private func enter(_ place: Place, _ process: ProcessIdentity) throws(Refusal) -> Ticket {
    try state.withLock { (state) throws(Refusal) in
      guard state.queues[.process(process), default: []].count <= Self.mostWaiting else {
        throw Refusal(.promptPending, detail: "\(Self.mostWaiting) requests of this program wait for a prompt")
      }
      state.last += 1
      let ticket = Ticket(place: place, process: process, number: state.last)
      for queue in Self.queues(of: ticket) { state.queues[queue, default: []].append(ticket.number) }
      return ticket
    }
  }

  private func isFirst(_ ticket: Ticket) -> Bool {
    state.withLock { state in
      Self.queues(of: ticket).allSatisfy { state.queues[$0]?.first == ticket.number }
    }
  }

  private static func queues(of ticket: Ticket) -> [Queue] { [.place(ticket.place), .process(ticket.process)] }

  /// One request's place in its two queues.
  struct Ticket: Sendable {
    let place: Place
    let process: ProcessIdentity
    let number: UInt64
  }
}
