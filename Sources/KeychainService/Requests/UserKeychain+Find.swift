internal import AccessPolicy
internal import KeychainModel
internal import SecretMemory

/// The bounds of one page of a search.
enum PageBounds {
  /// Most items of a page.
  static let items = 256
  /// Most items of a page with values: as many secrets go beside one reply.
  static let values = 64
  /// About how many bytes of attributes a page may hold.
  static let attributeBytes = 40 * 1024
  /// Most bytes of values of a page: one of the largest always fits.
  static let valueBytes = ItemLimits.valueBytes
}

extension UserKeychain {
  /// Answers a search. Attributes and existence never prompt; values ask for one proof for the whole page.
  func find(_ request: FindRequest, _ passage: inout Passage) throws(Refusal) -> Answer {
    let incoming = passage.incoming
    try QueryChecks.check(request.query)
    try requireContext(incoming)
    let groups = try visibleGroups(request.query.attributes, incoming)
    goOn(with: request, &passage)
    var page = try firstPage(request, groups, passage)
    guard !page.items.isEmpty || page.next != nil else { throw try nothingFound(page, passage) }
    if request.returns.contains(.data) { return try values(page, request, &passage) }
    if request.query.limit == .one { keepFirst(&page) }
    try refuseSilentProbe(page, request, passage)
    return Answer(
      .found(FindReply(items: page.items.map { found($0, request) }, hidden: hidden(page), next: page.next)))
  }

  /// The page to answer from. A search for one goes on behind pages that hold nothing for it: it has no next page to ask for.
  private func firstPage(
    _ request: FindRequest, _ groups: [ExactText], _ passage: Passage
  ) throws(Refusal) -> StoredPage {
    var request = request
    var page = try matches(request, groups, passage)
    while request.query.limit == .one, let next = page.next, !page.items.contains(where: { $0.dead == nil }) {
      request.after = next
      var further = try matches(request, groups, passage)
      // What was found dead says why, where nothing else matches.
      further.items = page.items.prefix(1) + further.items
      further.hidden += page.hidden
      page = further
    }
    return page
  }

  private func matches(
    _ request: FindRequest, _ groups: [ExactText], _ passage: Passage
  ) throws(Refusal) -> StoredPage {
    let most = request.returns.contains(.data) ? PageBounds.values : PageBounds.items
    let limit: Int =
      switch request.query.limit {
      case .one, .all: most
      case .count(let number): min(Int(number), most)
      }
    var page = try store.find(
      request.query, groups: groups, page: PageRequest(after: request.after, limit: limit), keys: passage.keys)
    if page.items.count > 1 { trim(&page) }
    try passOverSkipped(&page, request, passage)
    return page
  }

  /// A search for one answers one, with no page behind it; one that is dead only where nothing else matches.
  private func keepFirst(_ page: inout StoredPage) {
    page.items = Array((page.items.first { $0.dead == nil } ?? page.items.first).map { [$0] } ?? [])
    page.next = nil
  }

  private static func size(of item: any StoredItem) -> Int {
    guard let attributes = item.attributes else { return 0 }
    return attributes.entries.reduce(0) { $0 + $1.value.matchingBytes.count + 8 }
  }

  /// Cuts a page to what one reply can hold. The rest comes with the next page.
  private func trim(_ page: inout StoredPage) {
    var size = 0
    for (index, item) in page.items.enumerated() {
      size += 96 + Self.size(of: item)
      if size > PageBounds.attributeBytes, index > 0 {
        page.items.removeSubrange(index...)
        page.next = page.items.last?.cursor
        return
      }
    }
  }

  /// With UI skip, what would need a proof is passed over.
  private func passOverSkipped(
    _ page: inout StoredPage, _ request: FindRequest, _ passage: Passage
  ) throws(Refusal) {
    guard passage.incoming.options.interaction == .skip else { return }
    var kept: [any StoredItem] = []
    for item in page.items where try proof(item, request, passage) == .atHand { kept.append(item) }
    page.items = kept
  }

  /// Whether an item's value could be read without a prompt.
  private enum ProofNeed { case atHand, missing }

  /// What a context or an earlier read proved already, and still serves, need not be proved again.
  private func proof(_ item: any StoredItem, _ request: FindRequest, _ passage: Passage) throws(Refusal) -> ProofNeed {
    let target = try target(item, .decrypt, query: request.query)
    guard target.isProtected else { return .atHand }
    if item.accessControl.needsApplicationPassword, passage.incoming.options.applicationPassword == nil {
      return .missing
    }
    switch try decide(target, passage) {
    case .allow: return .atHand
    default: return .missing
    }
  }

  /// Apple's idiom for "does it exist": with UI fail a match whose value would prompt answers -25308 although no value was
  /// asked for.
  private func refuseSilentProbe(
    _ page: StoredPage, _ request: FindRequest, _ passage: Passage
  ) throws(Refusal) {
    guard passage.incoming.options.interaction == .fail else { return }
    for item in page.items where try proof(item, request, passage) == .missing { throw Refusal(.interactionNotAllowed) }
  }

  /// Why a search came back empty: nothing is there, or it cannot be seen while locked.
  private func nothingFound(_ page: StoredPage, _ passage: Passage) throws(Refusal) -> Refusal {
    guard page.hidden > 0 else { return Refusal(.itemNotFound) }
    return Refusal(
      lockedReason(.whenUnlocked, try keybagState(passage.keys)), detail: HiddenItems.detail(page.hidden))
  }

  private func hidden(_ page: StoredPage) -> UInt32 { UInt32(clamping: page.hidden) }

  private func found(_ item: any StoredItem, _ request: FindRequest, value: SecretIndex? = nil) -> FoundItem {
    FoundItem(
      identifier: item.identifier, itemClass: item.itemClass,
      attributes: request.returns.contains(.attributes) ? item.attributes : nil, accessControl: item.accessControl,
      value: value, dead: item.dead)
  }
}

extension UserKeychain {
  private func values(
    _ page: StoredPage, _ request: FindRequest, _ passage: inout Passage
  ) throws(Refusal) -> Answer {
    let wanted = try openable(page, request)
    var targets: [ProofTarget] = []
    for item in wanted { targets.append(try target(item, .decrypt, query: request.query)) }
    let password = try passage.incoming.secret(passage.incoming.options.applicationPassword)
    let fitting = Self.fitting(wanted)
    let first = targets.first?.item.cursor
    do throws(Refusal) {
      let seen = passage
      let opened = try withGrants(
        targets, &passage, further: { () throws(Refusal) in try furtherTargets(page, request, seen) }
      ) { (target, grant, passage) throws(Refusal) -> OpenedItem? in
        // What this reply cannot hold comes with the next page; it is not opened before.
        guard target.item.cursor <= fitting.last else { return nil }
        if target.item.cursor == first {
          try passage.incoming.channel.hold(secretBytes: fitting.bytes)
        }
        return try open(target, grant, passage, password, among: wanted.count)
      }
      let answer = assemble(page, wanted, opened, request)
      for target in targets { log(target, "read", passage, nil) }
      keepForNextPage(answer, request, passage)
      return answer
    } catch {
      for target in targets { log(target, "read", passage, error) }
      throw error
    }
  }

  /// The items of a page whose values one reply can hold: the first always, then as many as fit.
  private static func fitting(_ items: [any StoredItem]) -> (last: UInt64, bytes: Int) {
    var bytes = 0
    var last: UInt64 = 0
    for item in items {
      let next = bytes + (item.valueBytes ?? 0)
      guard last == 0 || next <= PageBounds.valueBytes else { break }
      bytes = next
      last = item.cursor
    }
    return (last, bytes)
  }

  /// The items of a page whose values are opened. A single dead or damaged one is refused by its own reason; among many it
  /// is passed over, so that one bad row never hides the others.
  private func openable(_ page: StoredPage, _ request: FindRequest) throws(Refusal) -> [any StoredItem] {
    switch request.query.limit {
    case .one:
      for item in page.items where item.dead == nil { return [item] }
      throw Refusal(page.items.first?.dead ?? .itemNotFound)
    case .count, .all:
      let living = page.items.filter { $0.dead == nil }
      guard !living.isEmpty || page.next != nil else { throw Refusal(page.items.first?.dead ?? .itemNotFound) }
      return living
    }
  }

  /// Opens one of a page's items. A damaged one among others comes without its value: it does not hide them.
  private func open(
    _ target: ProofTarget, _ grant: consuming Grant, _ passage: Passage, _ password: SecretBytes?,
    among count: Int
  ) throws(Refusal) -> OpenedItem {
    do throws(Refusal) {
      return try open(target, grant, passage, password)
    } catch {
      guard error.reason == .rowDamaged, count > 1 else { throw error }
      log(target, "read", passage, error)
      return OpenedItem(value: nil, itemKey: nil)
    }
  }

  private func open(
    _ target: ProofTarget, _ grant: consuming Grant, _ passage: Passage, _ password: SecretBytes?
  ) throws(Refusal) -> OpenedItem {
    guard target.item.hasValue else { return OpenedItem(value: nil, itemKey: nil) }
    try noticeRemovedPasscode(target)
    let cached = ports.cache.itemKey(for: target.item.identifier)
    let opened = try store.open(
      target.item, grant: grant, keys: passage.keys, itemKey: cached, applicationPassword: password)
    if cached == nil, let key = opened.itemKey, !target.item.accessControl.needsApplicationPassword {
      ports.cache.keepItemKey(
        key, for: target.item.identifier, service: target.service,
        seconds: target.effective.policy.cacheTimeoutSeconds)
    }
    return opened
  }

  /// A `whenPasscodeSet` item ends with the passcode, also where nothing else would have asked for it.
  private func noticeRemovedPasscode(_ target: ProofTarget) throws(Refusal) {
    guard target.item.accessControl.accessibility == .whenPasscodeSetThisDeviceOnly,
      destroyKeysOfRemovedPasscode() == .destroyed
    else { return }
    throw Refusal(.passcodeRemoved)
  }

  private func assemble(
    _ page: StoredPage, _ items: [any StoredItem], _ opened: [OpenedItem?], _ request: FindRequest
  ) -> Answer {
    var answered: [FoundItem] = []
    var secrets: [SecretBytes] = []
    var next = request.query.limit == .one ? nil : page.next
    var size = 0
    for place in items.indices {
      let item = items[place]
      size += opened[place]?.value?.count ?? 0
      guard let opened = opened[place], size <= PageBounds.valueBytes || answered.isEmpty else {
        next = items[answered.count - 1].cursor
        break
      }
      let index = opened.value.map { _ in SecretIndex(secrets.count) }
      if let value = opened.value { secrets.append(value) }
      var found = found(item, request, value: index)
      if item.hasValue, index == nil { found.dead = .rowDamaged }
      answered.append(found)
    }
    return Answer(.found(FindReply(items: answered, hidden: hidden(page), next: next)), secrets: secrets)
  }

  /// A context that was named must be this process's own and alive.
  func requireContext(_ incoming: IncomingRequest) throws(Refusal) {
    guard let context = incoming.context else { return }
    try contexts.require(context, of: incoming.peer.process)
  }
}
