internal import KeychainModel

/// Requests: the options, a tag, and the fields of the tag.
extension WireWriter {
  mutating func put(_ options: RequestOptions) throws(WireError) {
    put(options.interaction.rawValue)
    put(options.mayUnlock)
    putOptional(options.context)
    put(options.reason != nil)
    if let reason = options.reason { try put(reason.bytes, limit: WireLimits.shortTextBytes) }
    try put(options.titles)
    try putOptionalSecret(options.applicationPassword)
  }

  private mutating func put(_ titles: PromptTitles) throws(WireError) {
    switch titles.fallback {
    case .usual: put(UInt8(0))
    case .hidden: put(UInt8(1))
    case .named(let title):
      put(UInt8(2))
      try put(title.bytes, limit: WireLimits.titleBytes)
    }
    put(titles.cancel != nil)
    if let title = titles.cancel { try put(title.bytes, limit: WireLimits.titleBytes) }
  }

  mutating func put(_ request: KeychainRequest) throws(WireError) {
    put(request.tag.rawValue)
    switch request {
    case .add(let add): try put(add)
    case .find(let find): try put(find)
    case .update(let update): try put(update)
    case .delete(let delete):
      try put(delete.query)
      try putOptionalSecret(delete.onlyIfValue)
    case .unlock(let unlock): try put(unlock)
    case .policy(let policy): try put(policy)
    case .log(let log):
      guard log.limit <= WireLimits.logLines else { throw .tooLong(limit: WireLimits.logLines) }
      put(log.limit)
      putOptional(log.before)
    case .context(let context): try put(context)
    case .watch(let since): putOptional(since)
    case .lock, .lockAll, .status, .doctor, .makeRecoveryKey: break
    }
  }

  private mutating func put(_ add: AddRequest) throws(WireError) {
    put(add.itemClass.number)
    try put(add.attributes)
    try put(add.accessControl)
    try putOptionalSecret(add.value)
    put(try add.returns.checkedBits())
    put(add.onDuplicate.rawValue)
  }

  private mutating func put(_ find: FindRequest) throws(WireError) {
    try put(find.query)
    put(try find.returns.checkedBits())
    putOptional(find.after)
  }

  private mutating func put(_ update: UpdateRequest) throws(WireError) {
    try put(update.query)
    try put(update.changes)
    put(update.removals)
    try put(update.access)
    try putOptionalSecret(update.value)
  }

  private mutating func put(_ access: AccessChange?) throws(WireError) {
    switch access {
    case nil: put(UInt8(0))
    case .accessControl(let control)?:
      put(UInt8(1))
      try put(control)
    case .accessibility(let accessibility)?:
      put(UInt8(2))
      put(accessibility.number)
    }
  }

  private mutating func put(_ unlock: UnlockRequest) throws(WireError) {
    switch unlock {
    case .passcode: put(UInt8(1))
    case .recoveryKey(let secret):
      put(UInt8(2))
      try putSecret(secret)
    }
  }

  private mutating func put(_ policy: PolicyRequest) throws(WireError) {
    switch policy {
    case .apply(let text):
      put(UInt8(1))
      try put(text.bytes, limit: WireLimits.policyBytes)
    case .remove(let service):
      put(UInt8(2))
      try put(service.bytes, limit: WireLimits.serviceBytes)
    case .list: put(UInt8(3))
    case .explain(let service):
      put(UInt8(4))
      try put(service.bytes, limit: WireLimits.attributeBytes)
    }
  }

  private mutating func put(_ context: ContextRequest) throws(WireError) {
    switch context {
    case .create: put(UInt8(1))
    case .canEvaluate(let alternatives):
      put(UInt8(2))
      try put(alternatives, limit: WireLimits.alternatives)
    case .evaluate(let alternatives):
      put(UInt8(3))
      try put(alternatives, limit: WireLimits.alternatives)
    case .evaluateAccessControl(let control, let operation):
      put(UInt8(4))
      try put(control)
      put(operation)
    case .invalidate: put(UInt8(5))
    case .allowReuse(let seconds):
      put(UInt8(6))
      put(seconds)
    case .enrolment: put(UInt8(7))
    }
  }
}

extension WireReader {
  mutating func options() throws(WireError) -> RequestOptions {
    let interaction: InteractionMode = try choice()
    let mayUnlock = try flag()
    let context = try optionalUInt64()
    let reason = try flag() ? ExactText(bytes: try block(limit: WireLimits.shortTextBytes)) : nil
    return RequestOptions(
      interaction: interaction, mayUnlock: mayUnlock, context: context, reason: reason, titles: try titles(),
      applicationPassword: try optionalSecret())
  }

  private mutating func titles() throws(WireError) -> PromptTitles {
    let fallback: FallbackTitle
    switch try uint8() {
    case 0: fallback = .usual
    case 1: fallback = .hidden
    case 2: fallback = .named(ExactText(bytes: try block(limit: WireLimits.titleBytes)))
    default: throw .unknownValue
    }
    let cancel = try flag() ? ExactText(bytes: try block(limit: WireLimits.titleBytes)) : nil
    return PromptTitles(fallback: fallback, cancel: cancel)
  }

  mutating func request() throws(WireError) -> KeychainRequest {
    let tag: RequestTag = try choice()
    return switch tag {
    case .add: .add(try add())
    case .find: .find(try find())
    case .update: .update(try update())
    case .delete: .delete(try delete())
    case .lock: .lock
    case .lockAll: .lockAll
    case .unlock: .unlock(try unlock())
    case .status: .status
    case .doctor: .doctor
    case .makeRecoveryKey: .makeRecoveryKey
    case .policy: .policy(try policy())
    case .log: .log(try log())
    case .context: .context(try context())
    case .watch: .watch(since: try optionalUInt64())
    }
  }

  private mutating func add() throws(WireError) -> AddRequest {
    let itemClass = try itemClass()
    let attributes = try attributes()
    let control = try accessControl()
    let value = try optionalSecret()
    let returns = try returnedParts()
    return AddRequest(
      itemClass: itemClass, attributes: attributes, accessControl: control, value: value, returns: returns,
      onDuplicate: try choice())
  }

  private mutating func find() throws(WireError) -> FindRequest {
    let query = try query()
    let returns = try returnedParts()
    return FindRequest(query: query, returns: returns, after: try optionalUInt64())
  }

  private mutating func update() throws(WireError) -> UpdateRequest {
    let query = try query()
    let changes = try attributes()
    let removals = try attributeKeys()
    let access = try accessChange()
    return UpdateRequest(
      query: query, changes: changes, removals: removals, access: access, value: try optionalSecret())
  }

  private mutating func accessChange() throws(WireError) -> AccessChange? {
    switch try uint8() {
    case 0: return nil
    case 1: return .accessControl(try accessControl())
    case 2:
      guard let accessibility = Accessibility(number: try uint8()) else { throw .unknownValue }
      return .accessibility(accessibility)
    default: throw .unknownValue
    }
  }

  private mutating func delete() throws(WireError) -> DeleteRequest {
    let query = try query()
    return DeleteRequest(query: query, onlyIfValue: try optionalSecret())
  }

  private mutating func unlock() throws(WireError) -> UnlockRequest {
    switch try uint8() {
    case 1: .passcode
    case 2: .recoveryKey(try secret())
    default: throw .unknownValue
    }
  }

  private mutating func policy() throws(WireError) -> PolicyRequest {
    switch try uint8() {
    case 1: .apply(text: ExactText(bytes: try block(limit: WireLimits.policyBytes)))
    case 2: .remove(service: ExactText(bytes: try block(limit: WireLimits.serviceBytes)))
    case 3: .list
    case 4: .explain(service: ExactText(bytes: try block(limit: WireLimits.attributeBytes)))
    default: throw .unknownValue
    }
  }

  private mutating func log() throws(WireError) -> LogRequest {
    let limit = try uint32()
    guard limit <= WireLimits.logLines else { throw .tooLong(limit: WireLimits.logLines) }
    return LogRequest(limit: limit, before: try optionalUInt64())
  }

  private mutating func context() throws(WireError) -> ContextRequest {
    switch try uint8() {
    case 1: return .create
    case 2: return .canEvaluate(alternatives: try block(limit: WireLimits.alternatives))
    case 3: return .evaluate(alternatives: try block(limit: WireLimits.alternatives))
    case 4:
      let control = try accessControl()
      return .evaluateAccessControl(control, try operation())
    case 5: return .invalidate
    case 6: return .allowReuse(seconds: try uint32())
    case 7: return .enrolment
    default: throw .unknownValue
    }
  }
}

/// The numbers of requests.
enum RequestTag: UInt8, CaseIterable {
  case add = 1
  case find = 2
  case update = 3
  case delete = 4
  case lock = 5
  case unlock = 6
  case status = 7
  case doctor = 8
  case makeRecoveryKey = 9
  case policy = 10
  case log = 11
  case context = 12
  case lockAll = 13
  case watch = 14
}

extension KeychainRequest {
  var tag: RequestTag {
    switch self {
    case .add: .add
    case .find: .find
    case .update: .update
    case .delete: .delete
    case .lock: .lock
    case .lockAll: .lockAll
    case .unlock: .unlock
    case .status: .status
    case .doctor: .doctor
    case .makeRecoveryKey: .makeRecoveryKey
    case .policy: .policy
    case .log: .log
    case .context: .context
    case .watch: .watch
    }
  }
}

extension ReturnedParts {
  /// The bits; unknown ones are refused, as the reader would.
  func checkedBits() throws(WireError) -> UInt8 {
    guard isSubset(of: [.data, .attributes, .persistentReference, .reference]) else { throw .unknownValue }
    return rawValue
  }
}
