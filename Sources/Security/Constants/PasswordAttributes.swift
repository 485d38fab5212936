public import CFBridge

// A table: Apple's names with Apple's values (SecItemConstants); programs read items by the values too.

/// Whose password it is: text.
public nonisolated(unsafe) let kSecAttrAccount: CFString = "acct"
/// The service a generic password is for: text.
public nonisolated(unsafe) let kSecAttrService: CFString = "svce"
/// What the program keeps beside a generic password: data.
public nonisolated(unsafe) let kSecAttrGeneric: CFString = "gena"
/// What kind of item it is, for a person: text.
public nonisolated(unsafe) let kSecAttrDescription: CFString = "desc"
/// A comment a person may change: text.
public nonisolated(unsafe) let kSecAttrComment: CFString = "icmt"
/// The creator's four-character code: a number.
public nonisolated(unsafe) let kSecAttrCreator: CFString = "crtr"
/// The type's four-character code: a number.
public nonisolated(unsafe) let kSecAttrType: CFString = "type"
/// Whether lists for a person leave the item out: a Boolean.
public nonisolated(unsafe) let kSecAttrIsInvisible: CFString = "invi"
/// Whether the item stands for "never store this password": a Boolean.
public nonisolated(unsafe) let kSecAttrIsNegative: CFString = "nega"
/// The realm of an internet password: text.
public nonisolated(unsafe) let kSecAttrSecurityDomain: CFString = "sdmn"
/// The host of an internet password: text.
public nonisolated(unsafe) let kSecAttrServer: CFString = "srvr"
/// The protocol of an internet password: one of the `kSecAttrProtocol...` values.
public nonisolated(unsafe) let kSecAttrProtocol: CFString = "ptcl"
/// How the server asks: one of the `kSecAttrAuthenticationType...` values.
public nonisolated(unsafe) let kSecAttrAuthenticationType: CFString = "atyp"
/// The port of an internet password: a number.
public nonisolated(unsafe) let kSecAttrPort: CFString = "port"
/// The path of an internet password: text.
public nonisolated(unsafe) let kSecAttrPath: CFString = "path"
