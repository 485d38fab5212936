internal import KeychainModel

/// The daemon behind its socket.
struct DaemonConnection: PolicyDaemon {
  let prompt: PromptOptions

  func answer(_ request: PolicyRequest) throws(Refusal) -> KeychainReply {
    throw Refusal(.unimplemented, detail: "this program does not reach the daemon yet")
  }
}
