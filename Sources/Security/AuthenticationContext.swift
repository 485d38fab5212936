package import KeychainClient
package import KeychainModel
package import SecretMemory

/// What the item verbs take from the object behind `kSecUseAuthenticationContext`.
///
/// The room of LocalAuthentication lies above this one, so `LAContext` comes in through this door.
package protocol AuthenticationContext: AnyObject, Sendable {
  /// The context, for ``CallOptions/handle``: it is made anew where the daemon has forgotten it, and takes a waiting verb
  /// back when it is invalidated.
  var handle: ContextHandle { get }

  /// Why the program asks (`localizedReason`), or `nil` for none.
  var promptReason: String? { get }

  /// What it calls the ways out of a prompt (`localizedFallbackTitle`, `localizedCancelTitle`).
  var promptTitles: PromptTitles { get }

  /// Whether the program forbids prompts (`interactionNotAllowed`): the verbs then behave as with UI fail.
  var forbidsPrompts: Bool { get }

  /// The application's own password (`setCredential`), or `nil`.
  var applicationPassword: SecretBytes? { get }
}
