package import KeychainClient
package import KeychainModel
package import SecretMemory

/// What the item verbs take from the object behind `kSecUseAuthenticationContext`.
///
/// The room of LocalAuthentication lies above this one, so `LAContext` comes in through this door.
package protocol AuthenticationContext: AnyObject, Sendable {
  /// The daemon's number of this context, made at the first use and again after the daemon started anew.
  ///
  /// - Throws: ``Refusal``: `contextInvalid` once it was invalidated; what the way to the daemon refuses.
  func daemonContext() throws(Refusal) -> UInt64

  /// Why the program asks (`localizedReason`), or `nil` for none.
  var promptReason: String? { get }

  /// Whether the program forbids prompts (`interactionNotAllowed`): the verbs then behave as with UI fail.
  var forbidsPrompts: Bool { get }

  /// The application's own password (`setCredential`), or `nil`.
  var applicationPassword: SecretBytes? { get }

  /// Takes a waiting verb back when the context is invalidated; `nil` for none.
  var cancellation: Cancellation? { get }
}
