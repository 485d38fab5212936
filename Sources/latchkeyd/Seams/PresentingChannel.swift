internal import KeychainModel
internal import KeychainService
internal import LinuxSystem
internal import SecretMemory

/// The daemon's own prompt channel: it can ask the client where a prompt may appear.
protocol PresentingChannel: PromptChannel {
  /// Asks the client where the prompt may appear and waits for its word, at most until the deadline (boot-time nanoseconds).
  ///
  /// - Throws: ``Refusal``: `clientGone`, `appCancelled`, `deadlinePassed`, `invalidParameter`.
  func presentation(until deadline: UInt64) throws(Refusal) -> ClientPresentation

  /// The client's socket, watched by a dialogue while it runs: the client may leave or take its request back.
  var descriptor: OwnedDescriptor { get }
}

/// A client's word on where a prompt may appear, with what came beside it. Nothing in it is checked yet.
enum ClientPresentation: Sendable {
  /// The terminal behind this descriptor.
  case terminal(OwnedDescriptor)
  /// A display, by the variables that pinentry needs.
  case display([String: String])
  /// No prompt: this passcode.
  case passcode(SecretBytes)
  /// No way to prompt.
  case none
}
