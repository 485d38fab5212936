public import CFBridge

// Codes of the modules behind the framework. Names and values are Apple's (SecBase.h), the sentences are ours.

/// The modules were not started before they were called.
public var errSecNotInitialized: OSStatus { -67667 }
/// The handle belongs to a service of another kind.
public var errSecInvalidHandleUsage: OSStatus { -67668 }
/// The caller is not on the list of modules that may call.
public var errSecPVCReferentNotFound: OSStatus { -67669 }
/// The function lies outside of the module that was verified.
public var errSecFunctionIntegrityFail: OSStatus { -67670 }
/// Something went wrong inside.
public var errSecInternalError: OSStatus { -67671 }
/// A memory operation failed.
public var errSecMemoryError: OSStatus { -67672 }
/// The data makes no sense.
public var errSecInvalidData: OSStatus { -67673 }
/// The directory of modules failed.
public var errSecMDSError: OSStatus { -67674 }
/// A pointer leads nowhere.
public var errSecInvalidPointer: OSStatus { -67675 }
/// The module found itself faulty.
public var errSecSelfCheckFailed: OSStatus { -67676 }
/// The function failed.
public var errSecFunctionFailed: OSStatus { -67677 }
/// The module's manifest could not be verified.
public var errSecModuleManifestVerifyFailed: OSStatus { -67678 }
/// That is no globally unique identifier.
public var errSecInvalidGUID: OSStatus { -67679 }
/// That handle stands for nothing.
public var errSecInvalidHandle: OSStatus { -67680 }
/// The list of databases is wrong.
public var errSecInvalidDBList: OSStatus { -67681 }
/// There is no such pass-through operation.
public var errSecInvalidPassthroughID: OSStatus { -67682 }
/// That is no network address.
public var errSecInvalidNetworkAddress: OSStatus { -67683 }
/// The revocation list was signed before.
public var errSecCRLAlreadySigned: OSStatus { -67684 }
/// There are too few or too many fields.
public var errSecInvalidNumberOfFields: OSStatus { -67685 }
/// What was to be verified is not so.
public var errSecVerificationFailure: OSStatus { -67686 }
/// The tag is not known.
public var errSecUnknownTag: OSStatus { -67687 }
/// The signature is wrong.
public var errSecInvalidSignature: OSStatus { -67688 }
/// The name is malformed.
public var errSecInvalidName: OSStatus { -67689 }
/// The reference leads to no certificate.
public var errSecInvalidCertificateRef: OSStatus { -67690 }
/// The group of certificates is wrong.
public var errSecInvalidCertificateGroup: OSStatus { -67691 }
/// The tag is not there.
public var errSecTagNotFound: OSStatus { -67692 }
/// The query is malformed.
public var errSecInvalidQuery: OSStatus { -67693 }
/// The value is out of its range.
public var errSecInvalidValue: OSStatus { -67694 }
/// A callback reported a failure.
public var errSecCallbackFailed: OSStatus { -67695 }
/// An entry could not be taken off the access list.
public var errSecACLDeleteFailed: OSStatus { -67696 }
/// An entry of the access list could not be replaced.
public var errSecACLReplaceFailed: OSStatus { -67697 }
/// An entry could not be put on the access list.
public var errSecACLAddFailed: OSStatus { -67698 }
/// The access list could not be changed.
public var errSecACLChangeFailed: OSStatus { -67699 }
/// The credentials do not fit the access list.
public var errSecInvalidAccessCredentials: OSStatus { -67700 }
/// The record is malformed.
public var errSecInvalidRecord: OSStatus { -67701 }
/// The access list is malformed.
public var errSecInvalidACL: OSStatus { -67702 }
/// A sample of the credentials is wrong.
public var errSecInvalidSampleValue: OSStatus { -67703 }
/// The versions do not go together.
public var errSecIncompatibleVersion: OSStatus { -67704 }
/// The privilege was refused.
public var errSecPrivilegeNotGranted: OSStatus { -67705 }
/// There is no such scope.
public var errSecInvalidScope: OSStatus { -67706 }
/// The check of pointers was set up before.
public var errSecPVCAlreadyConfigured: OSStatus { -67707 }
/// The setup of the check of pointers is wrong.
public var errSecInvalidPVC: OSStatus { -67708 }
/// An elective module could not be loaded.
public var errSecEMMLoadFailed: OSStatus { -67709 }
/// An elective module could not be unloaded.
public var errSecEMMUnloadFailed: OSStatus { -67710 }
/// An add-in could not be loaded.
public var errSecAddinLoadFailed: OSStatus { -67711 }
/// The reference leads to no key.
public var errSecInvalidKeyRef: OSStatus { -67712 }
/// There is no such hierarchy of keys.
public var errSecInvalidKeyHierarchy: OSStatus { -67713 }
/// An add-in could not be unloaded.
public var errSecAddinUnloadFailed: OSStatus { -67714 }
/// The library that is referred to is missing.
public var errSecLibraryReferenceNotFound: OSStatus { -67715 }
/// An add-in's table of functions is wrong.
public var errSecInvalidAddinFunctionTable: OSStatus { -67716 }
/// The mask of services is wrong.
public var errSecInvalidServiceMask: OSStatus { -67717 }
/// The module was not loaded.
public var errSecModuleNotLoaded: OSStatus { -67718 }
/// There is no such subservice.
public var errSecInvalidSubServiceID: OSStatus { -67719 }
/// The context lacks that attribute.
public var errSecAttributeNotInContext: OSStatus { -67720 }
/// What manages a kind of module could not start.
public var errSecModuleManagerInitializeFailed: OSStatus { -67721 }
/// What manages that kind of module is missing.
public var errSecModuleManagerNotFound: OSStatus { -67722 }
/// No callback is registered for that event.
public var errSecEventNotificationCallbackNotFound: OSStatus { -67723 }
/// What was given has the wrong length.
public var errSecInputLengthError: OSStatus { -67724 }
/// The result has the wrong length.
public var errSecOutputLengthError: OSStatus { -67725 }
/// There is no such privilege.
public var errSecPrivilegeNotSupported: OSStatus { -67726 }
/// The device reported an error.
public var errSecDeviceError: OSStatus { -67727 }
/// The provider's handle is in use.
public var errSecAttachHandleBusy: OSStatus { -67728 }
/// Nobody is logged in.
public var errSecNotLoggedIn: OSStatus { -67729 }
/// The key is of another algorithm.
public var errSecAlgorithmMismatch: OSStatus { -67730 }
/// The key may not be used for this.
public var errSecKeyUsageIncorrect: OSStatus { -67731 }
/// The key is stored in a form of another type.
public var errSecKeyBlobTypeIncorrect: OSStatus { -67732 }
/// The key's header contradicts itself.
public var errSecKeyHeaderInconsistent: OSStatus { -67733 }
/// Keys in that format are not handled.
public var errSecUnsupportedKeyFormat: OSStatus { -67734 }
/// Keys of that size are not handled.
public var errSecUnsupportedKeySize: OSStatus { -67735 }
/// The mask of a key's uses is wrong.
public var errSecInvalidKeyUsageMask: OSStatus { -67736 }
/// That mask of a key's uses is not handled.
public var errSecUnsupportedKeyUsageMask: OSStatus { -67737 }
/// The mask of a key's attributes is wrong.
public var errSecInvalidKeyAttributeMask: OSStatus { -67738 }
/// That mask of a key's attributes is not handled.
public var errSecUnsupportedKeyAttributeMask: OSStatus { -67739 }
/// The key's label is wrong.
public var errSecInvalidKeyLabel: OSStatus { -67740 }
/// That label of a key is not handled.
public var errSecUnsupportedKeyLabel: OSStatus { -67741 }
/// The key's format is wrong.
public var errSecInvalidKeyFormat: OSStatus { -67742 }
/// Several buffers at once are not handled.
public var errSecUnsupportedVectorOfBuffers: OSStatus { -67743 }
/// The buffers given are wrong.
public var errSecInvalidInputVector: OSStatus { -67744 }
/// The buffers for the result are wrong.
public var errSecInvalidOutputVector: OSStatus { -67745 }
/// The cryptographic context is wrong.
public var errSecInvalidContext: OSStatus { -67746 }
/// There is no such algorithm.
public var errSecInvalidAlgorithm: OSStatus { -67747 }

extension ResultCodeMessages {
  /// Codes of the modules behind the framework.
  static let module: [(code: OSStatus, sentence: String)] = [
    (errSecNotInitialized, "The modules were not started before they were called."),
    (errSecInvalidHandleUsage, "The handle belongs to a service of another kind."),
    (errSecPVCReferentNotFound, "The caller is not on the list of modules that may call."),
    (errSecFunctionIntegrityFail, "The function lies outside of the module that was verified."),
    (errSecInternalError, "Something went wrong inside."),
    (errSecMemoryError, "A memory operation failed."),
    (errSecInvalidData, "The data makes no sense."),
    (errSecMDSError, "The directory of modules failed."),
    (errSecInvalidPointer, "A pointer leads nowhere."),
    (errSecSelfCheckFailed, "The module found itself faulty."),
    (errSecFunctionFailed, "The function failed."),
    (errSecModuleManifestVerifyFailed, "The module's manifest could not be verified."),
    (errSecInvalidGUID, "That is no globally unique identifier."),
    (errSecInvalidHandle, "That handle stands for nothing."),
    (errSecInvalidDBList, "The list of databases is wrong."),
    (errSecInvalidPassthroughID, "There is no such pass-through operation."),
    (errSecInvalidNetworkAddress, "That is no network address."),
    (errSecCRLAlreadySigned, "The revocation list was signed before."),
    (errSecInvalidNumberOfFields, "There are too few or too many fields."),
    (errSecVerificationFailure, "What was to be verified is not so."),
    (errSecUnknownTag, "The tag is not known."),
    (errSecInvalidSignature, "The signature is wrong."),
    (errSecInvalidName, "The name is malformed."),
    (errSecInvalidCertificateRef, "The reference leads to no certificate."),
    (errSecInvalidCertificateGroup, "The group of certificates is wrong."),
    (errSecTagNotFound, "The tag is not there."),
    (errSecInvalidQuery, "The query is malformed."),
    (errSecInvalidValue, "The value is out of its range."),
    (errSecCallbackFailed, "A callback reported a failure."),
    (errSecACLDeleteFailed, "An entry could not be taken off the access list."),
    (errSecACLReplaceFailed, "An entry of the access list could not be replaced."),
    (errSecACLAddFailed, "An entry could not be put on the access list."),
    (errSecACLChangeFailed, "The access list could not be changed."),
    (errSecInvalidAccessCredentials, "The credentials do not fit the access list."),
    (errSecInvalidRecord, "The record is malformed."),
    (errSecInvalidACL, "The access list is malformed."),
    (errSecInvalidSampleValue, "A sample of the credentials is wrong."),
    (errSecIncompatibleVersion, "The versions do not go together."),
    (errSecPrivilegeNotGranted, "The privilege was refused."),
    (errSecInvalidScope, "There is no such scope."),
    (errSecPVCAlreadyConfigured, "The check of pointers was set up before."),
    (errSecInvalidPVC, "The setup of the check of pointers is wrong."),
    (errSecEMMLoadFailed, "An elective module could not be loaded."),
    (errSecEMMUnloadFailed, "An elective module could not be unloaded."),
    (errSecAddinLoadFailed, "An add-in could not be loaded."),
    (errSecInvalidKeyRef, "The reference leads to no key."),
    (errSecInvalidKeyHierarchy, "There is no such hierarchy of keys."),
    (errSecAddinUnloadFailed, "An add-in could not be unloaded."),
    (errSecLibraryReferenceNotFound, "The library that is referred to is missing."),
    (errSecInvalidAddinFunctionTable, "An add-in's table of functions is wrong."),
    (errSecInvalidServiceMask, "The mask of services is wrong."),
    (errSecModuleNotLoaded, "The module was not loaded."),
    (errSecInvalidSubServiceID, "There is no such subservice."),
    (errSecAttributeNotInContext, "The context lacks that attribute."),
    (errSecModuleManagerInitializeFailed, "What manages a kind of module could not start."),
    (errSecModuleManagerNotFound, "What manages that kind of module is missing."),
    (errSecEventNotificationCallbackNotFound, "No callback is registered for that event."),
    (errSecInputLengthError, "What was given has the wrong length."),
    (errSecOutputLengthError, "The result has the wrong length."),
    (errSecPrivilegeNotSupported, "There is no such privilege."),
    (errSecDeviceError, "The device reported an error."),
    (errSecAttachHandleBusy, "The provider's handle is in use."),
    (errSecNotLoggedIn, "Nobody is logged in."),
    (errSecAlgorithmMismatch, "The key is of another algorithm."),
    (errSecKeyUsageIncorrect, "The key may not be used for this."),
    (errSecKeyBlobTypeIncorrect, "The key is stored in a form of another type."),
    (errSecKeyHeaderInconsistent, "The key's header contradicts itself."),
    (errSecUnsupportedKeyFormat, "Keys in that format are not handled."),
    (errSecUnsupportedKeySize, "Keys of that size are not handled."),
    (errSecInvalidKeyUsageMask, "The mask of a key's uses is wrong."),
    (errSecUnsupportedKeyUsageMask, "That mask of a key's uses is not handled."),
    (errSecInvalidKeyAttributeMask, "The mask of a key's attributes is wrong."),
    (errSecUnsupportedKeyAttributeMask, "That mask of a key's attributes is not handled."),
    (errSecInvalidKeyLabel, "The key's label is wrong."),
    (errSecUnsupportedKeyLabel, "That label of a key is not handled."),
    (errSecInvalidKeyFormat, "The key's format is wrong."),
    (errSecUnsupportedVectorOfBuffers, "Several buffers at once are not handled."),
    (errSecInvalidInputVector, "The buffers given are wrong."),
    (errSecInvalidOutputVector, "The buffers for the result are wrong."),
    (errSecInvalidContext, "The cryptographic context is wrong."),
    (errSecInvalidAlgorithm, "There is no such algorithm."),
  ]
}
