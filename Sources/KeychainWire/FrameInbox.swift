internal import LinuxSystem
internal import SecretMemory

/// The receiving half of a ``FrameSocket``.
///
/// Bytes arrive in a small locked buffer, so that a small frame costs one system call. What does not fit is read straight to
/// its place: a long public part into ordinary memory, each secret into memory of its own.
struct FrameInbox: Sendable {
  /// Size of the locked buffer: one page.
  static let bufferBytes = 4096
  /// How long a frame may take to arrive once it has begun, in nanoseconds.
  static let frameNanoseconds: UInt64 = 10_000_000_000

  private let socket: OwnedDescriptor
  private let maximumDescriptors: Int
  private let quota: (any SecretQuota)?
  let buffer: SecretBytes
  /// What the buffer holds that was not used yet.
  private var held = 0..<0
  /// Descriptors that came and belong to a frame that was not finished yet.
  private var descriptors: [OwnedDescriptor] = []
  /// The first failure; the place in the stream is lost with it.
  private var failure: FrameSocketError?

  /// How long one receive on the socket waits by itself, in nanoseconds; 0 for ever.
  private let blockNanoseconds: UInt64

  init(
    _ socket: OwnedDescriptor, maximumDescriptors: Int, blockMilliseconds: UInt32, quota: (any SecretQuota)? = nil
  ) throws(FrameSocketError) {
    guard let buffer = try? SecretBytes(count: Self.bufferBytes) else { throw .outOfMemory }
    self.socket = socket
    self.maximumDescriptors = maximumDescriptors
    self.quota = quota
    self.buffer = buffer
    blockNanoseconds = UInt64(blockMilliseconds) * 1_000_000
  }

  var isHoldingInput: Bool { !held.isEmpty }

  mutating func receive(until deadline: UInt64?) throws(FrameSocketError) -> Message {
    if let failure { throw failure }
    do throws(FrameSocketError) {
      return try receiveFrame(until: deadline)
    } catch {
      // A deadline that passed before the first byte loses nothing.
      if case .dropped = error { throw error }
      if error != .timedOut || isHoldingInput { failure = error }
      throw error
    }
  }

  private mutating func receiveFrame(until deadline: UInt64?) throws(FrameSocketError) -> Message {
    if held.isEmpty { try fill(until: deadline, inside: false) }
    let deadline = min(deadline ?? .max, Clock.boottime + Self.frameNanoseconds)
    while held.count < FrameHeader.byteCount { try fill(until: deadline, inside: true) }
    let header = try parseHeader()
    do throws(FrameSocketError) {
      let content = try receivePublicPart(header, until: deadline)
      let (secrets, claim) = try receiveSecrets(content.secretLengths, header, until: deadline)
      var message = Message(
        requestID: header.requestID, body: content.body, secrets: secrets, descriptor: try takeDescriptor(header))
      message.claim = claim
      return message
    } catch {
      // So that nothing reads the rest of a frame as the beginning of the next.
      if error == .timedOut { failure = error }
      throw error
    }
  }

  private mutating func parseHeader() throws(FrameSocketError) -> FrameHeader {
    let held = held
    do throws(WireError) {
      let header = try buffer.withSpan { (bytes) throws(WireError) in
        try FrameHeader(parsing: bytes.extracting(held))
      }
      consume(FrameHeader.byteCount)
      return header
    } catch { throw .malformed(error, requestID: nil) }
  }

  private mutating func receivePublicPart(
    _ header: FrameHeader, until deadline: UInt64
  ) throws(FrameSocketError) -> DecodedPublicPart {
    let fits = header.publicLength + held.lowerBound <= Self.bufferBytes
    while fits, held.count < header.publicLength { try fill(until: deadline, inside: true) }
    var bytes = takePublicBytes(header.publicLength)
    if bytes.count < header.publicLength {
      try readRest(of: &bytes, count: header.publicLength, until: deadline)
    }
    do throws(WireError) {
      return try DecodedPublicPart(header: header, bytes: bytes)
    } catch { throw .malformed(error, requestID: header.requestID) }
  }

  /// Takes up to `count` bytes from the buffer into ordinary memory.
  private mutating func takePublicBytes(_ count: Int) -> [UInt8] {
    let range = held.prefix(count)
    let bytes = buffer.withSpan { source in
      [UInt8](capacity: count) { target in
        for place in range { target.append(source[place]) }
      }
    }
    consume(range.count)
    return bytes
  }

  /// Reads the rest of a public part that is longer than the buffer.
  private mutating func readRest(
    of bytes: inout [UInt8], count: Int, until deadline: UInt64
  ) throws(FrameSocketError) {
    var filled = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: count - filled))
    while filled < count {
      var target = bytes.mutableSpan
      filled += try receive(into: &target, at: filled, until: deadline, inside: true)
    }
  }

  private mutating func receiveSecrets(
    _ lengths: [Int], _ header: FrameHeader, until deadline: UInt64
  ) throws(FrameSocketError) -> ([SecretBytes], (any SecretClaim)?) {
    var claim: (any SecretClaim)?
    if let quota, header.secretLength > SecretQuotaRule.freeBytes {
      claim = quota.claim(header.secretLength, until: min(deadline, Clock.boottime + SecretQuotaRule.patience))
      if claim == nil { try drop(.overQuota, header, rest: header.secretLength, until: deadline) }
    }
    var secrets: [SecretBytes] = []
    secrets.reserveCapacity(lengths.count)
    var rest = header.secretLength
    for length in lengths {
      guard let secret = try? SecretBytes(count: length) else {
        // What has come of it would only take room from others while the rest is read.
        secrets.removeAll()
        claim = nil
        try drop(.outOfMemory, header, rest: rest, until: deadline)
      }
      try receive(secret, until: deadline)
      secrets.append(secret)
      rest -= length
    }
    return (secrets, claim)
  }

  /// Reads the rest of a frame whose secrets have no room and throws it away, so that its sender can hear why.
  ///
  /// - Throws: `.dropped`, or why the frame has no end.
  private mutating func drop(
    _ why: FrameDrop, _ header: FrameHeader, rest: Int, until deadline: UInt64
  ) throws(FrameSocketError) -> Never {
    var rest = rest
    while rest > 0 {
      if held.isEmpty { try fill(until: deadline, inside: true) }
      let range = held.prefix(rest)
      buffer.wipe(range.lowerBound..<range.upperBound)
      rest -= range.count
      consume(range.count)
    }
    _ = try takeDescriptor(header)
    throw .dropped(why, requestID: header.requestID)
  }

  private mutating func receive(_ secret: SecretBytes, until deadline: UInt64) throws(FrameSocketError) {
    let length = secret.count
    var filled = moveHeld(to: secret)
    while filled < length {
      let place = filled
      filled += try secret.withMutableSpan { (target) throws(FrameSocketError) in
        try receive(into: &target, at: place, until: deadline, inside: true)
      }
    }
  }

  /// Moves what the buffer holds of a secret to its place; how much that was.
  private mutating func moveHeld(to secret: SecretBytes) -> Int {
    let range = held.prefix(secret.count)
    buffer.withSpan { source in
      secret.withMutableSpan { target in
        for place in range { target[place - range.lowerBound] = source[place] }
      }
    }
    buffer.wipe(range.lowerBound..<range.upperBound)
    consume(range.count)
    return range.count
  }

  private mutating func takeDescriptor(_ header: FrameHeader) throws(FrameSocketError) -> OwnedDescriptor? {
    if header.carriesDescriptor {
      guard descriptors.count == 1 else { throw .malformed(.reservedSet, requestID: header.requestID) }
      return descriptors.removeFirst()
    }
    // One that came with bytes behind this frame belongs to a later one.
    guard descriptors.isEmpty || isHoldingInput else { throw .malformed(.reservedSet, requestID: header.requestID) }
    return nil
  }

  private mutating func consume(_ count: Int) {
    held = held.lowerBound + count..<held.upperBound
    if held.isEmpty { held = 0..<0 }
  }

  /// Receives once into the free end of the buffer.
  private mutating func fill(until deadline: UInt64?, inside: Bool) throws(FrameSocketError) {
    if held.upperBound == Self.bufferBytes { moveToFront() }
    let start = held.upperBound
    let buffer = buffer
    let count = try buffer.withMutableSpan { (target) throws(FrameSocketError) in
      try receive(into: &target, at: start, until: deadline, inside: inside)
    }
    held = held.lowerBound..<start + count
  }

  private mutating func moveToFront() {
    let range = held
    buffer.withMutableSpan { bytes in
      for place in range { bytes[place - range.lowerBound] = bytes[place] }
    }
    buffer.wipe(range.count..<range.upperBound)
    held = 0..<range.count
  }

  /// Receives once; at least one byte.
  private mutating func receive(
    into target: inout MutableSpan<UInt8>, at place: Int, until deadline: UInt64?, inside: Bool
  ) throws(FrameSocketError) -> Int {
    do throws(Errno) {
      let received = try wait(into: &target, at: place, until: deadline)
      descriptors += received.descriptors
      if received.truncated || descriptors.count > 1 { throw .malformed }
      if received.count > 0 { return received.count }
    } catch {
      throw FrameSocketError(receiving: error, inside: inside)
    }
    throw inside ? .closedInsideFrame : .closed
  }

  /// Receives when something comes. As long as the receive's own wait ends before the deadline it waits by itself, which
  /// saves a system call.
  private func wait(
    into target: inout MutableSpan<UInt8>, at place: Int, until deadline: UInt64?
  ) throws(Errno) -> UnixSocket.Received {
    while true {
      let waitsItself = deadline.map { blockNanoseconds > 0 && Clock.boottime + blockNanoseconds < $0 } ?? true
      if !waitsItself {
        let answer = try Poll.wait([PollEntry(socket)], until: deadline)
        guard answer.contains(where: { !$0.events.isEmpty }) else { throw .wouldBlock }
      }
      do throws(Errno) {
        return try UnixSocket.receive(socket, into: &target, at: place, maximumDescriptors: maximumDescriptors)
      } catch  where error == .wouldBlock {}
    }
  }
}

extension FrameSocketError {
  /// What a failed receive means.
  fileprivate init(receiving error: Errno, inside: Bool) {
    switch error {
    case .connectionReset: self = inside ? .closedInsideFrame : .closed
    case .wouldBlock: self = .timedOut
    case .malformed: self = .malformed(.reservedSet, requestID: nil)
    default: self = .system(error)
    }
  }
}
