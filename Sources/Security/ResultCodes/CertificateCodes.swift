public import CFBridge

// Codes of certificates, revocation and signing. Names and values are Apple's (SecBase.h), the sentences are ours.

/// The service that does this is not there.
public var errSecServiceNotAvailable: OSStatus { -67585 }
/// The client named itself wrongly.
public var errSecInsufficientClientID: OSStatus { -67586 }
/// The device was reset meanwhile.
public var errSecDeviceReset: OSStatus { -67587 }
/// The device stopped working.
public var errSecDeviceFailed: OSStatus { -67588 }
/// A program could not be put on the access list.
public var errSecAppleAddAppACLSubject: OSStatus { -67589 }
/// Parts of the public key are absent.
public var errSecApplePublicKeyIncomplete: OSStatus { -67590 }
/// The signature belongs to something else.
public var errSecAppleSignatureMismatch: OSStatus { -67591 }
/// The date a key starts to count is wrong.
public var errSecAppleInvalidKeyStartDate: OSStatus { -67592 }
/// The date a key ceases to count is wrong.
public var errSecAppleInvalidKeyEndDate: OSStatus { -67593 }
/// A value could not be converted.
public var errSecConversionError: OSStatus { -67594 }
/// The peer tried to fall back to SSL 2.
public var errSecAppleSSLv2Rollback: OSStatus { -67595 }
/// More is stored than the quota allows.
public var errSecQuotaExceeded: OSStatus { -67596 }
/// The file is larger than allowed.
public var errSecFileTooBig: OSStatus { -67597 }
/// A block of the database is damaged.
public var errSecInvalidDatabaseBlob: OSStatus { -67598 }
/// A key's block in the database is damaged.
public var errSecInvalidKeyBlob: OSStatus { -67599 }
/// A block of the database is of another version.
public var errSecIncompatibleDatabaseBlob: OSStatus { -67600 }
/// A key's block in the database is of another version.
public var errSecIncompatibleKeyBlob: OSStatus { -67601 }
/// The certificate names another host.
public var errSecHostNameMismatch: OSStatus { -67602 }
/// The critical mark of an extension has a value that means nothing.
public var errSecUnknownCriticalExtensionFlag: OSStatus { -67603 }
/// The certificate states no basic constraints.
public var errSecNoBasicConstraints: OSStatus { -67604 }
/// The basic constraints do not make this certificate an authority.
public var errSecNoBasicConstraintsCA: OSStatus { -67605 }
/// The identifier of the authority's key is wrong.
public var errSecInvalidAuthorityKeyID: OSStatus { -67606 }
/// The identifier of the subject's key is wrong.
public var errSecInvalidSubjectKeyID: OSStatus { -67607 }
/// The policy wants another use of the key.
public var errSecInvalidKeyUsageForPolicy: OSStatus { -67608 }
/// The extended use of the key is wrong.
public var errSecInvalidExtendedKeyUsage: OSStatus { -67609 }
/// Two identifiers that must agree do not.
public var errSecInvalidIDLinkage: OSStatus { -67610 }
/// The chain is longer than one of its certificates allows.
public var errSecPathLengthConstraintExceeded: OSStatus { -67611 }
/// The certificate at the end of the chain cannot be an anchor.
public var errSecInvalidRoot: OSStatus { -67612 }
/// The revocation list is out of date.
public var errSecCRLExpired: OSStatus { -67613 }
/// The revocation list is dated in the future.
public var errSecCRLNotValidYet: OSStatus { -67614 }
/// No revocation list was found.
public var errSecCRLNotFound: OSStatus { -67615 }
/// The server of the revocation list does not answer.
public var errSecCRLServerDown: OSStatus { -67616 }
/// The address of the revocation list is malformed.
public var errSecCRLBadURI: OSStatus { -67617 }
/// The certificate has an extension nobody knows.
public var errSecUnknownCertExtension: OSStatus { -67618 }
/// The revocation list has an extension nobody knows.
public var errSecUnknownCRLExtension: OSStatus { -67619 }
/// Whoever signed the revocation list is not trusted.
public var errSecCRLNotTrusted: OSStatus { -67620 }
/// The revocation list breaks its policy.
public var errSecCRLPolicyFailed: OSStatus { -67621 }
/// The point that distributes the list is wrong.
public var errSecIDPFailure: OSStatus { -67622 }
/// The message comes from an address the certificate does not have.
public var errSecSMIMEEmailAddressesNotFound: OSStatus { -67623 }
/// The certificate's extended use does not cover mail.
public var errSecSMIMEBadExtendedKeyUsage: OSStatus { -67624 }
/// The key's use does not cover mail.
public var errSecSMIMEBadKeyUsage: OSStatus { -67625 }
/// For mail the key's use must be marked critical, and is not.
public var errSecSMIMEKeyUsageNotCritical: OSStatus { -67626 }
/// For mail the certificate must have an address, and has none.
public var errSecSMIMENoEmailAddress: OSStatus { -67627 }
/// For mail the alternative name must be marked critical, and is not.
public var errSecSMIMESubjAltNameNotCritical: OSStatus { -67628 }
/// The certificate's extended use does not cover TLS.
public var errSecSSLBadExtendedKeyUsage: OSStatus { -67629 }
/// The answer about a certificate's status is malformed.
public var errSecOCSPBadResponse: OSStatus { -67630 }
/// The question about a certificate's status is malformed.
public var errSecOCSPBadRequest: OSStatus { -67631 }
/// Nobody answers about the certificate's status.
public var errSecOCSPUnavailable: OSStatus { -67632 }
/// The one who answers does not know this certificate.
public var errSecOCSPStatusUnrecognized: OSStatus { -67633 }
/// The data ended.
public var errSecEndOfData: OSStatus { -67634 }
/// Whether a certificate was revoked could be checked only in part.
public var errSecIncompleteCertRevocationCheck: OSStatus { -67635 }
/// The network failed.
public var errSecNetworkFailure: OSStatus { -67636 }
/// The answer about a status leads to no trusted anchor.
public var errSecOCSPNotTrustedToAnchor: OSStatus { -67637 }
/// Somebody changed the record meanwhile.
public var errSecRecordModified: OSStatus { -67638 }
/// The answer about a status is signed wrongly.
public var errSecOCSPSignatureError: OSStatus { -67639 }
/// Nobody signed the answer about a status.
public var errSecOCSPNoSigner: OSStatus { -67640 }
/// The one who answers calls our question about a status malformed.
public var errSecOCSPResponderMalformedReq: OSStatus { -67641 }
/// The one who answers about a status has failed inside.
public var errSecOCSPResponderInternalError: OSStatus { -67642 }
/// The one who answers about a status is busy now.
public var errSecOCSPResponderTryLater: OSStatus { -67643 }
/// A question about a status must be signed here.
public var errSecOCSPResponderSignatureRequired: OSStatus { -67644 }
/// We may not ask about that status.
public var errSecOCSPResponderUnauthorized: OSStatus { -67645 }
/// The answer about a status belongs to another question.
public var errSecOCSPResponseNonceMismatch: OSStatus { -67646 }
/// The chain behind signed code has the wrong length.
public var errSecCodeSigningBadCertChainLength: OSStatus { -67647 }
/// The certificate behind signed code states no basic constraints.
public var errSecCodeSigningNoBasicConstraints: OSStatus { -67648 }
/// The certificate behind signed code limits its path wrongly.
public var errSecCodeSigningBadPathLengthConstraint: OSStatus { -67649 }
/// The certificate behind signed code states no extended use.
public var errSecCodeSigningNoExtendedKeyUsage: OSStatus { -67650 }
/// The code is signed for development only.
public var errSecCodeSigningDevelopment: OSStatus { -67651 }
/// The chain behind signed resources has the wrong length.
public var errSecResourceSignBadCertChainLength: OSStatus { -67652 }
/// The certificate behind signed resources has the wrong extended use.
public var errSecResourceSignBadExtKeyUsage: OSStatus { -67653 }
/// A trust setting denies this.
public var errSecTrustSettingDeny: OSStatus { -67654 }
/// The certificate's subject is malformed.
public var errSecInvalidSubjectName: OSStatus { -67655 }
/// A statement of a qualified certificate is not known.
public var errSecUnknownQualifiedCertStatement: OSStatus { -67656 }
/// The request to the account service waits for the next connection.
public var errSecMobileMeRequestQueued: OSStatus { -67657 }
/// The account service sent the request elsewhere.
public var errSecMobileMeRequestRedirected: OSStatus { -67658 }
/// The account service failed.
public var errSecMobileMeServerError: OSStatus { -67659 }
/// The account service is away.
public var errSecMobileMeServerNotAvailable: OSStatus { -67660 }
/// The account service has such an item already.
public var errSecMobileMeServerAlreadyExists: OSStatus { -67661 }
/// A part of the account service failed.
public var errSecMobileMeServerServiceErr: OSStatus { -67662 }
/// The same request to the account service still runs.
public var errSecMobileMeRequestAlreadyPending: OSStatus { -67663 }
/// The account service has no such request.
public var errSecMobileMeNoRequestPending: OSStatus { -67664 }
/// The account service could not verify the signing request.
public var errSecMobileMeCSRVerifyFailure: OSStatus { -67665 }
/// What the account service holds contradicts itself.
public var errSecMobileMeFailedConsistencyCheck: OSStatus { -67666 }

extension ResultCodeMessages {
  /// Codes of certificates, revocation and signing.
  static let certificate: [(code: OSStatus, sentence: String)] = [
    (errSecServiceNotAvailable, "The service that does this is not there."),
    (errSecInsufficientClientID, "The client named itself wrongly."),
    (errSecDeviceReset, "The device was reset meanwhile."),
    (errSecDeviceFailed, "The device stopped working."),
    (errSecAppleAddAppACLSubject, "A program could not be put on the access list."),
    (errSecApplePublicKeyIncomplete, "Parts of the public key are absent."),
    (errSecAppleSignatureMismatch, "The signature belongs to something else."),
    (errSecAppleInvalidKeyStartDate, "The date a key starts to count is wrong."),
    (errSecAppleInvalidKeyEndDate, "The date a key ceases to count is wrong."),
    (errSecConversionError, "A value could not be converted."),
    (errSecAppleSSLv2Rollback, "The peer tried to fall back to SSL 2."),
    (errSecQuotaExceeded, "More is stored than the quota allows."),
    (errSecFileTooBig, "The file is larger than allowed."),
    (errSecInvalidDatabaseBlob, "A block of the database is damaged."),
    (errSecInvalidKeyBlob, "A key's block in the database is damaged."),
    (errSecIncompatibleDatabaseBlob, "A block of the database is of another version."),
    (errSecIncompatibleKeyBlob, "A key's block in the database is of another version."),
    (errSecHostNameMismatch, "The certificate names another host."),
    (errSecUnknownCriticalExtensionFlag, "The critical mark of an extension has a value that means nothing."),
    (errSecNoBasicConstraints, "The certificate states no basic constraints."),
    (errSecNoBasicConstraintsCA, "The basic constraints do not make this certificate an authority."),
    (errSecInvalidAuthorityKeyID, "The identifier of the authority's key is wrong."),
    (errSecInvalidSubjectKeyID, "The identifier of the subject's key is wrong."),
    (errSecInvalidKeyUsageForPolicy, "The policy wants another use of the key."),
    (errSecInvalidExtendedKeyUsage, "The extended use of the key is wrong."),
    (errSecInvalidIDLinkage, "Two identifiers that must agree do not."),
    (errSecPathLengthConstraintExceeded, "The chain is longer than one of its certificates allows."),
    (errSecInvalidRoot, "The certificate at the end of the chain cannot be an anchor."),
    (errSecCRLExpired, "The revocation list is out of date."),
    (errSecCRLNotValidYet, "The revocation list is dated in the future."),
    (errSecCRLNotFound, "No revocation list was found."),
    (errSecCRLServerDown, "The server of the revocation list does not answer."),
    (errSecCRLBadURI, "The address of the revocation list is malformed."),
    (errSecUnknownCertExtension, "The certificate has an extension nobody knows."),
    (errSecUnknownCRLExtension, "The revocation list has an extension nobody knows."),
    (errSecCRLNotTrusted, "Whoever signed the revocation list is not trusted."),
    (errSecCRLPolicyFailed, "The revocation list breaks its policy."),
    (errSecIDPFailure, "The point that distributes the list is wrong."),
    (errSecSMIMEEmailAddressesNotFound, "The message comes from an address the certificate does not have."),
    (errSecSMIMEBadExtendedKeyUsage, "The certificate's extended use does not cover mail."),
    (errSecSMIMEBadKeyUsage, "The key's use does not cover mail."),
    (errSecSMIMEKeyUsageNotCritical, "For mail the key's use must be marked critical, and is not."),
    (errSecSMIMENoEmailAddress, "For mail the certificate must have an address, and has none."),
    (errSecSMIMESubjAltNameNotCritical, "For mail the alternative name must be marked critical, and is not."),
    (errSecSSLBadExtendedKeyUsage, "The certificate's extended use does not cover TLS."),
    (errSecOCSPBadResponse, "The answer about a certificate's status is malformed."),
    (errSecOCSPBadRequest, "The question about a certificate's status is malformed."),
    (errSecOCSPUnavailable, "Nobody answers about the certificate's status."),
    (errSecOCSPStatusUnrecognized, "The one who answers does not know this certificate."),
    (errSecEndOfData, "The data ended."),
    (errSecIncompleteCertRevocationCheck, "Whether a certificate was revoked could be checked only in part."),
    (errSecNetworkFailure, "The network failed."),
    (errSecOCSPNotTrustedToAnchor, "The answer about a status leads to no trusted anchor."),
    (errSecRecordModified, "Somebody changed the record meanwhile."),
    (errSecOCSPSignatureError, "The answer about a status is signed wrongly."),
    (errSecOCSPNoSigner, "Nobody signed the answer about a status."),
    (errSecOCSPResponderMalformedReq, "The one who answers calls our question about a status malformed."),
    (errSecOCSPResponderInternalError, "The one who answers about a status has failed inside."),
    (errSecOCSPResponderTryLater, "The one who answers about a status is busy now."),
    (errSecOCSPResponderSignatureRequired, "A question about a status must be signed here."),
    (errSecOCSPResponderUnauthorized, "We may not ask about that status."),
    (errSecOCSPResponseNonceMismatch, "The answer about a status belongs to another question."),
    (errSecCodeSigningBadCertChainLength, "The chain behind signed code has the wrong length."),
    (errSecCodeSigningNoBasicConstraints, "The certificate behind signed code states no basic constraints."),
    (errSecCodeSigningBadPathLengthConstraint, "The certificate behind signed code limits its path wrongly."),
    (errSecCodeSigningNoExtendedKeyUsage, "The certificate behind signed code states no extended use."),
    (errSecCodeSigningDevelopment, "The code is signed for development only."),
    (errSecResourceSignBadCertChainLength, "The chain behind signed resources has the wrong length."),
    (errSecResourceSignBadExtKeyUsage, "The certificate behind signed resources has the wrong extended use."),
    (errSecTrustSettingDeny, "A trust setting denies this."),
    (errSecInvalidSubjectName, "The certificate's subject is malformed."),
    (errSecUnknownQualifiedCertStatement, "A statement of a qualified certificate is not known."),
    (errSecMobileMeRequestQueued, "The request to the account service waits for the next connection."),
    (errSecMobileMeRequestRedirected, "The account service sent the request elsewhere."),
    (errSecMobileMeServerError, "The account service failed."),
    (errSecMobileMeServerNotAvailable, "The account service is away."),
    (errSecMobileMeServerAlreadyExists, "The account service has such an item already."),
    (errSecMobileMeServerServiceErr, "A part of the account service failed."),
    (errSecMobileMeRequestAlreadyPending, "The same request to the account service still runs."),
    (errSecMobileMeNoRequestPending, "The account service has no such request."),
    (errSecMobileMeCSRVerifyFailure, "The account service could not verify the signing request."),
    (errSecMobileMeFailedConsistencyCheck, "What the account service holds contradicts itself."),
  ]
}
