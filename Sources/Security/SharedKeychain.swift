package import KeychainClient

/// The process's one way to the daemon, shared by all of Apple's API. It opens nothing before the first call, is safe from
/// any thread, and connects anew after the daemon started again and after fork(2).
package enum SharedKeychain {
  /// The keychain; prompts go to the controlling terminal or, without one, to the display.
  package static let keychain = Keychain()
}
