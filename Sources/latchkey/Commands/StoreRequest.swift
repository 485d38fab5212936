internal import KeychainClient
internal import KeychainModel

/// What `add` and `set` have in common: an item to store.
struct StoreRequest: Equatable, Sendable {
  static let label = Option("label", short: "l", value: "LABEL", "a name for people")
  static let comment = Option("comment", value: "TEXT", "a note")
  static let synopsis = "-s SERVICE -a ACCOUNT [-l LABEL] [--require FLAG[,FLAG]] [--join or|and] [--accessible CLASS]"
  static let options = ItemName.options + [label, comment] + AccessOptions.options + [ApplicationPassword.option]
  static let details = """
    The value is standard input to its end, byte for byte, up to 1,048,576 bytes; on a terminal it is asked for twice.
    \(AccessOptions.details)
    """

  let name: ItemName
  let texts: [AttributeKey: ExactText]
  let access: AccessOptions
  let applicationPassword: ApplicationPassword

  init(_ arguments: Arguments) throws(UsageError) {
    name = try ItemName(arguments)
    var texts: [AttributeKey: ExactText] = [:]
    texts[.label] = arguments.exact(Self.label)
    texts[.comment] = arguments.exact(Self.comment)
    self.texts = texts
    access = try AccessOptions(arguments)
    applicationPassword = try ApplicationPassword(arguments)
  }

  /// Reads the value and stores the item.
  func store(_ session: Session, onDuplicate rule: DuplicateRule) throws(Failure) -> FoundItem {
    let accessControl = access.accessControl ?? .unconstrained(.whenUnlocked)
    var options = session.storing
    options.applicationPassword = try applicationPassword.handedIn(session)
    if accessControl.needsApplicationPassword, options.applicationPassword == nil {
      options.applicationPassword = try applicationPassword.read(session, asking: .twice)
    }
    var attributes = name.attributes
    for (key, text) in texts { attributes[key] = .text(text) }
    let item = NewItem(.genericPassword, attributes, value: try session.readValue(), accessControl: accessControl)
    return try Failure.translating { () throws(Refusal) in
      try session.keychain.add(item, returning: .attributes, onDuplicate: rule, options: options)
    }
  }
}
