import Testing

@testable import Security

@Suite struct ResultCodeTests {
  /// The codes of the keychain itself, as Apple's table has them.
  static let values: [(OSStatus, OSStatus)] = [
    (errSecSuccess, 0), (errSecUnimplemented, -4), (errSecDiskFull, -34), (errSecDskFull, -34), (errSecIO, -36),
    (errSecOpWr, -49), (errSecParam, -50), (errSecWrPerm, -61), (errSecAllocate, -108), (errSecUserCanceled, -128),
    (errSecBadReq, -909), (errSecInternalComponent, -2070), (errSecCoreFoundationUnknown, -4960),
    (errSecMissingEntitlement, -34018), (errSecRestrictedAPI, -34020), (errSecNotAvailable, -25291),
    (errSecReadOnly, -25292), (errSecAuthFailed, -25293), (errSecNoSuchKeychain, -25294),
    (errSecInvalidKeychain, -25295), (errSecDuplicateKeychain, -25296), (errSecDuplicateCallback, -25297),
    (errSecInvalidCallback, -25298), (errSecDuplicateItem, -25299), (errSecItemNotFound, -25300),
    (errSecBufferTooSmall, -25301), (errSecDataTooLarge, -25302), (errSecNoSuchAttr, -25303),
    (errSecInvalidItemRef, -25304), (errSecInvalidSearchRef, -25305), (errSecNoSuchClass, -25306),
    (errSecNoDefaultKeychain, -25307), (errSecInteractionNotAllowed, -25308), (errSecReadOnlyAttr, -25309),
    (errSecWrongSecVersion, -25310), (errSecKeySizeNotAllowed, -25311), (errSecNoStorageModule, -25312),
    (errSecNoCertificateModule, -25313), (errSecNoPolicyModule, -25314), (errSecInteractionRequired, -25315),
    (errSecDataNotAvailable, -25316), (errSecDataNotModifiable, -25317), (errSecCreateChainFailed, -25318),
    (errSecInvalidPrefsDomain, -25319), (errSecInDarkWake, -25320), (errSecACLNotSimple, -25240),
    (errSecPolicyNotFound, -25241), (errSecInvalidTrustSetting, -25242), (errSecNoAccessForItem, -25243),
    (errSecInvalidOwnerEdit, -25244), (errSecTrustNotAvailable, -25245), (errSecUnsupportedFormat, -25256),
    (errSecUnknownFormat, -25257), (errSecKeyIsSensitive, -25258), (errSecMultiplePrivKeys, -25259),
    (errSecPassphraseRequired, -25260), (errSecInvalidPasswordRef, -25261), (errSecInvalidTrustSettings, -25262),
    (errSecNoTrustSettings, -25263), (errSecPkcs12VerifyFailure, -25264), (errSecNotSigner, -26267),
    (errSecDecode, -26275),
  ]

  /// Some of the long run of module codes, from both ends of each of its tables.
  static let moduleValues: [(OSStatus, OSStatus)] = [
    (errSecServiceNotAvailable, -67585), (errSecInsufficientClientID, -67586), (errSecQuotaExceeded, -67596),
    (errSecHostNameMismatch, -67602), (errSecCRLNotFound, -67615), (errSecOCSPBadResponse, -67630),
    (errSecTrustSettingDeny, -67654), (errSecMobileMeFailedConsistencyCheck, -67666), (errSecNotInitialized, -67667),
    (errSecInternalError, -67671), (errSecInvalidSignature, -67688), (errSecACLDeleteFailed, -67696),
    (errSecInvalidKeyRef, -67712), (errSecModuleNotLoaded, -67718), (errSecInputLengthError, -67724),
    (errSecNotLoggedIn, -67729), (errSecKeyUsageIncorrect, -67731), (errSecInvalidAlgorithm, -67747),
    (errSecInvalidAttributeKey, -67748), (errSecMissingAttributeKey, -67749),
    (errSecInvalidAttributeRounds, -67768), (errSecMissingAttributeRounds, -67769),
    (errSecInvalidAlgorithmParms, -67770), (errSecMissingAlgorithmParms, -67771),
    (errSecInvalidAttributeLabel, -67772), (errSecInvalidAttributeDLDBHandle, -67794),
    (errSecMissingAttributeWrappedKeyFormat, -67805), (errSecStagedOperationInProgress, -67806),
    (errSecVerifyFailed, -67808), (errSecCertificateExpired, -67818), (errSecInvalidCRLAuthority, -67827),
    (errSecInvaldCRLAuthority, -67827), (errSecNotTrusted, -67843), (errSecInvalidTupleCredentials, -67852),
    (errSecInvalidTupleCredendtials, -67852), (errSecDatabaseLocked, -67869), (errSecMissingValue, -67871),
    (errSecInvalidModifyMode, -67879), (errSecMissingRequiredExtension, -67880), (errSecTimestampMissing, -67882),
    (errSecSigningTimeMissing, -67894), (errSecTimestampRevocationNotification, -67898),
    (errSecCertificatePolicyNotAllowed, -67899), (errSecCertificateNameNotAllowed, -67900),
    (errSecCertificateValidityPeriodTooLong, -67901), (errSecCertificateIsCA, -67902),
    (errSecCertificateDuplicateExtension, -67903), (errSecMissingQualifiedCertStatement, -67904),
  ]

  @Test func `each code has Apple's value`() {
    for (code, value) in Self.values + Self.moduleValues { #expect(code == value) }
  }

  @Test func `the codes of the modules leave no gap from -67585 to -67904`() {
    let run = Set(ResultCodeMessages.rows.map(\.code)).filter { $0 <= -67585 }
    #expect(run == Set(-67904 ... -67585))
  }

  @Test func `there are 381 codes, the 61 of the keychain's own table among them`() {
    #expect(ResultCodeMessages.rows.count == 381)
    let codes = Set(ResultCodeMessages.rows.map(\.code))
    #expect(codes.count == 381)
    #expect(codes.isSuperset(of: Self.values.map(\.1)))
    #expect(codes.filter { $0 > -67585 } == Set(Self.values.map(\.1)))
  }

  @Test func `each code has one sentence of its own`() throws {
    var seen: Set<String> = []
    for (code, sentence) in ResultCodeMessages.rows {
      #expect(seen.insert(sentence).inserted, "\(code): \(sentence)")
      #expect(sentence.hasSuffix(".") && sentence.first?.isUppercase == true, "\(sentence)")
      #expect(try #require(SecCopyErrorMessageString(code, nil)) as String == sentence)
    }
  }

  @Test(arguments: [-1, 1, 42, -25330, -26276, -34017, -34019, -67584, -67905, .min, .max] as [OSStatus])
  func `a code that is not documented gives its number`(code: OSStatus) {
    #expect(SecCopyErrorMessageString(code, nil) as String? == "OSStatus \(code)")
  }
}
