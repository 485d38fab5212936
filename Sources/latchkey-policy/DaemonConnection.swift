internal import KeychainClient
internal import KeychainModel
internal import LinuxSystem

/// The daemon behind its socket.
struct DaemonConnection: PolicyDaemon {
  let prompt: PromptOptions

  func answer(_ request: PolicyRequest) throws(Refusal) -> KeychainReply {
    let keychain = Keychain(KeychainConfiguration(prompt: try source()))
    switch request {
    case .list: return .policy(try keychain.policies(options: options))
    case .explain(let service): return .policy(try keychain.explainPolicy(of: service, options: options))
    case .apply, .remove: return .done(count: try keychain.changePolicy(request, options: options))
    }
  }

  private var options: CallOptions {
    CallOptions(interaction: prompt.isAllowed || prompt.passcodeDescriptor != nil ? .allow : .fail)
  }

  /// Where a prompt may appear. A passcode that was handed in serves also where nothing may be asked.
  private func source() throws(Refusal) -> PromptSource {
    guard let number = prompt.passcodeDescriptor else { return prompt.isAllowed ? .automatic : .none }
    do throws(Errno) { return .passcode(from: try OwnedDescriptor.duplicating(number)) } catch {
      throw Refusal(.invalidParameter, detail: "--passcode-fd: descriptor \(number) is not open")
    }
  }
}
