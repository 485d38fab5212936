public import CFBridge

// A table: Apple's names with Apple's values (SecItemConstants); programs read items by the values too.

/// Whether to return the value: a Boolean.
public nonisolated(unsafe) let kSecReturnData: CFString = "r_Data"
/// Whether to return the attributes: a Boolean.
public nonisolated(unsafe) let kSecReturnAttributes: CFString = "r_Attributes"
/// Whether to return a reference: a Boolean.
public nonisolated(unsafe) let kSecReturnRef: CFString = "r_Ref"
/// Whether to return a reference that may be stored: a Boolean.
public nonisolated(unsafe) let kSecReturnPersistentRef: CFString = "r_PersistentRef"
/// The value, in what is stored and in what comes back: data.
public nonisolated(unsafe) let kSecValueData: CFString = "v_Data"
/// A reference, in what is asked and in what comes back.
public nonisolated(unsafe) let kSecValueRef: CFString = "v_Ref"
/// A reference that was stored, in what is asked and in what comes back: data.
public nonisolated(unsafe) let kSecValuePersistentRef: CFString = "v_PersistentRef"
/// The password in a shared web credential: text.
public nonisolated(unsafe) let kSecSharedPassword: CFString = "spwd"
