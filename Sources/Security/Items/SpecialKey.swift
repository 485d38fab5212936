/// The keys of an item dictionary that are no attributes. Raw values are Apple's strings.
enum SpecialKey: String, CaseIterable {
  case itemClass = "class"
  case matchLimit = "m_Limit"
  case matchCaseInsensitive = "m_CaseInsensitive"
  case matchDiacriticInsensitive = "m_DiacriticInsensitive"
  case matchWidthInsensitive = "m_WidthInsensitive"
  case returnData = "r_Data"
  case returnAttributes = "r_Attributes"
  case returnReference = "r_Ref"
  case returnPersistentReference = "r_PersistentRef"
  case valueData = "v_Data"
  case valueReference = "v_Ref"
  case valuePersistentReference = "v_PersistentRef"
  case useAuthenticationUI = "u_AuthUI"
  case useNoAuthenticationUI = "u_NoAuthUI"
  case useAuthenticationContext = "u_AuthCtx"
  case useOperationPrompt = "u_OpPrompt"
  // Four letters long, as an attribute is, and none.
  case useDataProtectionKeychain = "nleg"

  /// What a key is for; each verb takes or refuses whole families.
  enum Family { case itemClass, match, returns, value, use, ignored }

  /// The key's family.
  var family: Family {
    switch self {
    case .itemClass: .itemClass
    case .matchLimit, .matchCaseInsensitive, .matchDiacriticInsensitive, .matchWidthInsensitive: .match
    case .returnData, .returnAttributes, .returnReference, .returnPersistentReference: .returns
    case .valueData, .valueReference, .valuePersistentReference: .value
    case .useAuthenticationUI, .useNoAuthenticationUI, .useAuthenticationContext, .useOperationPrompt: .use
    case .useDataProtectionKeychain: .ignored
    }
  }
}
