public import AccessPolicy
public import KeychainModel
public import SecretMemory

/// One request with everything that came with it.
public struct IncomingRequest: Sendable {
  /// The request.
  public var request: KeychainRequest
  /// What it says about prompting.
  public var options: RequestOptions
  /// The secrets that came beside it.
  public var secrets: [SecretBytes]
  /// Who asks.
  public var peer: PeerFacts
  /// Where a prompt may appear.
  public var channel: any PromptChannel

  /// Gathers a request.
  public init(
    request: KeychainRequest, options: RequestOptions, secrets: [SecretBytes], peer: PeerFacts,
    channel: any PromptChannel
  ) {
    self.request = request
    self.options = options
    self.secrets = secrets
    self.peer = peer
    self.channel = channel
  }

  /// The secret at a place. Throws `invalidParameter` where there is none.
  func secret(_ index: SecretIndex?) throws(Refusal) -> SecretBytes? {
    guard let index else { return nil }
    guard Int(index) < secrets.count else { throw Refusal(.invalidParameter, detail: "a secret is missing") }
    return secrets[Int(index)]
  }

  /// The context the request names.
  var context: ContextIdentifier? { options.context.map(ContextIdentifier.init(value:)) }
}

/// The answer to one request.
public struct Answer: Sendable {
  /// The reply.
  public var reply: KeychainReply
  /// The secrets that go beside it.
  public var secrets: [SecretBytes]

  /// Makes an answer.
  public init(_ reply: KeychainReply, secrets: [SecretBytes] = []) {
    self.reply = reply
    self.secrets = secrets
  }
}
