public import CFBridge

// A table: Apple's names with Apple's values (SecItemConstants); programs read items by the values too.

/// A public key.
public nonisolated(unsafe) let kSecAttrKeyClassPublic: CFString = "0"
/// A private key.
public nonisolated(unsafe) let kSecAttrKeyClassPrivate: CFString = "1"
/// A key for both directions.
public nonisolated(unsafe) let kSecAttrKeyClassSymmetric: CFString = "2"
/// RSA.
public nonisolated(unsafe) let kSecAttrKeyTypeRSA: CFString = "42"
/// DSA.
public nonisolated(unsafe) let kSecAttrKeyTypeDSA: CFString = "43"
/// AES.
public nonisolated(unsafe) let kSecAttrKeyTypeAES: CFString = "2147483649"
/// DES.
public nonisolated(unsafe) let kSecAttrKeyTypeDES: CFString = "14"
/// Triple DES.
public nonisolated(unsafe) let kSecAttrKeyType3DES: CFString = "17"
/// RC4.
public nonisolated(unsafe) let kSecAttrKeyTypeRC4: CFString = "25"
/// RC2.
public nonisolated(unsafe) let kSecAttrKeyTypeRC2: CFString = "23"
/// CAST.
public nonisolated(unsafe) let kSecAttrKeyTypeCAST: CFString = "56"
/// Elliptic curves, by the name of the signature algorithm.
public nonisolated(unsafe) let kSecAttrKeyTypeECDSA: CFString = "73"
/// Elliptic curves, by Apple's older name.
public nonisolated(unsafe) let kSecAttrKeyTypeEC: CFString = "73"
/// Elliptic curves over the primes of SEC 2.
public nonisolated(unsafe) let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73"
/// HMAC with SHA-1.
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA1: CFString = "hsha1"
/// HMAC with SHA-224.
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA224: CFString = "hsha224"
/// HMAC with SHA-256.
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA256: CFString = "hsha256"
/// HMAC with SHA-384.
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA384: CFString = "hsha384"
/// HMAC with SHA-512.
public nonisolated(unsafe) let kSecAttrPRFHmacAlgSHA512: CFString = "hsha512"
