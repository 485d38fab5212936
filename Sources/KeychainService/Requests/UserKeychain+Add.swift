internal import AccessPolicy
internal import KeychainModel
internal import SecretMemory

extension UserKeychain {
  /// Stores an item. Adding never prompts; replacing a protected item's value does.
  func add(_ request: AddRequest, _ incoming: IncomingRequest) throws(Refusal) -> Answer {
    try requireContext(incoming)
    guard incoming.options.interaction != .skip else { throw Refusal(.invalidParameter, detail: "skip is for reads") }
    let item = try newItem(request, incoming)
    let stored: any StoredItem
    switch request.onDuplicate {
    case .refuse: stored = try addNew(item, passage(incoming))
    case .replace, .replaceKeepingAccessControl: stored = try upsert(item, request.onDuplicate, incoming)
    }
    return Answer(
      .added(
        FoundItem(
          identifier: stored.identifier, itemClass: stored.itemClass,
          attributes: request.returns.contains(.attributes) ? stored.attributes : nil,
          accessControl: stored.accessControl, value: nil)))
  }

  private func addNew(_ item: NewItem, _ passage: Passage) throws(Refusal) -> any StoredItem {
    try requireAdding(
      to: item.attributes.text(.service) ?? item.attributes.text(.server) ?? ExactText(bytes: []), item.accessControl,
      boundTo: item.boundEnrolment, passage)
    try requireClass(item.accessControl.accessibility.protectionClass, passage.keys)
    return try store.add(item, keys: passage.keys)
  }

  /// Adds or replaces, whichever the moment wants: two programs may do it at once and neither sees a duplicate.
  private func upsert(
    _ item: NewItem, _ rule: DuplicateRule, _ incoming: IncomingRequest
  ) throws(Refusal) -> any StoredItem {
    var passage = passage(incoming)
    for _ in 0..<Self.upsertRounds {
      do throws(Refusal) {
        if let existing = try store.existing(item.itemClass, attributes: item.attributes, keys: passage.keys),
          existing.dead == nil
        {
          return try replace(existing, with: item, rule, &passage)
        }
        return try addNew(item, passage)
      } catch {
        guard [.duplicateItem, .itemNotFound, .itemChanged].contains(error.reason) else { throw error }
      }
    }
    throw Refusal(.ioFailed, detail: "another program keeps adding and deleting this item")
  }

  /// How often an upsert tries again after another program came in between.
  static var upsertRounds: Int { 1000 }

  private func replace(
    _ existing: any StoredItem, with item: NewItem, _ rule: DuplicateRule, _ passage: inout Passage
  ) throws(Refusal) -> any StoredItem {
    var change = ItemChange(attributes: item.attributes)
    for key in item.itemClass.primaryKey { change.attributes[key] = nil }
    change.value = item.value
    if rule == .replace, item.accessControl != existing.accessControl {
      change.access = .accessControl(item.accessControl)
      change.boundEnrolment = item.boundEnrolment
    }
    change.applicationPassword = item.applicationPassword
    let query = ItemQuery(itemClass: item.itemClass, attributes: item.attributes)
    try apply(change, to: [existing], query: query, &passage)
    let fresh = try store.existing(item.itemClass, attributes: item.attributes, keys: passage.keys)
    guard let fresh else { throw Refusal(.itemNotFound) }
    return fresh
  }

  private func newItem(_ request: AddRequest, _ incoming: IncomingRequest) throws(Refusal) -> NewItem {
    try QueryChecks.check(request.attributes, of: request.itemClass)
    try QueryChecks.checkWritable(request.attributes)
    var attributes = request.attributes
    attributes[.creationDate] = nil
    attributes[.accessGroup] = .text(try addingGroup(attributes, incoming))
    attributes[.synchronizable] = .number(attributes.number(.synchronizable) == 1 ? 1 : 0)
    let value = try incoming.secret(request.value)
    if let value, value.count > ItemLimits.valueBytes { throw Refusal(.valueTooLarge) }
    let password = try incoming.secret(incoming.options.applicationPassword)
    if request.accessControl.needsApplicationPassword, password == nil { throw Refusal(.applicationPasswordRequired) }
    try QueryChecks.checkTwin(attributes, request.accessControl)
    return NewItem(
      itemClass: request.itemClass, attributes: attributes, accessControl: request.accessControl,
      boundEnrolment: try boundEnrolment(for: request.accessControl, incoming.peer), value: value,
      applicationPassword: request.accessControl.needsApplicationPassword ? password : nil)
  }

  private func addingGroup(_ attributes: ItemAttributes, _ incoming: IncomingRequest) throws(Refusal) -> ExactText {
    guard let first = try visibleGroups(attributes, incoming).first else { throw Refusal(.missingEntitlement) }
    return first
  }

  /// The enrolment an access control is bound to: finger flags need a finger at the time they are given.
  func boundEnrolment(for accessControl: AccessControl, _ peer: PeerFacts) throws(Refusal) -> [UInt8]? {
    if accessControl.rule(for: .encrypt) == .denied { throw Refusal(.operationDenied) }
    guard !accessControl.flags.isDisjoint(with: [.biometryAny, .biometryCurrentSet]) else { return nil }
    let isBound = accessControl.flags.contains(.biometryCurrentSet)
    switch ports.enrolment.currentSet(of: account) {
    case .enrolled(let hash): return isBound ? hash : nil
    case .named where !isBound: return nil
    case .nothingEnrolled: throw whyNoFinger(peer)
    case .named(_, let refusal), .unavailable(let refusal): throw refusal
    }
  }

  /// Without a reader there is nothing that a finger could be enrolled with, so that this comes first.
  private func whyNoFinger(_ peer: PeerFacts) -> Refusal {
    if case .unavailable(let refusal) = ports.authenticator.availability(of: .biometry, account: account, peer: peer),
      refusal.reason == .biometryNotAvailable
    {
      return refusal
    }
    return Refusal(.biometryNotEnrolled)
  }

  /// Adding asks for no proof, but a policy may close the service to this program or to remote sessions.
  func requireAdding(
    to service: ExactText, _ accessControl: AccessControl, boundTo enrolment: [UInt8]?, _ passage: Passage
  ) throws(Refusal) {
    let effective = try ports.policies.effective(for: service)
    var request = AccessRequest(
      item: .random(), service: service, operation: .encrypt, accessControl: accessControl,
      boundEnrolment: enrolment, currentEnrolment: enrolment, policy: effective.policy,
      policyDigest: effective.digest, keybag: try keybagState(passage.keys), peer: passage.incoming.peer,
      now: ports.clock.now, bootID: ports.clock.bootID)
    request.presence = .new
    request.callerStanding = ports.policies.standing(of: passage.incoming.peer, in: effective.policy)
    switch judge(request) {
    case .allow(let grant): _ = grant.operation
    case .deny(let reason): throw Refusal(reason, detail: "service \(service.string)")
    case .authenticate: throw Refusal(.internalFailure, detail: "an add wants a proof")
    }
  }
}
