public import KeychainModel
public import LinuxSystem
public import SecretMemory

/// One frame's content: what it says, the secrets it names by their places, and the descriptor beside it.
public struct Message: Sendable {
  /// The client's number for the request that the message belongs to.
  public var requestID: UInt32
  /// What it says.
  public var body: MessageBody
  /// The secrets, in the order of their places; at most `WireLimits.secrets`, each named exactly once by the body.
  public var secrets: [SecretBytes]
  /// The terminal, with a presentation that says so.
  public var descriptor: OwnedDescriptor?
  /// What a received message's secrets took out of a quota; held for as long as they are.
  public var claim: (any SecretClaim)?

  /// Makes a message.
  public init(requestID: UInt32, body: MessageBody, secrets: [SecretBytes] = [], descriptor: OwnedDescriptor? = nil) {
    self.requestID = requestID
    self.body = body
    self.secrets = secrets
    self.descriptor = descriptor
  }
}

/// What a message says; one case for each ``FrameKind``.
public enum MessageBody: Hashable, Sendable {
  /// Client: which versions do you speak? Optional: a client that knows its version starts with a request.
  case hello
  /// Daemon: these. Also its answer to a frame of a version it does not speak.
  case helloReply(HelloReply)
  /// Client: a request and what it says about prompting.
  case request(KeychainRequest, RequestOptions)
  /// Daemon: the answer; the request is over.
  case reply(KeychainReply)
  /// Daemon: a proof is needed.
  case wanted(PresentationWanted)
  /// Client: where a prompt may appear.
  case presentation(Presentation)
  /// Daemon: a line for people.
  case notice(Notice)
  /// Client: the request is taken back.
  case cancel

  /// The kind of frame.
  public var kind: FrameKind {
    switch self {
    case .hello: .hello
    case .helloReply: .helloReply
    case .request: .request
    case .reply: .reply
    case .wanted: .wanted
    case .presentation: .presentation
    case .notice: .notice
    case .cancel: .cancel
    }
  }
}

/// What a daemon says of itself before any request.
public struct HelloReply: Hashable, Sendable {
  /// The oldest version of the protocol it speaks.
  public var oldest: UInt16
  /// The newest; not below ``oldest``.
  public var newest: UInt16
  /// The daemon's own version, at most 64 bytes.
  public var daemon: String
  /// Makes an answer; by default that of this room.
  public init(oldest: UInt16 = FrameHeader.version, newest: UInt16 = FrameHeader.version, daemon: String) {
    self.oldest = oldest
    self.newest = newest
    self.daemon = daemon
  }
}
