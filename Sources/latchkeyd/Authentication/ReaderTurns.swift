internal import AccessPolicy
internal import DialogueWire
internal import KeychainModel
internal import LinuxSystem
internal import Synchronization

/// Lets one prompt at a time have the fingerprint reader, of all users and all their programs: a finger that is shown for what
/// one prompt says must not open what another one asks for. Who waits is served in order of arrival.
///
/// A prompt holds its turn from the first start of the reader until nobody sees any more that a finger is wanted. A prompt at
/// another place, and any after one that was broken off, starts the reader only after a pause, because a finger may be on its
/// way to the one that just ended.
final class ReaderTurns: Sendable {
  /// A prompt that wants a finger.
  struct Prompt: Hashable, Sendable {
    /// Whose.
    var uid: UInt32
    /// Where it stands.
    var place: Place
    /// What others of the same user's are told of it.
    var description: HoldingPrompt
  }

  /// Where a prompt stands: who looks at one place sees one prompt end and the next one come.
  enum Place: Hashable, Sendable {
    /// A terminal, and the session of the program that asks there: a number that is free is given to the next terminal, which
    /// another session has.
    case terminal(TerminalFile, session: ProcessIdentity?)
    /// A window. Two of them are never the same place.
    case window(UInt64)
  }

  /// How it stands with a turn.
  enum Turn: Equatable, Sendable {
    /// The reader is this prompt's.
    case ours
    /// This prompt is the next, from this moment on (boot-time nanoseconds).
    case next(from: UInt64)
    /// The reader is another prompt's.
    case theirs(FingerHolder)
  }

  /// How a prompt ended.
  enum End: Hashable, Sendable {
    /// PAM has taken or refused what the person gave: no finger is on its way any more.
    case decided
    /// Otherwise: by a key, a signal, a deadline, or with its program.
    case brokenOff

    /// The end of a prompt that was refused for a reason.
    init(_ reason: Reason) {
      switch reason {
      case .noMatch, .wrongPasscode, .biometryLockout: self = .decided
      default: self = .brokenOff
      }
    }
  }

  /// One prompt's place in the queue.
  struct Ticket: Hashable, Sendable { fileprivate let number: UInt64 }

  private struct State {
    var queue: [(ticket: Ticket, prompt: Prompt)] = []
    var last: UInt64 = 0
    /// The prompt that has had the reader last or has it now, and when and how it ended.
    var holder: (ticket: Ticket, place: Place)?
    var ended: (at: UInt64, how: End)?
  }

  /// How long a finger may be on its way to a prompt that has ended: nanoseconds.
  static let pause: UInt64 = 2_000_000_000

  private let state = Mutex(State())

  /// Enters a prompt behind all that are there.
  func enter(_ prompt: Prompt) -> Ticket {
    state.withLock { state in
      state.last += 1
      let ticket = Ticket(number: state.last)
      state.queue.append((ticket, prompt))
      return ticket
    }
  }

  /// Says whose turn it is.
  ///
  /// - Parameter now: boot-time nanoseconds.
  func turn(of ticket: Ticket, now: UInt64) -> Turn {
    state.withLock { state in
      guard let first = state.queue.first, let own = state.queue.first(where: { $0.ticket == ticket }) else {
        return .theirs(.somebody)
      }
      guard first.ticket == ticket else {
        return .theirs(first.prompt.uid == own.prompt.uid ? .ownPrompt(first.prompt.description) : .prompt)
      }
      if let holder = state.holder, let ended = state.ended, holder.ticket != ticket,
        holder.place != own.prompt.place || ended.how == .brokenOff, now < ended.at + Self.pause
      {
        return .next(from: ended.at + Self.pause)
      }
      state.holder = (ticket, own.prompt.place)
      state.ended = nil
      return .ours
    }
  }

  /// Hands over to the next one; once the prompt is gone, or says that no finger is wanted any more.
  func leave(_ ticket: Ticket, _ end: End, now: UInt64) {
    state.withLock { state in
      state.queue.removeAll { $0.ticket == ticket }
      if state.holder?.ticket == ticket, state.ended == nil { state.ended = (now, end) }
    }
  }
}
