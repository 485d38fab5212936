import Foundation
import KeychainClient
import KeychainModel
import SecretMemory
import Security

/// The least that stands behind `kSecUseAuthenticationContext`: what `LAContext` is in the room above.
final class AgentContext: AuthenticationContext, @unchecked Sendable {
  let handle = ContextHandle(SharedKeychain.keychain)
  private(set) var applicationPassword: SecretBytes?
  var forbidsPrompts = false
  let promptReason: String? = "the agent asks"

  func set(password: String?) {
    applicationPassword = password.map { try! SecretBytes(copying: Array($0.utf8)) }
  }

  func prove() {
    guard let presence = try? AccessControl(accessibility: .whenUnlocked, flags: .userPresence) else { return }
    var options = CallOptions(reason: "the agent asks")
    options.handle = handle
    try? SharedKeychain.keychain.useContext(.evaluateAccessControl(presence, .decrypt), options: options)
  }

  func invalidate() { handle.invalidate() }
}
