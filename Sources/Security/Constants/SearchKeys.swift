public import CFBridge

// A table: Apple's names with Apple's values (SecItemConstants); programs read items by the values too.

/// Certificates that this policy accepts.
public nonisolated(unsafe) let kSecMatchPolicy: CFString = "m_Policy"
/// Only these items.
public nonisolated(unsafe) let kSecMatchItemList: CFString = "m_ItemList"
/// Only these keychains (macOS file keychains).
public nonisolated(unsafe) let kSecMatchSearchList: CFString = "m_SearchList"
/// Certificates whose chain holds one of these issuers: an array of data.
public nonisolated(unsafe) let kSecMatchIssuers: CFString = "m_Issuers"
/// Certificates with this address, or with none: text.
public nonisolated(unsafe) let kSecMatchEmailAddressIfPresent: CFString = "m_EmailAddressIfPresent"
/// Certificates whose subject contains this text.
public nonisolated(unsafe) let kSecMatchSubjectContains: CFString = "m_SubjectContains"
/// Certificates whose subject starts with this text.
public nonisolated(unsafe) let kSecMatchSubjectStartsWith: CFString = "m_SubjectStartsWith"
/// Certificates whose subject ends with this text.
public nonisolated(unsafe) let kSecMatchSubjectEndsWith: CFString = "m_SubjectEndsWith"
/// Certificates whose subject is this text.
public nonisolated(unsafe) let kSecMatchSubjectWholeString: CFString = "m_SubjectWholeString"
/// Whether text is compared without regard to case: accepted and without effect, as with Apple.
public nonisolated(unsafe) let kSecMatchCaseInsensitive: CFString = "m_CaseInsensitive"
/// Whether text is compared without regard to accents.
public nonisolated(unsafe) let kSecMatchDiacriticInsensitive: CFString = "m_DiacriticInsensitive"
/// Whether text is compared without regard to width.
public nonisolated(unsafe) let kSecMatchWidthInsensitive: CFString = "m_WidthInsensitive"
/// Whether only trusted certificates match: a Boolean.
public nonisolated(unsafe) let kSecMatchTrustedOnly: CFString = "m_TrustedOnly"
/// Certificates that are valid on this date.
public nonisolated(unsafe) let kSecMatchValidOnDate: CFString = "m_ValidOnDate"
/// How many items to find: a number, ``kSecMatchLimitOne`` or ``kSecMatchLimitAll``.
public nonisolated(unsafe) let kSecMatchLimit: CFString = "m_Limit"
/// One item; the rule where no limit is given.
public nonisolated(unsafe) let kSecMatchLimitOne: CFString = "m_LimitOne"
/// Every item that matches, in an array.
public nonisolated(unsafe) let kSecMatchLimitAll: CFString = "m_LimitAll"
