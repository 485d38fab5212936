public import CFBridge

// A table: Apple's names with Apple's values (SecItemConstants); programs read items by the values too.

/// Opens only while the keychain is unlocked.
public nonisolated(unsafe) let kSecAttrAccessibleWhenUnlocked: CFString = "ak"
/// Opens from the first unlock after a start on.
public nonisolated(unsafe) let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"
/// Opens always; Apple deprecated it.
public nonisolated(unsafe) let kSecAttrAccessibleAlways: CFString = "dk"
/// Opens only while unlocked and while there is a passcode; lost for good with the passcode.
public nonisolated(unsafe) let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "akpu"
/// As ``kSecAttrAccessibleWhenUnlocked``, and never leaves this machine.
public nonisolated(unsafe) let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"
/// As ``kSecAttrAccessibleAfterFirstUnlock``, and never leaves this machine.
public nonisolated(unsafe) let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
/// As ``kSecAttrAccessibleAlways``, and never leaves this machine; Apple deprecated it.
public nonisolated(unsafe) let kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = "dku"
