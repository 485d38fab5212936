import Foundation
import KeychainClient
import KeychainModel
import SecretMemory
import Security

/// The least that stands behind `kSecUseAuthenticationContext`: what `LAContext` is in the room above.
final class AgentContext: AuthenticationContext, @unchecked Sendable {
  private var number: UInt64?
  private(set) var applicationPassword: SecretBytes?
  var forbidsPrompts = false
  let promptReason: String? = "the agent asks"
  let cancellation: Cancellation? = Cancellation()

  func daemonContext() throws(Refusal) -> UInt64 {
    if let number { return number }
    let made = try SharedKeychain.keychain.makeContext()
    number = made
    return made
  }

  func set(password: String?) {
    applicationPassword = password.map { try! SecretBytes(copying: Array($0.utf8)) }
  }

  func prove() {
    guard let number = try? daemonContext(),
      let presence = try? AccessControl(accessibility: .whenUnlocked, flags: .userPresence)
    else { return }
    try? SharedKeychain.keychain.useContext(
      .evaluateAccessControl(presence, .decrypt), options: CallOptions(context: number, reason: "the agent asks"))
  }

  func invalidate() {
    guard let number else { return }
    try? SharedKeychain.keychain.useContext(.invalidate, options: CallOptions(context: number))
  }
}
