public import CFBridge

// Codes of time stamps. Names and values are Apple's (SecBase.h), the sentences are ours.

/// There should be a time stamp, and there is none.
public var errSecTimestampMissing: OSStatus { -67882 }
/// The time stamp is wrong.
public var errSecTimestampInvalid: OSStatus { -67883 }
/// Whoever made the time stamp is not trusted.
public var errSecTimestampNotTrusted: OSStatus { -67884 }
/// The service of time stamps does not answer.
public var errSecTimestampServiceNotAvailable: OSStatus { -67885 }
/// The time stamp uses an algorithm that is not handled.
public var errSecTimestampBadAlg: OSStatus { -67886 }
/// Such a request for a time stamp is not served.
public var errSecTimestampBadRequest: OSStatus { -67887 }
/// What was sent to be stamped has the wrong format.
public var errSecTimestampBadDataFormat: OSStatus { -67888 }
/// The stamping authority has no clock to go by.
public var errSecTimestampTimeNotAvailable: OSStatus { -67889 }
/// The stamping authority does not offer that policy.
public var errSecTimestampUnacceptedPolicy: OSStatus { -67890 }
/// The stamping authority does not offer that extension.
public var errSecTimestampUnacceptedExtension: OSStatus { -67891 }
/// The stamping authority has nothing to add.
public var errSecTimestampAddInfoNotAvailable: OSStatus { -67892 }
/// The stamping authority failed.
public var errSecTimestampSystemFailure: OSStatus { -67893 }
/// There should be a time of signing, and there is none.
public var errSecSigningTimeMissing: OSStatus { -67894 }
/// The request for a time stamp was refused.
public var errSecTimestampRejection: OSStatus { -67895 }
/// The time stamp is still to come.
public var errSecTimestampWaiting: OSStatus { -67896 }
/// The stamping authority is about to be revoked.
public var errSecTimestampRevocationWarning: OSStatus { -67897 }
/// The stamping authority was revoked.
public var errSecTimestampRevocationNotification: OSStatus { -67898 }

extension ResultCodeMessages {
  /// Codes of time stamps.
  static let timestamp: [(code: OSStatus, sentence: String)] = [
    (errSecTimestampMissing, "There should be a time stamp, and there is none."),
    (errSecTimestampInvalid, "The time stamp is wrong."),
    (errSecTimestampNotTrusted, "Whoever made the time stamp is not trusted."),
    (errSecTimestampServiceNotAvailable, "The service of time stamps does not answer."),
    (errSecTimestampBadAlg, "The time stamp uses an algorithm that is not handled."),
    (errSecTimestampBadRequest, "Such a request for a time stamp is not served."),
    (errSecTimestampBadDataFormat, "What was sent to be stamped has the wrong format."),
    (errSecTimestampTimeNotAvailable, "The stamping authority has no clock to go by."),
    (errSecTimestampUnacceptedPolicy, "The stamping authority does not offer that policy."),
    (errSecTimestampUnacceptedExtension, "The stamping authority does not offer that extension."),
    (errSecTimestampAddInfoNotAvailable, "The stamping authority has nothing to add."),
    (errSecTimestampSystemFailure, "The stamping authority failed."),
    (errSecSigningTimeMissing, "There should be a time of signing, and there is none."),
    (errSecTimestampRejection, "The request for a time stamp was refused."),
    (errSecTimestampWaiting, "The time stamp is still to come."),
    (errSecTimestampRevocationWarning, "The stamping authority is about to be revoked."),
    (errSecTimestampRevocationNotification, "The stamping authority was revoked."),
  ]
}
