public import CFBridge

// A table: Apple's names with Apple's values (SecItemConstants); programs read items by the values too.

/// When the item may be opened: one of the `kSecAttrAccessible...` values.
public nonisolated(unsafe) let kSecAttrAccessible: CFString = "pdmn"
/// What must be proved before the item opens: a `SecAccessControl`.
public nonisolated(unsafe) let kSecAttrAccessControl: CFString = "accc"
/// The access list of the macOS file keychain, which this keychain does not have.
public nonisolated(unsafe) let kSecAttrAccess: CFString = "acls"
/// The access group the item belongs to: text.
public nonisolated(unsafe) let kSecAttrAccessGroup: CFString = "agrp"
/// The access group of items that come from a hardware token.
public nonisolated(unsafe) let kSecAttrAccessGroupToken: CFString = "com.apple.token"
/// Whether the item is a synchronised one: a Boolean, or in a search ``kSecAttrSynchronizableAny``.
public nonisolated(unsafe) let kSecAttrSynchronizable: CFString = "sync"
/// In a search: items of both kinds, synchronised or not.
public nonisolated(unsafe) let kSecAttrSynchronizableAny: CFString = "syna"
/// When the item was added: a date the keychain sets.
public nonisolated(unsafe) let kSecAttrCreationDate: CFString = "cdat"
/// When the item was changed last: a date the keychain sets.
public nonisolated(unsafe) let kSecAttrModificationDate: CFString = "mdat"
/// What a person reads as the item's name: text.
public nonisolated(unsafe) let kSecAttrLabel: CFString = "labl"
/// A second name: data or text.
public nonisolated(unsafe) let kSecAttrAlias: CFString = "alis"
/// The group of synchronised items this one belongs to: text.
public nonisolated(unsafe) let kSecAttrSyncViewHint: CFString = "vwht"
/// The hardware token that holds the item: text.
public nonisolated(unsafe) let kSecAttrTokenID: CFString = "tkid"
/// The token of Apple's enclave; no item here is on one.
public nonisolated(unsafe) let kSecAttrTokenIDSecureEnclave: CFString = "com.apple.setoken"
/// The persistent reference, as an attribute (Apple's older spelling).
public nonisolated(unsafe) let kSecAttrPersistantReference: CFString = "persistref"
/// The persistent reference, as an attribute.
public nonisolated(unsafe) let kSecAttrPersistentReference: CFString = "persistref"
