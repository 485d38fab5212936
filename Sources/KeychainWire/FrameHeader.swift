/// What a frame is. The number stands in its header.
public enum FrameKind: UInt8, CaseIterable, Sendable {
  /// Client: which versions do you speak?
  case hello = 1
  /// Daemon: these.
  case helloReply = 2
  /// Client: a request.
  case request = 3
  /// Daemon: its answer; the request is over.
  case reply = 4
  /// Daemon: a proof is needed, say where a prompt may appear.
  case wanted = 5
  /// Client: there; may carry the terminal's descriptor.
  case presentation = 6
  /// Daemon: a line for people while the request waits.
  case notice = 7
  /// Client: the request is taken back.
  case cancel = 8
}

/// The 24 bytes every frame begins with; all numbers little-endian.
public struct FrameHeader: Hashable, Sendable {
  /// What the frame is.
  public var kind: FrameKind
  /// Whether one descriptor comes beside the frame's first bytes (SCM_RIGHTS).
  public var carriesDescriptor: Bool
  /// The client's number for the request that the frame belongs to.
  public var requestID: UInt32
  /// Bytes of the public part; 0 to `WireLimits.publicBytes`.
  public var publicLength: Int
  /// Bytes of the secret part; 0 to `WireLimits.secretBytes`.
  public var secretLength: Int

  /// How long a header is.
  public static let byteCount = 24
  /// "LKEY", as a little-endian number.
  public static let magic: UInt32 = 0x5945_4B4C
  /// The version of the protocol that this room speaks.
  public static let version: UInt16 = 1

  /// Makes a header.
  public init(
    kind: FrameKind, carriesDescriptor: Bool = false, requestID: UInt32, publicLength: Int, secretLength: Int
  ) {
    self.kind = kind
    self.carriesDescriptor = carriesDescriptor
    self.requestID = requestID
    self.publicLength = publicLength
    self.secretLength = secretLength
  }

  /// How long the whole frame is.
  public var frameLength: Int { Self.byteCount + publicLength + secretLength }

  /// Reads a header from the first 24 bytes of `bytes`.
  ///
  /// - Throws: ``WireError``: `.truncated` (fewer than 24 bytes), `.badMagic`, `.version`, `.unknownKind`, `.reservedSet`,
  ///   `.tooLong`.
  public init(parsing bytes: Span<UInt8>) throws(WireError) {
    guard bytes.count >= Self.byteCount else { throw .truncated }
    guard Self.number(bytes, 0) == Self.magic else { throw .badMagic }
    let version = UInt16(bytes[4]) | UInt16(bytes[5]) << 8
    guard version == Self.version else { throw .version(version) }
    guard let kind = FrameKind(rawValue: bytes[6]) else { throw .unknownKind(bytes[6]) }
    guard bytes[7] <= 1, Self.number(bytes, 20) == 0 else { throw .reservedSet }
    let publicLength = Int(Self.number(bytes, 12))
    let secretLength = Int(Self.number(bytes, 16))
    guard publicLength <= WireLimits.publicBytes else { throw .tooLong(limit: WireLimits.publicBytes) }
    guard secretLength <= WireLimits.secretBytes else { throw .tooLong(limit: WireLimits.secretBytes) }
    guard bytes[7] == 0 || kind == .presentation else { throw .reservedSet }
    self.init(
      kind: kind, carriesDescriptor: bytes[7] == 1, requestID: Self.number(bytes, 8), publicLength: publicLength,
      secretLength: secretLength)
  }

  private static func number(_ bytes: Span<UInt8>, _ start: Int) -> UInt32 {
    UInt32(bytes[start]) | UInt32(bytes[start + 1]) << 8 | UInt32(bytes[start + 2]) << 16
      | UInt32(bytes[start + 3]) << 24
  }
}
