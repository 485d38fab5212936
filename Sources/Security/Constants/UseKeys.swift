public import CFBridge

// A table: Apple's names with Apple's values (SecItemConstants); programs read items by the values too.

/// Use these items rather than the keychain.
public nonisolated(unsafe) let kSecUseItemList: CFString = "u_ItemList"
/// The macOS file keychain to add to, which this keychain does not have.
public nonisolated(unsafe) let kSecUseKeychain: CFString = "u_Keychain"
/// Why the program asks, shown in a prompt: text. Apple deprecated it in favour of `LAContext.localizedReason`.
public nonisolated(unsafe) let kSecUseOperationPrompt: CFString = "u_OpPrompt"
/// Whether prompts are forbidden: a Boolean. Apple deprecated it in favour of ``kSecUseAuthenticationUI``.
public nonisolated(unsafe) let kSecUseNoAuthenticationUI: CFString = "u_NoAuthUI"
/// Whether a prompt may be shown: one of the `kSecUseAuthenticationUI...` values.
public nonisolated(unsafe) let kSecUseAuthenticationUI: CFString = "u_AuthUI"
/// A prompt may be shown; the rule where nothing is said.
public nonisolated(unsafe) let kSecUseAuthenticationUIAllow: CFString = "u_AuthUIA"
/// No prompt: what would need one answers ``errSecInteractionNotAllowed``.
public nonisolated(unsafe) let kSecUseAuthenticationUIFail: CFString = "u_AuthUIF"
/// No prompt: what would need one is passed over.
public nonisolated(unsafe) let kSecUseAuthenticationUISkip: CFString = "u_AuthUIS"
/// The `LAContext` whose proofs count and that receives new ones.
public nonisolated(unsafe) let kSecUseAuthenticationContext: CFString = "u_AuthCtx"
/// Whether to use the data-protection keychain: accepted and without effect, for there is no other.
public nonisolated(unsafe) let kSecUseDataProtectionKeychain: CFString = "nleg"
