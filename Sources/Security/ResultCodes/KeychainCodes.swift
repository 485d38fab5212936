public import CFBridge

// Codes of the keychain itself. Names and values are Apple's (SecBase.h), the sentences are ours.

/// Everything went well.
public var errSecSuccess: OSStatus { 0 }
/// This function is not provided here.
public var errSecUnimplemented: OSStatus { -4 }
/// There is no space left on the disk.
public var errSecDiskFull: OSStatus { -34 }
/// Apple's other spelling of ``errSecDiskFull``.
public var errSecDskFull: OSStatus { -34 }
/// Reading or writing the store failed.
public var errSecIO: OSStatus { -36 }
/// The file is already open for writing.
public var errSecOpWr: OSStatus { -49 }
/// An argument, or the way arguments are combined, is not valid.
public var errSecParam: OSStatus { -50 }
/// Writing there is not permitted.
public var errSecWrPerm: OSStatus { -61 }
/// Memory could not be had.
public var errSecAllocate: OSStatus { -108 }
/// The person asked dismissed the request.
public var errSecUserCanceled: OSStatus { -128 }
/// The request does not fit the state things are in.
public var errSecBadReq: OSStatus { -909 }
/// A part of the system inside failed.
public var errSecInternalComponent: OSStatus { -2070 }
/// An object of the base library failed for a reason it does not give.
public var errSecCoreFoundationUnknown: OSStatus { -4960 }
/// This program does not hold the access group it needs.
public var errSecMissingEntitlement: OSStatus { -34018 }
/// Programs of this kind may not call this.
public var errSecRestrictedAPI: OSStatus { -34020 }
/// The keychain cannot be reached.
public var errSecNotAvailable: OSStatus { -25291 }
/// The keychain can only be read.
public var errSecReadOnly: OSStatus { -25292 }
/// The proof that was asked for was not given.
public var errSecAuthFailed: OSStatus { -25293 }
/// There is no keychain of that name.
public var errSecNoSuchKeychain: OSStatus { -25294 }
/// That file is no keychain.
public var errSecInvalidKeychain: OSStatus { -25295 }
/// That name belongs to another keychain already.
public var errSecDuplicateKeychain: OSStatus { -25296 }
/// The callback was registered before.
public var errSecDuplicateCallback: OSStatus { -25297 }
/// That callback cannot be used.
public var errSecInvalidCallback: OSStatus { -25298 }
/// An item with these names exists already.
public var errSecDuplicateItem: OSStatus { -25299 }
/// No item matches.
public var errSecItemNotFound: OSStatus { -25300 }
/// The room provided for the result is too small.
public var errSecBufferTooSmall: OSStatus { -25301 }
/// The value is larger than an item may hold.
public var errSecDataTooLarge: OSStatus { -25302 }
/// Items of this class have no such attribute.
public var errSecNoSuchAttr: OSStatus { -25303 }
/// The reference leads to an item that is gone.
public var errSecInvalidItemRef: OSStatus { -25304 }
/// The search cannot be continued.
public var errSecInvalidSearchRef: OSStatus { -25305 }
/// There is no item class of that name.
public var errSecNoSuchClass: OSStatus { -25306 }
/// No keychain is set as the default.
public var errSecNoDefaultKeychain: OSStatus { -25307 }
/// A prompt would be needed, and none may be shown now.
public var errSecInteractionNotAllowed: OSStatus { -25308 }
/// That attribute never changes.
public var errSecReadOnlyAttr: OSStatus { -25309 }
/// The store was written by another version and this one cannot read it.
public var errSecWrongSecVersion: OSStatus { -25310 }
/// Keys of that size are not allowed.
public var errSecKeySizeNotAllowed: OSStatus { -25311 }
/// The part that stores data is missing.
public var errSecNoStorageModule: OSStatus { -25312 }
/// The part that handles certificates is missing.
public var errSecNoCertificateModule: OSStatus { -25313 }
/// The part that judges trust is missing.
public var errSecNoPolicyModule: OSStatus { -25314 }
/// Somebody has to answer a prompt first.
public var errSecInteractionRequired: OSStatus { -25315 }
/// The value of this item cannot be had.
public var errSecDataNotAvailable: OSStatus { -25316 }
/// The value of this item is fixed.
public var errSecDataNotModifiable: OSStatus { -25317 }
/// A certificate between this one and a root is missing.
public var errSecCreateChainFailed: OSStatus { -25318 }
/// There is no such domain of preferences.
public var errSecInvalidPrefsDomain: OSStatus { -25319 }
/// The display sleeps, so nobody can be asked.
public var errSecInDarkWake: OSStatus { -25320 }
/// The access list is more than a plain one.
public var errSecACLNotSimple: OSStatus { -25240 }
/// There is no such trust policy.
public var errSecPolicyNotFound: OSStatus { -25241 }
/// That trust setting makes no sense.
public var errSecInvalidTrustSetting: OSStatus { -25242 }
/// The item carries no access list.
public var errSecNoAccessForItem: OSStatus { -25243 }
/// The owner of this item cannot be changed so.
public var errSecInvalidOwnerEdit: OSStatus { -25244 }
/// Trust has not been judged yet.
public var errSecTrustNotAvailable: OSStatus { -25245 }
/// Import and export do not know that format.
public var errSecUnsupportedFormat: OSStatus { -25256 }
/// What is to be imported has no format that is known.
public var errSecUnknownFormat: OSStatus { -25257 }
/// The key leaves only when it is wrapped.
public var errSecKeyIsSensitive: OSStatus { -25258 }
/// More than one private key is in what is to be imported.
public var errSecMultiplePrivKeys: OSStatus { -25259 }
/// Import and export need a passphrase here.
public var errSecPassphraseRequired: OSStatus { -25260 }
/// The reference leads to no password.
public var errSecInvalidPasswordRef: OSStatus { -25261 }
/// The record of trust settings is damaged.
public var errSecInvalidTrustSettings: OSStatus { -25262 }
/// No trust settings are kept for this.
public var errSecNoTrustSettings: OSStatus { -25263 }
/// The check value of the PKCS 12 file is wrong, as a wrong password makes it.
public var errSecPkcs12VerifyFailure: OSStatus { -25264 }
/// The parent named for a certificate did not sign it.
public var errSecNotSigner: OSStatus { -26267 }
/// The bytes could not be decoded.
public var errSecDecode: OSStatus { -26275 }

extension ResultCodeMessages {
  /// Codes of the keychain itself.
  static let keychain: [(code: OSStatus, sentence: String)] = [
    (errSecSuccess, "Everything went well."),
    (errSecUnimplemented, "This function is not provided here."),
    (errSecDiskFull, "There is no space left on the disk."),
    (errSecIO, "Reading or writing the store failed."),
    (errSecOpWr, "The file is already open for writing."),
    (errSecParam, "An argument, or the way arguments are combined, is not valid."),
    (errSecWrPerm, "Writing there is not permitted."),
    (errSecAllocate, "Memory could not be had."),
    (errSecUserCanceled, "The person asked dismissed the request."),
    (errSecBadReq, "The request does not fit the state things are in."),
    (errSecInternalComponent, "A part of the system inside failed."),
    (errSecCoreFoundationUnknown, "An object of the base library failed for a reason it does not give."),
    (errSecMissingEntitlement, "This program does not hold the access group it needs."),
    (errSecRestrictedAPI, "Programs of this kind may not call this."),
    (errSecNotAvailable, "The keychain cannot be reached."),
    (errSecReadOnly, "The keychain can only be read."),
    (errSecAuthFailed, "The proof that was asked for was not given."),
    (errSecNoSuchKeychain, "There is no keychain of that name."),
    (errSecInvalidKeychain, "That file is no keychain."),
    (errSecDuplicateKeychain, "That name belongs to another keychain already."),
    (errSecDuplicateCallback, "The callback was registered before."),
    (errSecInvalidCallback, "That callback cannot be used."),
    (errSecDuplicateItem, "An item with these names exists already."),
    (errSecItemNotFound, "No item matches."),
    (errSecBufferTooSmall, "The room provided for the result is too small."),
    (errSecDataTooLarge, "The value is larger than an item may hold."),
    (errSecNoSuchAttr, "Items of this class have no such attribute."),
    (errSecInvalidItemRef, "The reference leads to an item that is gone."),
    (errSecInvalidSearchRef, "The search cannot be continued."),
    (errSecNoSuchClass, "There is no item class of that name."),
    (errSecNoDefaultKeychain, "No keychain is set as the default."),
    (errSecInteractionNotAllowed, "A prompt would be needed, and none may be shown now."),
    (errSecReadOnlyAttr, "That attribute never changes."),
    (errSecWrongSecVersion, "The store was written by another version and this one cannot read it."),
    (errSecKeySizeNotAllowed, "Keys of that size are not allowed."),
    (errSecNoStorageModule, "The part that stores data is missing."),
    (errSecNoCertificateModule, "The part that handles certificates is missing."),
    (errSecNoPolicyModule, "The part that judges trust is missing."),
    (errSecInteractionRequired, "Somebody has to answer a prompt first."),
    (errSecDataNotAvailable, "The value of this item cannot be had."),
    (errSecDataNotModifiable, "The value of this item is fixed."),
    (errSecCreateChainFailed, "A certificate between this one and a root is missing."),
    (errSecInvalidPrefsDomain, "There is no such domain of preferences."),
    (errSecInDarkWake, "The display sleeps, so nobody can be asked."),
    (errSecACLNotSimple, "The access list is more than a plain one."),
    (errSecPolicyNotFound, "There is no such trust policy."),
    (errSecInvalidTrustSetting, "That trust setting makes no sense."),
    (errSecNoAccessForItem, "The item carries no access list."),
    (errSecInvalidOwnerEdit, "The owner of this item cannot be changed so."),
    (errSecTrustNotAvailable, "Trust has not been judged yet."),
    (errSecUnsupportedFormat, "Import and export do not know that format."),
    (errSecUnknownFormat, "What is to be imported has no format that is known."),
    (errSecKeyIsSensitive, "The key leaves only when it is wrapped."),
    (errSecMultiplePrivKeys, "More than one private key is in what is to be imported."),
    (errSecPassphraseRequired, "Import and export need a passphrase here."),
    (errSecInvalidPasswordRef, "The reference leads to no password."),
    (errSecInvalidTrustSettings, "The record of trust settings is damaged."),
    (errSecNoTrustSettings, "No trust settings are kept for this."),
    (errSecPkcs12VerifyFailure, "The check value of the PKCS 12 file is wrong, as a wrong password makes it."),
    (errSecNotSigner, "The parent named for a certificate did not sign it."),
    (errSecDecode, "The bytes could not be decoded."),
  ]
}
