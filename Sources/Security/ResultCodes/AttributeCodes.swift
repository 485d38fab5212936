public import CFBridge

// Codes of the attributes of a cryptographic context: each is either wrong or absent. Names and values are Apple's (SecBase.h), the sentences are ours.

/// The key given is wrong.
public var errSecInvalidAttributeKey: OSStatus { -67748 }
/// The key is absent.
public var errSecMissingAttributeKey: OSStatus { -67749 }
/// The initial vector given is wrong.
public var errSecInvalidAttributeInitVector: OSStatus { -67750 }
/// The initial vector is absent.
public var errSecMissingAttributeInitVector: OSStatus { -67751 }
/// The salt given is wrong.
public var errSecInvalidAttributeSalt: OSStatus { -67752 }
/// The salt is absent.
public var errSecMissingAttributeSalt: OSStatus { -67753 }
/// The padding given is wrong.
public var errSecInvalidAttributePadding: OSStatus { -67754 }
/// The padding is absent.
public var errSecMissingAttributePadding: OSStatus { -67755 }
/// The random number given is wrong.
public var errSecInvalidAttributeRandom: OSStatus { -67756 }
/// The random number is absent.
public var errSecMissingAttributeRandom: OSStatus { -67757 }
/// The seed given is wrong.
public var errSecInvalidAttributeSeed: OSStatus { -67758 }
/// The seed is absent.
public var errSecMissingAttributeSeed: OSStatus { -67759 }
/// The passphrase given is wrong.
public var errSecInvalidAttributePassphrase: OSStatus { -67760 }
/// The passphrase is absent.
public var errSecMissingAttributePassphrase: OSStatus { -67761 }
/// The key length given is wrong.
public var errSecInvalidAttributeKeyLength: OSStatus { -67762 }
/// The key length is absent.
public var errSecMissingAttributeKeyLength: OSStatus { -67763 }
/// The block size given is wrong.
public var errSecInvalidAttributeBlockSize: OSStatus { -67764 }
/// The block size is absent.
public var errSecMissingAttributeBlockSize: OSStatus { -67765 }
/// The output size given is wrong.
public var errSecInvalidAttributeOutputSize: OSStatus { -67766 }
/// The output size is absent.
public var errSecMissingAttributeOutputSize: OSStatus { -67767 }
/// The number of rounds given is wrong.
public var errSecInvalidAttributeRounds: OSStatus { -67768 }
/// The number of rounds is absent.
public var errSecMissingAttributeRounds: OSStatus { -67769 }
/// The parameters of the algorithm are wrong.
public var errSecInvalidAlgorithmParms: OSStatus { -67770 }
/// The parameters of the algorithm are absent.
public var errSecMissingAlgorithmParms: OSStatus { -67771 }
/// The label given is wrong.
public var errSecInvalidAttributeLabel: OSStatus { -67772 }
/// The label is absent.
public var errSecMissingAttributeLabel: OSStatus { -67773 }
/// The key type given is wrong.
public var errSecInvalidAttributeKeyType: OSStatus { -67774 }
/// The key type is absent.
public var errSecMissingAttributeKeyType: OSStatus { -67775 }
/// The mode given is wrong.
public var errSecInvalidAttributeMode: OSStatus { -67776 }
/// The mode is absent.
public var errSecMissingAttributeMode: OSStatus { -67777 }
/// The number of effective bits given is wrong.
public var errSecInvalidAttributeEffectiveBits: OSStatus { -67778 }
/// The number of effective bits is absent.
public var errSecMissingAttributeEffectiveBits: OSStatus { -67779 }
/// The start date given is wrong.
public var errSecInvalidAttributeStartDate: OSStatus { -67780 }
/// The start date is absent.
public var errSecMissingAttributeStartDate: OSStatus { -67781 }
/// The end date given is wrong.
public var errSecInvalidAttributeEndDate: OSStatus { -67782 }
/// The end date is absent.
public var errSecMissingAttributeEndDate: OSStatus { -67783 }
/// The version given is wrong.
public var errSecInvalidAttributeVersion: OSStatus { -67784 }
/// The version is absent.
public var errSecMissingAttributeVersion: OSStatus { -67785 }
/// The prime given is wrong.
public var errSecInvalidAttributePrime: OSStatus { -67786 }
/// The prime is absent.
public var errSecMissingAttributePrime: OSStatus { -67787 }
/// The base given is wrong.
public var errSecInvalidAttributeBase: OSStatus { -67788 }
/// The base is absent.
public var errSecMissingAttributeBase: OSStatus { -67789 }
/// The subprime given is wrong.
public var errSecInvalidAttributeSubprime: OSStatus { -67790 }
/// The subprime is absent.
public var errSecMissingAttributeSubprime: OSStatus { -67791 }
/// The iteration count given is wrong.
public var errSecInvalidAttributeIterationCount: OSStatus { -67792 }
/// The iteration count is absent.
public var errSecMissingAttributeIterationCount: OSStatus { -67793 }
/// The database handle given is wrong.
public var errSecInvalidAttributeDLDBHandle: OSStatus { -67794 }
/// The database handle is absent.
public var errSecMissingAttributeDLDBHandle: OSStatus { -67795 }
/// The set of access credentials given is wrong.
public var errSecInvalidAttributeAccessCredentials: OSStatus { -67796 }
/// The set of access credentials is absent.
public var errSecMissingAttributeAccessCredentials: OSStatus { -67797 }
/// The format of a public key given is wrong.
public var errSecInvalidAttributePublicKeyFormat: OSStatus { -67798 }
/// The format of a public key is absent.
public var errSecMissingAttributePublicKeyFormat: OSStatus { -67799 }
/// The format of a private key given is wrong.
public var errSecInvalidAttributePrivateKeyFormat: OSStatus { -67800 }
/// The format of a private key is absent.
public var errSecMissingAttributePrivateKeyFormat: OSStatus { -67801 }
/// The format of a symmetric key given is wrong.
public var errSecInvalidAttributeSymmetricKeyFormat: OSStatus { -67802 }
/// The format of a symmetric key is absent.
public var errSecMissingAttributeSymmetricKeyFormat: OSStatus { -67803 }
/// The format of a wrapped key given is wrong.
public var errSecInvalidAttributeWrappedKeyFormat: OSStatus { -67804 }
/// The format of a wrapped key is absent.
public var errSecMissingAttributeWrappedKeyFormat: OSStatus { -67805 }

extension ResultCodeMessages {
  /// Codes of the attributes of a cryptographic context: each is either wrong or absent.
  static let attribute: [(code: OSStatus, sentence: String)] = [
    (errSecInvalidAttributeKey, "The key given is wrong."),
    (errSecMissingAttributeKey, "The key is absent."),
    (errSecInvalidAttributeInitVector, "The initial vector given is wrong."),
    (errSecMissingAttributeInitVector, "The initial vector is absent."),
    (errSecInvalidAttributeSalt, "The salt given is wrong."),
    (errSecMissingAttributeSalt, "The salt is absent."),
    (errSecInvalidAttributePadding, "The padding given is wrong."),
    (errSecMissingAttributePadding, "The padding is absent."),
    (errSecInvalidAttributeRandom, "The random number given is wrong."),
    (errSecMissingAttributeRandom, "The random number is absent."),
    (errSecInvalidAttributeSeed, "The seed given is wrong."),
    (errSecMissingAttributeSeed, "The seed is absent."),
    (errSecInvalidAttributePassphrase, "The passphrase given is wrong."),
    (errSecMissingAttributePassphrase, "The passphrase is absent."),
    (errSecInvalidAttributeKeyLength, "The key length given is wrong."),
    (errSecMissingAttributeKeyLength, "The key length is absent."),
    (errSecInvalidAttributeBlockSize, "The block size given is wrong."),
    (errSecMissingAttributeBlockSize, "The block size is absent."),
    (errSecInvalidAttributeOutputSize, "The output size given is wrong."),
    (errSecMissingAttributeOutputSize, "The output size is absent."),
    (errSecInvalidAttributeRounds, "The number of rounds given is wrong."),
    (errSecMissingAttributeRounds, "The number of rounds is absent."),
    (errSecInvalidAlgorithmParms, "The parameters of the algorithm are wrong."),
    (errSecMissingAlgorithmParms, "The parameters of the algorithm are absent."),
    (errSecInvalidAttributeLabel, "The label given is wrong."),
    (errSecMissingAttributeLabel, "The label is absent."),
    (errSecInvalidAttributeKeyType, "The key type given is wrong."),
    (errSecMissingAttributeKeyType, "The key type is absent."),
    (errSecInvalidAttributeMode, "The mode given is wrong."),
    (errSecMissingAttributeMode, "The mode is absent."),
    (errSecInvalidAttributeEffectiveBits, "The number of effective bits given is wrong."),
    (errSecMissingAttributeEffectiveBits, "The number of effective bits is absent."),
    (errSecInvalidAttributeStartDate, "The start date given is wrong."),
    (errSecMissingAttributeStartDate, "The start date is absent."),
    (errSecInvalidAttributeEndDate, "The end date given is wrong."),
    (errSecMissingAttributeEndDate, "The end date is absent."),
    (errSecInvalidAttributeVersion, "The version given is wrong."),
    (errSecMissingAttributeVersion, "The version is absent."),
    (errSecInvalidAttributePrime, "The prime given is wrong."),
    (errSecMissingAttributePrime, "The prime is absent."),
    (errSecInvalidAttributeBase, "The base given is wrong."),
    (errSecMissingAttributeBase, "The base is absent."),
    (errSecInvalidAttributeSubprime, "The subprime given is wrong."),
    (errSecMissingAttributeSubprime, "The subprime is absent."),
    (errSecInvalidAttributeIterationCount, "The iteration count given is wrong."),
    (errSecMissingAttributeIterationCount, "The iteration count is absent."),
    (errSecInvalidAttributeDLDBHandle, "The database handle given is wrong."),
    (errSecMissingAttributeDLDBHandle, "The database handle is absent."),
    (errSecInvalidAttributeAccessCredentials, "The set of access credentials given is wrong."),
    (errSecMissingAttributeAccessCredentials, "The set of access credentials is absent."),
    (errSecInvalidAttributePublicKeyFormat, "The format of a public key given is wrong."),
    (errSecMissingAttributePublicKeyFormat, "The format of a public key is absent."),
    (errSecInvalidAttributePrivateKeyFormat, "The format of a private key given is wrong."),
    (errSecMissingAttributePrivateKeyFormat, "The format of a private key is absent."),
    (errSecInvalidAttributeSymmetricKeyFormat, "The format of a symmetric key given is wrong."),
    (errSecMissingAttributeSymmetricKeyFormat, "The format of a symmetric key is absent."),
    (errSecInvalidAttributeWrappedKeyFormat, "The format of a wrapped key given is wrong."),
    (errSecMissingAttributeWrappedKeyFormat, "The format of a wrapped key is absent."),
  ]
}
