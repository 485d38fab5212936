public import CFBridge

// A table: Apple's names with Apple's values (SecItemConstants); programs read items by the values too.

/// The key of an item's class.
public nonisolated(unsafe) let kSecClass: CFString = "class"
/// A password of a service.
public nonisolated(unsafe) let kSecClassGenericPassword: CFString = "genp"
/// A password of a server.
public nonisolated(unsafe) let kSecClassInternetPassword: CFString = "inet"
/// A certificate.
public nonisolated(unsafe) let kSecClassCertificate: CFString = "cert"
/// A cryptographic key.
public nonisolated(unsafe) let kSecClassKey: CFString = "keys"
/// A certificate with its private key.
public nonisolated(unsafe) let kSecClassIdentity: CFString = "idnt"
