public import CFBridge

// Codes of verification, trust policies and data stores. Names and values are Apple's (SecBase.h), the sentences are ours.

/// An operation in stages still runs.
public var errSecStagedOperationInProgress: OSStatus { -67806 }
/// An operation in stages was not begun.
public var errSecStagedOperationNotStarted: OSStatus { -67807 }
/// The cryptographic check did not pass.
public var errSecVerifyFailed: OSStatus { -67808 }
/// The size of the result cannot be told beforehand.
public var errSecQuerySizeUnknown: OSStatus { -67809 }
/// The blocks have another size.
public var errSecBlockSizeMismatch: OSStatus { -67810 }
/// The public key contradicts itself.
public var errSecPublicKeyInconsistent: OSStatus { -67811 }
/// The device could not be verified.
public var errSecDeviceVerifyFailed: OSStatus { -67812 }
/// There is no login of that name.
public var errSecInvalidLoginName: OSStatus { -67813 }
/// Somebody is logged in already.
public var errSecAlreadyLoggedIn: OSStatus { -67814 }
/// There is no such digest.
public var errSecInvalidDigestAlgorithm: OSStatus { -67815 }
/// The group of revocation lists is wrong.
public var errSecInvalidCRLGroup: OSStatus { -67816 }
/// The certificate cannot be used for this.
public var errSecCertificateCannotOperate: OSStatus { -67817 }
/// The certificate has expired.
public var errSecCertificateExpired: OSStatus { -67818 }
/// The certificate starts to count later.
public var errSecCertificateNotValidYet: OSStatus { -67819 }
/// The issuer revoked the certificate.
public var errSecCertificateRevoked: OSStatus { -67820 }
/// The issuer suspended the certificate.
public var errSecCertificateSuspended: OSStatus { -67821 }
/// The credentials do not suffice.
public var errSecInsufficientCredentials: OSStatus { -67822 }
/// There is no such action.
public var errSecInvalidAction: OSStatus { -67823 }
/// There is no such authority.
public var errSecInvalidAuthority: OSStatus { -67824 }
/// The action to be verified failed.
public var errSecVerifyActionFailed: OSStatus { -67825 }
/// The authority of the certificate is wrong.
public var errSecInvalidCertAuthority: OSStatus { -67826 }
/// The authority of the revocation list is wrong.
public var errSecInvalidCRLAuthority: OSStatus { -67827 }
/// Apple's other spelling of ``errSecInvalidCRLAuthority``.
public var errSecInvaldCRLAuthority: OSStatus { -67827 }
/// The revocation list is encoded wrongly.
public var errSecInvalidCRLEncoding: OSStatus { -67828 }
/// There is no such type of revocation list.
public var errSecInvalidCRLType: OSStatus { -67829 }
/// The revocation list is malformed.
public var errSecInvalidCRL: OSStatus { -67830 }
/// There is no such type of form.
public var errSecInvalidFormType: OSStatus { -67831 }
/// That identifier stands for nothing.
public var errSecInvalidID: OSStatus { -67832 }
/// The identifier is malformed.
public var errSecInvalidIdentifier: OSStatus { -67833 }
/// The index is outside of its range.
public var errSecInvalidIndex: OSStatus { -67834 }
/// The identifiers of the policies are wrong.
public var errSecInvalidPolicyIdentifiers: OSStatus { -67835 }
/// The text is no time.
public var errSecInvalidTimeString: OSStatus { -67836 }
/// The trust policy gives no such reason.
public var errSecInvalidReason: OSStatus { -67837 }
/// What the request carries is wrong.
public var errSecInvalidRequestInputs: OSStatus { -67838 }
/// The list of answers is wrong.
public var errSecInvalidResponseVector: OSStatus { -67839 }
/// There is no such policy to stop on.
public var errSecInvalidStopOnPolicy: OSStatus { -67840 }
/// The tuple is malformed.
public var errSecInvalidTuple: OSStatus { -67841 }
/// Only one value can be handled.
public var errSecMultipleValuesUnsupported: OSStatus { -67842 }
/// The trust policy refuses.
public var errSecNotTrusted: OSStatus { -67843 }
/// No authority is set as the default.
public var errSecNoDefaultAuthority: OSStatus { -67844 }
/// The form was rejected.
public var errSecRejectedForm: OSStatus { -67845 }
/// The request got lost.
public var errSecRequestLost: OSStatus { -67846 }
/// The request was turned down.
public var errSecRequestRejected: OSStatus { -67847 }
/// Addresses of that type are not handled.
public var errSecUnsupportedAddressType: OSStatus { -67848 }
/// That service is not handled.
public var errSecUnsupportedService: OSStatus { -67849 }
/// The group of tuples is malformed.
public var errSecInvalidTupleGroup: OSStatus { -67850 }
/// The access lists to build on are wrong.
public var errSecInvalidBaseACLs: OSStatus { -67851 }
/// The credentials of the tuple are wrong.
public var errSecInvalidTupleCredentials: OSStatus { -67852 }
/// Apple's other spelling of ``errSecInvalidTupleCredentials``.
public var errSecInvalidTupleCredendtials: OSStatus { -67852 }
/// The encoding is wrong.
public var errSecInvalidEncoding: OSStatus { -67853 }
/// The span of validity is wrong.
public var errSecInvalidValidityPeriod: OSStatus { -67854 }
/// The one who asks is not known.
public var errSecInvalidRequestor: OSStatus { -67855 }
/// The description of the request is wrong.
public var errSecRequestDescriptor: OSStatus { -67856 }
/// The bundle's information is wrong.
public var errSecInvalidBundleInfo: OSStatus { -67857 }
/// The revocation list has no such index.
public var errSecInvalidCRLIndex: OSStatus { -67858 }
/// The fields have no values.
public var errSecNoFieldValues: OSStatus { -67859 }
/// Fields in that format are not handled.
public var errSecUnsupportedFieldFormat: OSStatus { -67860 }
/// Indexes of that kind are not handled.
public var errSecUnsupportedIndexInfo: OSStatus { -67861 }
/// That locality is not handled.
public var errSecUnsupportedLocality: OSStatus { -67862 }
/// That many attributes are not handled.
public var errSecUnsupportedNumAttributes: OSStatus { -67863 }
/// That many indexes are not handled.
public var errSecUnsupportedNumIndexes: OSStatus { -67864 }
/// That many types of record are not handled.
public var errSecUnsupportedNumRecordTypes: OSStatus { -67865 }
/// A field is given more than once.
public var errSecFieldSpecifiedMultiple: OSStatus { -67866 }
/// The formats of the fields do not go together.
public var errSecIncompatibleFieldFormat: OSStatus { -67867 }
/// The module cannot parse this.
public var errSecInvalidParsingModule: OSStatus { -67868 }
/// Somebody else has the database locked.
public var errSecDatabaseLocked: OSStatus { -67869 }
/// The data store is still open.
public var errSecDatastoreIsOpen: OSStatus { -67870 }
/// A value is absent.
public var errSecMissingValue: OSStatus { -67871 }
/// Queries with such limits are not handled.
public var errSecUnsupportedQueryLimits: OSStatus { -67872 }
/// That many conditions in a query are not handled.
public var errSecUnsupportedNumSelectionPreds: OSStatus { -67873 }
/// That operator is not handled.
public var errSecUnsupportedOperator: OSStatus { -67874 }
/// There is no database at that place.
public var errSecInvalidDBLocation: OSStatus { -67875 }
/// The request for access is wrong.
public var errSecInvalidAccessRequest: OSStatus { -67876 }
/// What was said of the indexes is wrong.
public var errSecInvalidIndexInfo: OSStatus { -67877 }
/// The new owner cannot be one.
public var errSecInvalidNewOwner: OSStatus { -67878 }
/// There is no such way to modify.
public var errSecInvalidModifyMode: OSStatus { -67879 }
/// An extension the certificate must have is absent.
public var errSecMissingRequiredExtension: OSStatus { -67880 }
/// The extended use must be marked critical, and is not.
public var errSecExtendedKeyUsageNotCritical: OSStatus { -67881 }
/// An issuer does not allow the certificate's policy.
public var errSecCertificatePolicyNotAllowed: OSStatus { -67899 }
/// An issuer does not allow the certificate's name.
public var errSecCertificateNameNotAllowed: OSStatus { -67900 }
/// The certificate counts for longer than allowed.
public var errSecCertificateValidityPeriodTooLong: OSStatus { -67901 }
/// An authority's certificate stands where an end's should.
public var errSecCertificateIsCA: OSStatus { -67902 }
/// The certificate has the same extension twice.
public var errSecCertificateDuplicateExtension: OSStatus { -67903 }
/// A statement a qualified certificate must have is absent.
public var errSecMissingQualifiedCertStatement: OSStatus { -67904 }

extension ResultCodeMessages {
  /// Codes of verification, trust policies and data stores.
  static let trust: [(code: OSStatus, sentence: String)] = [
    (errSecStagedOperationInProgress, "An operation in stages still runs."),
    (errSecStagedOperationNotStarted, "An operation in stages was not begun."),
    (errSecVerifyFailed, "The cryptographic check did not pass."),
    (errSecQuerySizeUnknown, "The size of the result cannot be told beforehand."),
    (errSecBlockSizeMismatch, "The blocks have another size."),
    (errSecPublicKeyInconsistent, "The public key contradicts itself."),
    (errSecDeviceVerifyFailed, "The device could not be verified."),
    (errSecInvalidLoginName, "There is no login of that name."),
    (errSecAlreadyLoggedIn, "Somebody is logged in already."),
    (errSecInvalidDigestAlgorithm, "There is no such digest."),
    (errSecInvalidCRLGroup, "The group of revocation lists is wrong."),
    (errSecCertificateCannotOperate, "The certificate cannot be used for this."),
    (errSecCertificateExpired, "The certificate has expired."),
    (errSecCertificateNotValidYet, "The certificate starts to count later."),
    (errSecCertificateRevoked, "The issuer revoked the certificate."),
    (errSecCertificateSuspended, "The issuer suspended the certificate."),
    (errSecInsufficientCredentials, "The credentials do not suffice."),
    (errSecInvalidAction, "There is no such action."),
    (errSecInvalidAuthority, "There is no such authority."),
    (errSecVerifyActionFailed, "The action to be verified failed."),
    (errSecInvalidCertAuthority, "The authority of the certificate is wrong."),
    (errSecInvalidCRLAuthority, "The authority of the revocation list is wrong."),
    (errSecInvalidCRLEncoding, "The revocation list is encoded wrongly."),
    (errSecInvalidCRLType, "There is no such type of revocation list."),
    (errSecInvalidCRL, "The revocation list is malformed."),
    (errSecInvalidFormType, "There is no such type of form."),
    (errSecInvalidID, "That identifier stands for nothing."),
    (errSecInvalidIdentifier, "The identifier is malformed."),
    (errSecInvalidIndex, "The index is outside of its range."),
    (errSecInvalidPolicyIdentifiers, "The identifiers of the policies are wrong."),
    (errSecInvalidTimeString, "The text is no time."),
    (errSecInvalidReason, "The trust policy gives no such reason."),
    (errSecInvalidRequestInputs, "What the request carries is wrong."),
    (errSecInvalidResponseVector, "The list of answers is wrong."),
    (errSecInvalidStopOnPolicy, "There is no such policy to stop on."),
    (errSecInvalidTuple, "The tuple is malformed."),
    (errSecMultipleValuesUnsupported, "Only one value can be handled."),
    (errSecNotTrusted, "The trust policy refuses."),
    (errSecNoDefaultAuthority, "No authority is set as the default."),
    (errSecRejectedForm, "The form was rejected."),
    (errSecRequestLost, "The request got lost."),
    (errSecRequestRejected, "The request was turned down."),
    (errSecUnsupportedAddressType, "Addresses of that type are not handled."),
    (errSecUnsupportedService, "That service is not handled."),
    (errSecInvalidTupleGroup, "The group of tuples is malformed."),
    (errSecInvalidBaseACLs, "The access lists to build on are wrong."),
    (errSecInvalidTupleCredentials, "The credentials of the tuple are wrong."),
    (errSecInvalidEncoding, "The encoding is wrong."),
    (errSecInvalidValidityPeriod, "The span of validity is wrong."),
    (errSecInvalidRequestor, "The one who asks is not known."),
    (errSecRequestDescriptor, "The description of the request is wrong."),
    (errSecInvalidBundleInfo, "The bundle's information is wrong."),
    (errSecInvalidCRLIndex, "The revocation list has no such index."),
    (errSecNoFieldValues, "The fields have no values."),
    (errSecUnsupportedFieldFormat, "Fields in that format are not handled."),
    (errSecUnsupportedIndexInfo, "Indexes of that kind are not handled."),
    (errSecUnsupportedLocality, "That locality is not handled."),
    (errSecUnsupportedNumAttributes, "That many attributes are not handled."),
    (errSecUnsupportedNumIndexes, "That many indexes are not handled."),
    (errSecUnsupportedNumRecordTypes, "That many types of record are not handled."),
    (errSecFieldSpecifiedMultiple, "A field is given more than once."),
    (errSecIncompatibleFieldFormat, "The formats of the fields do not go together."),
    (errSecInvalidParsingModule, "The module cannot parse this."),
    (errSecDatabaseLocked, "Somebody else has the database locked."),
    (errSecDatastoreIsOpen, "The data store is still open."),
    (errSecMissingValue, "A value is absent."),
    (errSecUnsupportedQueryLimits, "Queries with such limits are not handled."),
    (errSecUnsupportedNumSelectionPreds, "That many conditions in a query are not handled."),
    (errSecUnsupportedOperator, "That operator is not handled."),
    (errSecInvalidDBLocation, "There is no database at that place."),
    (errSecInvalidAccessRequest, "The request for access is wrong."),
    (errSecInvalidIndexInfo, "What was said of the indexes is wrong."),
    (errSecInvalidNewOwner, "The new owner cannot be one."),
    (errSecInvalidModifyMode, "There is no such way to modify."),
    (errSecMissingRequiredExtension, "An extension the certificate must have is absent."),
    (errSecExtendedKeyUsageNotCritical, "The extended use must be marked critical, and is not."),
    (errSecCertificatePolicyNotAllowed, "An issuer does not allow the certificate's policy."),
    (errSecCertificateNameNotAllowed, "An issuer does not allow the certificate's name."),
    (errSecCertificateValidityPeriodTooLong, "The certificate counts for longer than allowed."),
    (errSecCertificateIsCA, "An authority's certificate stands where an end's should."),
    (errSecCertificateDuplicateExtension, "The certificate has the same extension twice."),
    (errSecMissingQualifiedCertStatement, "A statement a qualified certificate must have is absent."),
  ]
}
