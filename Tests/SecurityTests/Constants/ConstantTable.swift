import Security
import Testing

/// Constants of one kind with the values SecItemConstants gives them.
struct ConstantTable: Sendable, CustomTestStringConvertible {
  let name: String
  nonisolated(unsafe) let rows: [(CFString, String)]

  var testDescription: String { name }

  init(_ name: String, _ rows: [(CFString, String)]) {
    self.name = name
    self.rows = rows
  }

  static let classes = ConstantTable(
    "classes",
    [
      (kSecClass, "class"), (kSecClassKey, "keys"), (kSecClassIdentity, "idnt"), (kSecClassCertificate, "cert"),
      (kSecClassInternetPassword, "inet"), (kSecClassGenericPassword, "genp"),
    ])

  static let attributes = ConstantTable(
    "attributes",
    [
      (kSecAttrAccess, "acls"), (kSecAttrAccessControl, "accc"), (kSecAttrAccessGroup, "agrp"),
      (kSecAttrAccessible, "pdmn"), (kSecAttrAccount, "acct"), (kSecAttrAlias, "alis"),
      (kSecAttrAuthenticationType, "atyp"), (kSecAttrComment, "icmt"), (kSecAttrCreationDate, "cdat"),
      (kSecAttrCreator, "crtr"), (kSecAttrDescription, "desc"), (kSecAttrGeneric, "gena"),
      (kSecAttrIsInvisible, "invi"), (kSecAttrIsNegative, "nega"), (kSecAttrIssuer, "issr"), (kSecAttrLabel, "labl"),
      (kSecAttrModificationDate, "mdat"), (kSecAttrPath, "path"), (kSecAttrPort, "port"), (kSecAttrProtocol, "ptcl"),
      (kSecAttrPublicKeyHash, "pkhh"), (kSecAttrSecurityDomain, "sdmn"), (kSecAttrSerialNumber, "slnr"),
      (kSecAttrServer, "srvr"), (kSecAttrService, "svce"), (kSecAttrSubject, "subj"), (kSecAttrSubjectKeyID, "skid"),
      (kSecAttrSynchronizable, "sync"), (kSecAttrSynchronizableAny, "syna"), (kSecAttrSyncViewHint, "vwht"),
      (kSecAttrType, "type"), (kSecAttrCertificateType, "ctyp"), (kSecAttrCertificateEncoding, "cenc"),
      (kSecAttrTokenID, "tkid"), (kSecAttrTokenIDSecureEnclave, "com.apple.setoken"),
      (kSecAttrAccessGroupToken, "com.apple.token"), (kSecAttrPersistantReference, "persistref"),
      (kSecAttrPersistentReference, "persistref"),
    ])

  static let keyAttributes = ConstantTable(
    "attributes of keys",
    [
      (kSecAttrApplicationLabel, "klbl"), (kSecAttrApplicationTag, "atag"), (kSecAttrCanDecrypt, "decr"),
      (kSecAttrCanDerive, "drve"), (kSecAttrCanEncrypt, "encr"), (kSecAttrCanSign, "sign"),
      (kSecAttrCanUnwrap, "unwp"), (kSecAttrCanVerify, "vrfy"), (kSecAttrCanWrap, "wrap"),
      (kSecAttrEffectiveKeySize, "esiz"), (kSecAttrIsExtractable, "extr"), (kSecAttrIsPermanent, "perm"),
      (kSecAttrIsSensitive, "sens"), (kSecAttrKeyClass, "kcls"), (kSecAttrKeySizeInBits, "bsiz"),
      (kSecAttrKeyType, "type"), (kSecAttrPRF, "prf"), (kSecAttrSalt, "salt"), (kSecAttrRounds, "rounds"),
      (kSecPrivateKeyAttrs, "private"), (kSecPublicKeyAttrs, "public"),
    ])

  static let accessibility = ConstantTable(
    "accessibility",
    [
      (kSecAttrAccessibleAlways, "dk"), (kSecAttrAccessibleAlwaysThisDeviceOnly, "dku"),
      (kSecAttrAccessibleAfterFirstUnlock, "ck"), (kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, "cku"),
      (kSecAttrAccessibleWhenUnlocked, "ak"), (kSecAttrAccessibleWhenUnlockedThisDeviceOnly, "aku"),
      (kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, "akpu"),
    ])

  static let protocols = ConstantTable(
    "protocols",
    [
      (kSecAttrProtocolAFP, "afp "), (kSecAttrProtocolAppleTalk, "atlk"), (kSecAttrProtocolDAAP, "daap"),
      (kSecAttrProtocolEPPC, "eppc"), (kSecAttrProtocolFTP, "ftp "), (kSecAttrProtocolFTPAccount, "ftpa"),
      (kSecAttrProtocolFTPProxy, "ftpx"), (kSecAttrProtocolFTPS, "ftps"), (kSecAttrProtocolHTTP, "http"),
      (kSecAttrProtocolHTTPProxy, "htpx"), (kSecAttrProtocolHTTPS, "htps"), (kSecAttrProtocolHTTPSProxy, "htsx"),
      (kSecAttrProtocolIMAP, "imap"), (kSecAttrProtocolIMAPS, "imps"), (kSecAttrProtocolIPP, "ipp "),
      (kSecAttrProtocolIRC, "irc "), (kSecAttrProtocolIRCS, "ircs"), (kSecAttrProtocolLDAP, "ldap"),
      (kSecAttrProtocolLDAPS, "ldps"), (kSecAttrProtocolNNTP, "nntp"), (kSecAttrProtocolNNTPS, "ntps"),
      (kSecAttrProtocolPOP3, "pop3"), (kSecAttrProtocolPOP3S, "pops"), (kSecAttrProtocolRTSP, "rtsp"),
      (kSecAttrProtocolRTSPProxy, "rtsx"), (kSecAttrProtocolSMB, "smb "), (kSecAttrProtocolSMTP, "smtp"),
      (kSecAttrProtocolSOCKS, "sox "), (kSecAttrProtocolSSH, "ssh "), (kSecAttrProtocolTelnet, "teln"),
      (kSecAttrProtocolTelnetS, "tels"),
    ])

  static let authenticationTypes = ConstantTable(
    "authentication types",
    [
      (kSecAttrAuthenticationTypeDefault, "dflt"), (kSecAttrAuthenticationTypeDPA, "dpaa"),
      (kSecAttrAuthenticationTypeHTMLForm, "form"), (kSecAttrAuthenticationTypeHTTPBasic, "http"),
      (kSecAttrAuthenticationTypeHTTPDigest, "httd"), (kSecAttrAuthenticationTypeMSN, "msna"),
      (kSecAttrAuthenticationTypeNTLM, "ntlm"), (kSecAttrAuthenticationTypeRPA, "rpaa"),
    ])

  static let keyValues = ConstantTable(
    "values of keys",
    [
      (kSecAttrKeyClassPublic, "0"), (kSecAttrKeyClassPrivate, "1"), (kSecAttrKeyClassSymmetric, "2"),
      (kSecAttrKeyType3DES, "17"), (kSecAttrKeyTypeAES, "2147483649"), (kSecAttrKeyTypeCAST, "56"),
      (kSecAttrKeyTypeDES, "14"), (kSecAttrKeyTypeDSA, "43"), (kSecAttrKeyTypeEC, "73"),
      (kSecAttrKeyTypeECDSA, "73"), (kSecAttrKeyTypeECSECPrimeRandom, "73"), (kSecAttrKeyTypeRC2, "23"),
      (kSecAttrKeyTypeRC4, "25"), (kSecAttrKeyTypeRSA, "42"), (kSecAttrPRFHmacAlgSHA1, "hsha1"),
      (kSecAttrPRFHmacAlgSHA224, "hsha224"), (kSecAttrPRFHmacAlgSHA256, "hsha256"),
      (kSecAttrPRFHmacAlgSHA384, "hsha384"), (kSecAttrPRFHmacAlgSHA512, "hsha512"),
    ])

  static let searches = ConstantTable(
    "searches",
    [
      (kSecMatchCaseInsensitive, "m_CaseInsensitive"), (kSecMatchDiacriticInsensitive, "m_DiacriticInsensitive"),
      (kSecMatchEmailAddressIfPresent, "m_EmailAddressIfPresent"), (kSecMatchIssuers, "m_Issuers"),
      (kSecMatchItemList, "m_ItemList"), (kSecMatchLimit, "m_Limit"), (kSecMatchLimitAll, "m_LimitAll"),
      (kSecMatchLimitOne, "m_LimitOne"), (kSecMatchPolicy, "m_Policy"), (kSecMatchSearchList, "m_SearchList"),
      (kSecMatchSubjectContains, "m_SubjectContains"), (kSecMatchSubjectEndsWith, "m_SubjectEndsWith"),
      (kSecMatchSubjectStartsWith, "m_SubjectStartsWith"), (kSecMatchSubjectWholeString, "m_SubjectWholeString"),
      (kSecMatchTrustedOnly, "m_TrustedOnly"), (kSecMatchValidOnDate, "m_ValidOnDate"),
      (kSecMatchWidthInsensitive, "m_WidthInsensitive"),
    ])

  static let results = ConstantTable(
    "results",
    [
      (kSecReturnAttributes, "r_Attributes"), (kSecReturnData, "r_Data"), (kSecReturnPersistentRef, "r_PersistentRef"),
      (kSecReturnRef, "r_Ref"), (kSecValueData, "v_Data"), (kSecValuePersistentRef, "v_PersistentRef"),
      (kSecValueRef, "v_Ref"), (kSecSharedPassword, "spwd"),
    ])

  static let uses = ConstantTable(
    "uses",
    [
      (kSecUseAuthenticationContext, "u_AuthCtx"), (kSecUseAuthenticationUI, "u_AuthUI"),
      (kSecUseAuthenticationUIAllow, "u_AuthUIA"), (kSecUseAuthenticationUIFail, "u_AuthUIF"),
      (kSecUseAuthenticationUISkip, "u_AuthUIS"), (kSecUseDataProtectionKeychain, "nleg"),
      (kSecUseItemList, "u_ItemList"), (kSecUseKeychain, "u_Keychain"), (kSecUseNoAuthenticationUI, "u_NoAuthUI"),
      (kSecUseOperationPrompt, "u_OpPrompt"),
    ])
}
