internal import CLinux

/// Waiting for descriptors (poll(2)).
public enum Poll {
  /// What a descriptor is watched for, or what happened to it.
  public struct Events: OptionSet, Hashable, Sendable {
    /// The bits, as in poll.h.
    public let rawValue: Int16
    /// Wraps bits of poll.h.
    public init(rawValue: Int16) { self.rawValue = rawValue }
    /// There are bytes, a connection, or the end (POLLIN).
    public static let readable = Events(rawValue: Int16(POLLIN))
    /// Bytes can be sent (POLLOUT).
    public static let writable = Events(rawValue: Int16(POLLOUT))
    /// The other side shut down its writing half (POLLRDHUP).
    public static let writerGone = Events(rawValue: clinux_pollrdhup)
    /// The other side is gone (POLLHUP); reported even when not asked for.
    public static let hangup = Events(rawValue: Int16(POLLHUP))
    /// An error is pending (POLLERR); reported even when not asked for.
    public static let failure = Events(rawValue: Int16(POLLERR))
    /// The descriptor is not open (POLLNVAL); reported even when not asked for.
    public static let invalid = Events(rawValue: Int16(POLLNVAL))
  }

  /// Waits until something happened to one of the descriptors or the time is over; interruptions do not lengthen it.
  ///
  /// - Parameters:
  ///   - entries: The descriptors and what each is watched for.
  ///   - timeoutMilliseconds: 0 looks only; `nil` waits for ever; negative counts as 0.
  /// - Returns: For each entry, in order, what happened; all empty when the time is over.
  /// - Throws: ``Errno``: EINVAL (more entries than RLIMIT_NOFILE), ENOMEM.
  public static func wait(_ entries: [PollEntry], timeoutMilliseconds: Int32?) throws(Errno) -> [PollResult] {
    let deadline = timeoutMilliseconds.map { Clock.boottime + UInt64(max($0, 0)) * 1_000_000 }
    return try wait(entries, until: deadline)
  }

  /// Waits as ``wait(_:timeoutMilliseconds:)`` does, to a moment on the boot-time clock.
  ///
  /// - Throws: ``Errno``: EINVAL (more entries than RLIMIT_NOFILE), ENOMEM.
  public static func wait(_ entries: [PollEntry], until deadline: UInt64?) throws(Errno) -> [PollResult] {
    var records = entries.map { pollfd(fd: $0.descriptor.number, events: $0.events.rawValue, revents: 0) }
    while true {
      let left = milliseconds(until: deadline)
      let answer = unsafe poll(&records, nfds_t(records.count), left)
      if answer > 0 || (answer == 0 && isOver(deadline)) {
        return records.map { PollResult(events: Events(rawValue: $0.revents)) }
      }
      if answer < 0, Errno.current != .interrupted { throw Errno.current }
    }
  }

  private static func isOver(_ deadline: UInt64?) -> Bool {
    guard let deadline else { return false }
    return Clock.boottime >= deadline
  }

  /// Rounded up, so that the wait does not end early; -1 for ever.
  private static func milliseconds(until deadline: UInt64?) -> Int32 {
    guard let deadline else { return -1 }
    let now = Clock.boottime
    guard deadline > now else { return 0 }
    return Int32(clamping: (deadline - now).dividedRoundingUp(by: 1_000_000))
  }
}

/// One descriptor to watch.
public struct PollEntry: Sendable {
  /// The descriptor.
  public var descriptor: OwnedDescriptor
  /// What it is watched for; hangup and failure are reported in any case.
  public var events: Poll.Events
  /// Watches `descriptor`, for bytes to read where nothing else is said.
  public init(_ descriptor: OwnedDescriptor, _ events: Poll.Events = .readable) {
    self.descriptor = descriptor
    self.events = events
  }
}

/// What happened to one descriptor.
public struct PollResult: Hashable, Sendable {
  /// All that happened; empty for nothing.
  public let events: Poll.Events
  /// Whether reading will not block: bytes, the end, or an error.
  public var isReadable: Bool { !events.isDisjoint(with: [.readable, .hangup, .failure]) }
  /// Whether the other side is gone: hang-up, an error, or a descriptor that is not open.
  public var isGone: Bool { !events.isDisjoint(with: [.hangup, .writerGone, .failure, .invalid]) }
}

extension UInt64 {
  /// Division that rounds up.
  fileprivate func dividedRoundingUp(by divisor: UInt64) -> UInt64 { self / divisor + (self % divisor == 0 ? 0 : 1) }
}
