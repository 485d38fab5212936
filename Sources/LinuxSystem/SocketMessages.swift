internal import CLinux

extension UnixSocket {
  /// How a message is sent.
  public struct SendFlags: OptionSet, Sendable {
    /// The bits, as in socket.h.
    public let rawValue: Int32
    /// Wraps bits of socket.h.
    public init(rawValue: Int32) { self.rawValue = rawValue }
    /// Rather EAGAIN than waiting (MSG_DONTWAIT).
    public static let nonBlocking = SendFlags(rawValue: Int32(MSG_DONTWAIT))
  }

  /// What one receive brought.
  public struct Received: Sendable {
    /// The bytes; 0 means the end of a stream.
    public let count: Int
    /// The descriptors that came along, close-on-exec.
    public let descriptors: [OwnedDescriptor]
    /// Whether bytes of the message or descriptors were dropped for lack of room: the message is of no use.
    public let truncated: Bool
  }

  /// Whether a read got all it asked for.
  public enum ReadOutcome: Hashable, Sendable {
    /// The buffer is full.
    case complete
    /// The other side ended after so many bytes (0 up to one less than the buffer holds).
    case ended(after: Int)
  }

  /// Sends one message, perhaps with descriptors (sendmsg(2), SCM_RIGHTS); never raises SIGPIPE.
  ///
  /// - Returns: The bytes taken; on a stream perhaps fewer than given. The descriptors go with the first byte.
  /// - Throws: ``Errno``: EPIPE, ECONNRESET, EAGAIN (non-blocking, or the socket's timeout), EMSGSIZE,
  ///   EINVAL (more than ``maximumDescriptors``, or descriptors without a byte).
  public static func send(
    _ socket: OwnedDescriptor, _ bytes: Span<UInt8>, passing descriptors: [OwnedDescriptor] = [], flags: SendFlags = []
  ) throws(Errno) -> Int {
    guard descriptors.isEmpty || !bytes.isEmpty else { throw .invalidArgument }
    let numbers = descriptors.map(\.number)
    let sent = try unsafe bytes.withUnsafeBytes { raw throws(Errno) in
      var part = unsafe iovec(iov_base: UnsafeMutableRawPointer(mutating: raw.baseAddress), iov_len: raw.count)
      return try SystemCall.run {
        unsafe clinux_send(socket.number, &part, 1, numbers, numbers.count, flags.rawValue)
      }
    }
    // The kernel duplicated them; until here ours had to stay open.
    withExtendedLifetime(descriptors) {}
    return sent
  }

  /// Sends all of `first` and then all of `second`, in as few calls as the kernel allows (sendmsg(2)).
  ///
  /// - Throws: ``Errno``: EPIPE, ECONNRESET, EAGAIN (the socket's timeout). Some bytes may have gone out.
  public static func sendAll(_ socket: OwnedDescriptor, _ first: Span<UInt8>, _ second: Span<UInt8>) throws(Errno) {
    try unsafe first.withUnsafeBytes { head throws(Errno) in
      try unsafe second.withUnsafeBytes { tail throws(Errno) in
        try unsafe sendAll(socket, head, tail)
      }
    }
  }

  /// Sends all bytes.
  ///
  /// - Throws: ``Errno``: EPIPE, ECONNRESET, EAGAIN (the socket's timeout). Some bytes may have gone out.
  public static func sendAll(_ socket: OwnedDescriptor, _ bytes: Span<UInt8>) throws(Errno) {
    try unsafe bytes.withUnsafeBytes { raw throws(Errno) in
      try unsafe sendAll(socket, raw, UnsafeRawBufferPointer(start: nil, count: 0))
    }
  }

  private static func sendAll(
    _ socket: OwnedDescriptor, _ head: UnsafeRawBufferPointer, _ tail: UnsafeRawBufferPointer
  ) throws(Errno) {
    var sent = 0
    let total = head.count + tail.count
    while sent < total {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: head[min(sent, head.count)...])
      let more = unsafe UnsafeRawBufferPointer(rebasing: tail[max(0, sent - head.count)...])
      // SAFETY: the kernel only reads from these; both spans outlive the call.
      let parts = unsafe [iovec(reading: rest), iovec(reading: more)]
      sent += try SystemCall.run { unsafe clinux_send(socket.number, parts, parts.count, nil, 0, 0) }
    }
  }

  /// Receives once, with up to `maximumDescriptors` descriptors (recvmsg(2), SCM_RIGHTS).
  ///
  /// - Parameters:
  ///   - offset: The first place of `buffer` to fill.
  ///   - maximumDescriptors: 0 to ``maximumDescriptors``; those beyond are closed and the result is `truncated`.
  /// - Throws: ``Errno``: ECONNRESET, EAGAIN (the socket's timeout), EINVAL (a bound out of range).
  public static func receive(
    _ socket: OwnedDescriptor, into buffer: inout MutableSpan<UInt8>, at offset: Int = 0,
    maximumDescriptors maximum: Int = 0
  ) throws(Errno) -> Received {
    guard (0...maximumDescriptors).contains(maximum), (0...buffer.count).contains(offset) else {
      throw .invalidArgument
    }
    var numbers = [Int32](repeating: -1, count: max(maximum, 1))
    var found = 0
    var flags: Int32 = 0
    let count = try unsafe buffer.withUnsafeMutableBytes { whole throws(Errno) in
      let raw = unsafe UnsafeMutableRawBufferPointer(rebasing: whole[offset...])
      return try SystemCall.run {
        unsafe clinux_receive(socket.number, raw.baseAddress, raw.count, &numbers, maximum, &found, &flags)
      }
    }
    let descriptors = numbers.prefix(found).map { OwnedDescriptor(owning: $0) }
    let truncated = flags & (Int32(MSG_TRUNC) | Int32(MSG_CTRUNC)) != 0
    return Received(count: count, descriptors: descriptors, truncated: truncated)
  }

  /// Reads until the buffer is full or the other side ended. Works on pipes too. An empty buffer is complete at once.
  ///
  /// - Throws: ``Errno``: ECONNRESET, EAGAIN (the socket's timeout).
  public static func readExactly(
    _ socket: OwnedDescriptor, into buffer: inout MutableSpan<UInt8>
  ) throws(Errno) -> ReadOutcome {
    try unsafe buffer.withUnsafeMutableBytes { raw throws(Errno) in
      var filled = 0
      while filled < raw.count {
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: raw[filled...])
        let count = try SystemCall.run { unsafe read(socket.number, rest.baseAddress, rest.count) }
        if count == 0 { return .ended(after: filled) }
        filled += count
      }
      return .complete
    }
  }
}

extension iovec {
  fileprivate init(reading bytes: UnsafeRawBufferPointer) {
    unsafe self.init(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
  }
}
