internal import AccessPolicy
internal import KeychainModel
internal import Synchronization

/// Lets one prompt at a time onto a terminal (or, without one, to a user), and up for a process. Who waits is served in order
/// of arrival.
///
/// A request stands in two queues at once, its terminal's and its process's. It enters both in one step, so all queues have
/// the same order: the one that came first of all is the first in both of its queues, and none can wait for another in a ring.
final class PromptTurns: Sendable {
  /// Where prompts would meet, as far as that is known before a client says where its prompt may appear.
  ///
  /// A program stands in line with those of its own session alone: its client shows the prompt on the terminal that controls
  /// it, and no two sessions are controlled by one terminal (setsid(2), ioctl_tty(2) TIOCSCTTY). The device's number is no
  /// such place: a terminal of another devpts may have the same, and whoever holds a prompt up there, unseen, would have the
  /// person wait. What `su` or `sudo -i` starts on the terminal is of the same session; `setsid` leaves it, and the terminal
  /// with it.
  enum Place: Hashable, Sendable {
    /// The terminal that controls the program, with the session.
    case terminal(TerminalIdentity)
    /// The user's display, or nowhere yet. Programs that no terminal controls meet here, also those that hand one in.
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
    var holders: [UInt64: PromptHolder] = [:]
    var last: UInt64 = 0
  }

  /// Most requests of one process behind the one whose turn it is.
  static let mostWaiting = 32

  private let state = Mutex(State())

  /// Waits for the turn. Throws `promptPending` where too many of the process wait already, `deadlinePassed`, or the reason why
  /// nobody wants the answer any more.
  ///
  /// It looks every few milliseconds; a prompt takes seconds, and no lock is held meanwhile. The client is told at once which
  /// request it waits for, and again where another one's prompt is up or where it stands is known.
  ///
  /// - Parameter request: what those behind it are told of it; its process is the one that has one prompt at a time.
  func take(
    _ place: Place, for request: PromptHolder, until deadline: Instant, clock: any ServiceClock,
    channel: any PromptChannel
  ) throws(Refusal) -> (ticket: Ticket, turn: Turn) {
    let ticket = try enter(place, request)
    var turn = Turn.atOnce
    var told: PromptHolder?
    while !isFirst(ticket) {
      if let holder = holder(before: ticket), told == nil || (holder != told && holder.site != nil) {
        channel.notify(Notice(kind: .waiting, text: holder.line))
        told = holder
      }
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
      state.holders[ticket.number] = nil
    }
  }

  /// Takes down where the prompt of a turn stands, for those behind it.
  func note(_ site: PromptSite, of ticket: Ticket) { state.withLock { $0.holders[ticket.number]?.site = site } }

  /// Requests of a process that stand in its queue, the one whose turn it is among them.
  func count(of process: ProcessIdentity) -> Int { state.withLock { $0.queues[.process(process), default: []].count } }

  private func enter(_ place: Place, _ request: PromptHolder) throws(Refusal) -> Ticket {
    let process = request.process
    return try state.withLock { (state) throws(Refusal) in
      guard state.queues[.process(process), default: []].count <= Self.mostWaiting else {
        throw Refusal(.promptPending, detail: "\(Self.mostWaiting) requests of this program wait for a prompt")
      }
      state.last += 1
      let ticket = Ticket(place: place, process: process, number: state.last)
      for queue in Self.queues(of: ticket) { state.queues[queue, default: []].append(ticket.number) }
      state.holders[ticket.number] = request
      return ticket
    }
  }

  private func isFirst(_ ticket: Ticket) -> Bool {
    state.withLock { state in
      Self.queues(of: ticket).allSatisfy { state.queues[$0]?.first == ticket.number }
    }
  }

  /// The first of a queue that it is not the first of.
  private func holder(before ticket: Ticket) -> PromptHolder? {
    state.withLock { state in
      let first = Self.queues(of: ticket).compactMap { state.queues[$0]?.first }.first { $0 != ticket.number }
      return first.flatMap { state.holders[$0] }
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
