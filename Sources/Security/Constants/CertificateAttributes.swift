public import CFBridge

// A table: Apple's names with Apple's values (SecItemConstants); programs read items by the values too.

/// The kind of certificate: a number.
public nonisolated(unsafe) let kSecAttrCertificateType: CFString = "ctyp"
/// How the certificate is written: a number.
public nonisolated(unsafe) let kSecAttrCertificateEncoding: CFString = "cenc"
/// The subject's X.500 name, encoded: data.
public nonisolated(unsafe) let kSecAttrSubject: CFString = "subj"
/// The issuer's X.500 name, encoded: data.
public nonisolated(unsafe) let kSecAttrIssuer: CFString = "issr"
/// The serial number: data.
public nonisolated(unsafe) let kSecAttrSerialNumber: CFString = "slnr"
/// The identifier of the subject's key: data.
public nonisolated(unsafe) let kSecAttrSubjectKeyID: CFString = "skid"
/// The digest of the public key: data.
public nonisolated(unsafe) let kSecAttrPublicKeyHash: CFString = "pkhh"
