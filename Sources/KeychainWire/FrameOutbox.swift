internal import LinuxSystem
internal import SecretMemory

/// The sending half of a ``FrameSocket``.
struct FrameOutbox: Sendable {
  private let socket: OwnedDescriptor
  private var encoder = MessageEncoder()
  /// Where a frame with several secrets is put together, so that it leaves in one call; made when first needed.
  private var assembly: SecretBytes?

  init(_ socket: OwnedDescriptor) { self.socket = socket }

  mutating func send(_ message: Message) throws(FrameSocketError) {
    do throws(WireError) { try encoder.encode(message) } catch { throw .encoding(error) }
    do throws(Errno) {
      if try sendAssembled(message.secrets) { return }
      try sendInParts(message)
    } catch {
      UnixSocket.shutDown(socket)
      throw FrameSocketError(sending: error)
    }
  }

  /// The frame in parts: its head, perhaps with a descriptor, and the secrets straight from their own memory.
  private func sendInParts(_ message: Message) throws(Errno) {
    let head = encoder.bytes
    if let descriptor = message.descriptor {
      let sent = try UnixSocket.send(socket, head.span, passing: [descriptor])
      try UnixSocket.sendAll(socket, head.span.extracting(sent..<head.count))
      return
    }
    guard let first = message.secrets.first else { return try UnixSocket.sendAll(socket, head.span) }
    try first.withSpan { (secret) throws(Errno) in try UnixSocket.sendAll(socket, head.span, secret) }
    for secret in message.secrets.dropFirst() {
      try secret.withSpan { (bytes) throws(Errno) in try UnixSocket.sendAll(socket, bytes) }
    }
  }

  /// A small frame with two secrets or more, put together in locked memory; `false` where it is not one.
  private mutating func sendAssembled(_ secrets: [SecretBytes]) throws(Errno) -> Bool {
    let head = encoder.bytes
    let total = secrets.reduce(head.count) { $0 + $1.count }
    guard secrets.count >= 2, total <= FrameInbox.bufferBytes else { return false }
    guard let assembly = assembly ?? (try? SecretBytes(count: FrameInbox.bufferBytes)) else { return false }
    self.assembly = assembly
    assembly.withMutableSpan { target in
      for place in 0..<head.count { target[place] = head[place] }
      var next = head.count
      for secret in secrets { next += secret.copy(to: &target, at: next) }
    }
    defer { assembly.wipe(head.count..<total) }
    try assembly.withSpan { (bytes) throws(Errno) in
      try UnixSocket.sendAll(socket, bytes.extracting(0..<total))
    }
    return true
  }
}

extension FrameSocketError {
  /// What a failed send means.
  fileprivate init(sending error: Errno) {
    switch error {
    case .brokenPipe, .connectionReset: self = .closed
    case .wouldBlock: self = .timedOut
    default: self = .system(error)
    }
  }
}

extension SecretBytes {
  /// Copies all bytes to `target` from `start` on; how many those were.
  func copy(to target: inout MutableSpan<UInt8>, at start: Int) -> Int {
    withSpan { source in
      for place in source.indices { target[start + place] = source[place] }
    }
    return count
  }

  /// Overwrites some bytes by zeros.
  func wipe(_ range: Range<Int>) {
    withMutableSpan { bytes in
      for place in range { bytes[place] = 0 }
    }
  }
}
