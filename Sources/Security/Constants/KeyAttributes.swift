public import CFBridge

// A table: Apple's names with Apple's values (SecItemConstants); programs read items by the values too.

/// Whether a key is public, private or symmetric: one of the `kSecAttrKeyClass...` values.
public nonisolated(unsafe) let kSecAttrKeyClass: CFString = "kcls"
/// What programs find a key by, mostly a digest of the public key: data.
public nonisolated(unsafe) let kSecAttrApplicationLabel: CFString = "klbl"
/// The program's own name of a key: data.
public nonisolated(unsafe) let kSecAttrApplicationTag: CFString = "atag"
/// Whether a new key is stored: a Boolean.
public nonisolated(unsafe) let kSecAttrIsPermanent: CFString = "perm"
/// Whether a key leaves only wrapped: a Boolean.
public nonisolated(unsafe) let kSecAttrIsSensitive: CFString = "sens"
/// Whether a key may leave at all: a Boolean.
public nonisolated(unsafe) let kSecAttrIsExtractable: CFString = "extr"
/// The algorithm: one of the `kSecAttrKeyType...` values.
public nonisolated(unsafe) let kSecAttrKeyType: CFString = "type"
/// The size of a key in bits: a number.
public nonisolated(unsafe) let kSecAttrKeySizeInBits: CFString = "bsiz"
/// The bits of a key that count: a number.
public nonisolated(unsafe) let kSecAttrEffectiveKeySize: CFString = "esiz"
/// Whether a key may encrypt: a Boolean.
public nonisolated(unsafe) let kSecAttrCanEncrypt: CFString = "encr"
/// Whether a key may decrypt: a Boolean.
public nonisolated(unsafe) let kSecAttrCanDecrypt: CFString = "decr"
/// Whether a key may derive others: a Boolean.
public nonisolated(unsafe) let kSecAttrCanDerive: CFString = "drve"
/// Whether a key may sign: a Boolean.
public nonisolated(unsafe) let kSecAttrCanSign: CFString = "sign"
/// Whether a key may verify signatures: a Boolean.
public nonisolated(unsafe) let kSecAttrCanVerify: CFString = "vrfy"
/// Whether a key may wrap others: a Boolean.
public nonisolated(unsafe) let kSecAttrCanWrap: CFString = "wrap"
/// Whether a key may unwrap others: a Boolean.
public nonisolated(unsafe) let kSecAttrCanUnwrap: CFString = "unwp"
/// The pseudo-random function of a derivation: one of the `kSecAttrPRFHmacAlg...` values.
public nonisolated(unsafe) let kSecAttrPRF: CFString = "prf"
/// The salt of a derivation: data.
public nonisolated(unsafe) let kSecAttrSalt: CFString = "salt"
/// The rounds of a derivation: a number.
public nonisolated(unsafe) let kSecAttrRounds: CFString = "rounds"
/// The attributes of the private half of a new pair: a dictionary.
public nonisolated(unsafe) let kSecPrivateKeyAttrs: CFString = "private"
/// The attributes of the public half of a new pair: a dictionary.
public nonisolated(unsafe) let kSecPublicKeyAttrs: CFString = "public"
