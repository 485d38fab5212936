public import KeychainModel
public import SecretMemory

/// Latchkey's own Swift API: items, the keybag, policies. Every call waits for the daemon and throws a `Refusal`: the
/// daemon's own, or what ``KeychainConnection/perform(_:_:secrets:prompt:cancellation:)`` says of the way there.
public struct Keychain: Sendable {
  /// The way to the daemon.
  public let connection: KeychainConnection

  /// A keychain at the end of a connection.
  public init(_ connection: KeychainConnection) { self.connection = connection }

  /// A keychain with a connection of its own; opens nothing before the first call.
  public init(_ configuration: KeychainConfiguration = KeychainConfiguration()) {
    connection = KeychainConnection(configuration)
  }

  /// Sends a request with the secrets it names so far.
  func perform(
    _ request: KeychainRequest, _ options: CallOptions, _ list: SecretList = SecretList()
  ) throws(Refusal) -> KeychainAnswer {
    guard let handle = options.handle else { return try send(request, options, list, context: options.context) }
    return try handle.use(options.cancellations) { (number) throws(Refusal) in
      try send(request, options, list, context: number)
    }
  }

  private func send(
    _ request: KeychainRequest, _ options: CallOptions, _ list: SecretList, context: UInt64?
  ) throws(Refusal) -> KeychainAnswer {
    var list = list
    let wire = RequestOptions(
      interaction: options.interaction, mayUnlock: options.mayUnlock, context: context, reason: options.reason,
      titles: options.titles, applicationPassword: list.place(options.applicationPassword))
    return try connection.perform(
      request, wire, secrets: list.secrets, prompt: options.prompt, options.cancellations)
  }

  /// Sends a request that is answered by the number of items it touched.
  func count(
    _ request: KeychainRequest, _ options: CallOptions, _ list: SecretList = SecretList()
  ) throws(Refusal) -> UInt32 {
    guard case .done(let count) = try perform(request, options, list).reply else { throw Refusal.unexpected }
    return count
  }
}

extension Refusal {
  /// The daemon answered what the request does not ask for.
  static let unexpected = Refusal(.protocolMismatch, detail: "the daemon's answer does not fit the request")
}

/// An item to store.
public struct NewItem: Sendable {
  /// The class.
  public var itemClass: ItemClass
  /// Its attributes.
  public var attributes: ItemAttributes
  /// When and on which proof it opens.
  public var accessControl: AccessControl
  /// Its value, at most 1 MiB; `nil` for none.
  public var value: SecretBytes?

  /// Makes an item; by default it opens while the keybag is unlocked.
  public init(
    _ itemClass: ItemClass, _ attributes: ItemAttributes, value: SecretBytes?,
    accessControl: AccessControl = .unconstrained(.whenUnlocked)
  ) {
    self.itemClass = itemClass
    self.attributes = attributes
    self.accessControl = accessControl
    self.value = value
  }

  /// Makes a generic password.
  public init(
    service: ExactText, account: ExactText, value: SecretBytes,
    accessControl: AccessControl = .unconstrained(.whenUnlocked)
  ) {
    self.init(
      .genericPassword, ItemAttributes([.service: .text(service), .account: .text(account)]), value: value,
      accessControl: accessControl)
  }
}

extension ItemQuery {
  /// The generic password of a service and an account.
  public static func genericPassword(service: ExactText, account: ExactText) -> ItemQuery {
    ItemQuery(
      itemClass: .genericPassword,
      attributes: ItemAttributes([.service: .text(service), .account: .text(account)]))
  }
}
