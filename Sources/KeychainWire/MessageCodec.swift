internal import KeychainModel
internal import SecretMemory

/// Turns messages into the bytes before their secrets: header and public part. One encoder serves many messages and keeps
/// its memory.
public struct MessageEncoder: Sendable {
  private var writer = WireWriter(capacity: 512)

  /// Makes an encoder.
  public init() {}

  /// Header and public part of the message that was encoded last; its secrets follow them on the socket.
  public var bytes: [UInt8] { writer.bytes }

  /// Encodes a message into ``bytes``.
  ///
  /// - Throws: ``WireError``: `.tooLong` where a field, the public part or the secrets are above their bounds,
  ///   `.secretMismatch` where body and secrets disagree, `.reservedSet` where a descriptor has no place, `.invalidValue` or
  ///   `.unknownValue` for what no frame can hold.
  public mutating func encode(_ message: Message) throws(WireError) {
    let secrets = message.secrets
    guard secrets.count <= WireLimits.secrets else { throw .tooLong(limit: WireLimits.secrets) }
    guard (message.descriptor != nil) == (message.body == .presentation(.terminal)) else { throw .reservedSet }
    writer.restart(secretCount: secrets.count)
    putHeader(message)
    let secretLength = try putSecretLengths(secrets)
    try putBody(message.body)
    try writer.finish()
    let publicLength = writer.bytes.count - FrameHeader.byteCount
    guard publicLength <= WireLimits.publicBytes else { throw .tooLong(limit: WireLimits.publicBytes) }
    writer.patch(UInt32(publicLength), at: 12)
    writer.patch(UInt32(secretLength), at: 16)
  }

  private mutating func putHeader(_ message: Message) {
    writer.put(FrameHeader.magic)
    writer.put(FrameHeader.version)
    writer.put(message.body.kind.rawValue)
    writer.put(message.descriptor != nil)
    writer.put(message.requestID)
    writer.put(UInt64(0))
    writer.put(UInt32(0))
  }

  private mutating func putSecretLengths(_ secrets: [SecretBytes]) throws(WireError) -> Int {
    writer.put(UInt8(secrets.count))
    var sum = 0
    for secret in secrets {
      guard secret.count <= WireLimits.oneSecretBytes else { throw .tooLong(limit: WireLimits.oneSecretBytes) }
      writer.put(UInt32(secret.count))
      sum += secret.count
    }
    guard sum <= WireLimits.secretBytes else { throw .tooLong(limit: WireLimits.secretBytes) }
    return sum
  }

  private mutating func putBody(_ body: MessageBody) throws(WireError) {
    switch body {
    case .hello, .cancel: break
    case .helloReply(let hello): try writer.put(hello)
    case .request(let request, let options):
      try writer.put(options)
      try writer.put(request)
    case .reply(let reply): try writer.put(reply)
    case .wanted(let wanted): writer.put(wanted)
    case .presentation(let presentation): try writer.put(presentation)
    case .notice(let notice): try writer.put(notice)
    }
  }
}

/// A public part that was read: what the message says, and how long its secrets are.
public struct DecodedPublicPart: Hashable, Sendable {
  /// What the message says.
  public let body: MessageBody
  /// The length of each secret, in the order of the secret part.
  public let secretLengths: [Int]

  /// Reads the public part of a frame; nothing of it may be unknown, missing or left over.
  ///
  /// - Parameters:
  ///   - header: the frame's header.
  ///   - bytes: exactly the `publicLength` bytes behind it.
  /// - Throws: ``WireError``, any but `.badMagic`, `.version` and `.unknownKind`.
  public init(header: FrameHeader, bytes: [UInt8]) throws(WireError) {
    guard bytes.count >= header.publicLength else { throw .truncated }
    guard bytes.count == header.publicLength else { throw .trailingBytes }
    var reader = WireReader(bytes)
    secretLengths = try reader.secretLengths(sum: header.secretLength)
    reader.expectSecrets(secretLengths.count)
    body = try reader.body(header.kind)
    try reader.finish()
    guard header.carriesDescriptor == (body == .presentation(.terminal)) else { throw .reservedSet }
  }
}

extension WireReader {
  fileprivate mutating func secretLengths(sum: Int) throws(WireError) -> [Int] {
    let count = Int(try uint8())
    guard count <= WireLimits.secrets else { throw .tooLong(limit: WireLimits.secrets) }
    var lengths: [Int] = []
    var total = 0
    for _ in 0..<count {
      let length = Int(try uint32())
      guard length <= WireLimits.oneSecretBytes else { throw .tooLong(limit: WireLimits.oneSecretBytes) }
      lengths.append(length)
      total += length
    }
    guard total == sum else { throw .secretMismatch }
    return lengths
  }

  fileprivate mutating func body(_ kind: FrameKind) throws(WireError) -> MessageBody {
    switch kind {
    case .hello: return .hello
    case .cancel: return .cancel
    case .helloReply: return .helloReply(try helloReply())
    case .request:
      let options = try options()
      return .request(try request(), options)
    case .reply: return .reply(try reply())
    case .wanted: return .wanted(try wanted())
    case .presentation: return .presentation(try presentation())
    case .notice: return .notice(try notice())
    }
  }
}
