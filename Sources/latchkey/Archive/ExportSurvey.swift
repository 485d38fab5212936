internal import KeychainClient
internal import KeychainModel

/// What is there to be exported: counted before anything is opened, so that no proof is asked for what stays.
struct ExportSurvey {
  /// Why an item is exported or stays.
  enum Standing: String, CaseIterable {
    case exported
    case thisDeviceOnly
    case applicationPassword
    case dead

    init(_ item: FoundItem) {
      self =
        if item.dead != nil { .dead } else if item.accessControl.accessibility.isThisDeviceOnly {
          .thisDeviceOnly
        } else if item.accessControl.needsApplicationPassword { .applicationPassword } else { .exported }
    }

    /// So many items, for people.
    func sentence(_ count: UInt64) -> String {
      let items = ItemCount(count).text
      return switch self {
      case .exported: "\(items) exported"
      case .thisDeviceOnly: count == 1 ? "1 item that stays on this device" : "\(items) that stay on this device"
      case .applicationPassword: "\(items) with an application password"
      case .dead: "\(items) that can never be opened again"
      }
    }
  }

  /// A class of items and when they may be opened: what one search can ask for.
  private struct Group: Hashable {
    let itemClass: ItemClass
    let accessibility: Accessibility
  }

  private var counts: [Standing: UInt64] = [:]
  /// What the items that are exported want, and how many of each group want anything.
  private var needs: Set<ProofNeed> = []
  private var wanting: [Group: UInt64] = [:]
  private var groups: [Group: [Standing: UInt64]] = [:]
  /// Items with an application password share a search with others: then each is asked for by itself.
  private var single: [Group: [ItemIdentifier]] = [:]

  /// Counts everything there is; never prompts.
  init(_ session: Session) throws(Failure) {
    for itemClass in ItemClass.allCases { try count(itemClass, session) }
    for group in groups.keys where groups[group]?[.applicationPassword] ?? 0 > 0 { try collect(group, session) }
  }

  /// How many are exported.
  var exported: UInt64 { counts[.exported] ?? 0 }

  /// How many stay, by why.
  var leftOut: [(key: Standing, count: UInt64)] {
    Standing.allCases.filter { $0 != .exported }.map { ($0, counts[$0] ?? 0) }
  }

  /// The searches that find what is exported, in a fixed order. Where everything of a class is exported one search finds
  /// it all, and one proof serves it.
  var batches: [ItemQuery] {
    ItemClass.allCases.flatMap { itemClass -> [ItemQuery] in
      let own = groups.filter { $0.key.itemClass == itemClass }
      guard own.values.contains(where: { $0[.exported] ?? 0 > 0 }) else { return [] }
      let isWhole = own.values.allSatisfy { ($0[.applicationPassword] ?? 0) + ($0[.thisDeviceOnly] ?? 0) == 0 }
      if isWhole { return [ItemQuery(itemClass: itemClass, twin: .any, limit: .all)] }
      return Accessibility.allCases.flatMap { queries(Group(itemClass: itemClass, accessibility: $0)) }
    }
  }

  /// What should be proved before the first search: where several searches want a proof each would ask by itself.
  var needsAhead: Set<ProofNeed> {
    let asking = wanting.reduce(into: UInt64(0)) { $0 += single[$1.key] == nil ? 1 : $1.value }
    guard asking > 1 else { return [] }
    // A passcode or a finger is presence too.
    return needs.count > 1 ? needs.subtracting([.presence]) : needs
  }

  private func queries(_ group: Group) -> [ItemQuery] {
    guard groups[group]?[.exported] ?? 0 > 0 else { return [] }
    if let identifiers = single[group] {
      return identifiers.map { ItemQuery(itemClass: nil, identifier: $0, twin: .any) }
    }
    return [Self.query(group)]
  }

  private static func query(_ group: Group) -> ItemQuery {
    let attributes = ItemAttributes([.accessible: .text(ExactText(group.accessibility.rawValue))])
    return ItemQuery(itemClass: group.itemClass, attributes: attributes, twin: .any, limit: .all)
  }

  private mutating func count(_ itemClass: ItemClass, _ session: Session) throws(Failure) {
    try Self.each(ItemQuery(itemClass: itemClass, twin: .any, limit: .all), session) { item in
      let standing = Standing(item)
      counts[standing, default: 0] += 1
      let group = Group(itemClass: itemClass, accessibility: item.accessControl.accessibility)
      groups[group, default: [:]][standing, default: 0] += 1
      guard standing == .exported, item.accessControl.isProtected else { return }
      needs.formUnion(ProofNeed.of(item.accessControl))
      wanting[group, default: 0] += 1
    }
  }

  private mutating func collect(_ group: Group, _ session: Session) throws(Failure) {
    try Self.each(Self.query(group), session) { item in
      if Standing(item) == .exported { single[group, default: []].append(item.identifier) }
    }
  }

  /// Every match; refuses where some are hidden, since an archive that lacks them would look whole.
  private static func each(_ query: ItemQuery, _ session: Session, _ use: (FoundItem) -> Void) throws(Failure) {
    var hidden: UInt32 = 0
    do throws(Refusal) {
      try session.keychain.forEachPage(query, returning: .attributes, options: session.quiet) { page in
        hidden = max(hidden, page.hidden)
        for found in page.items { use(found.item) }
        return true
      }
    } catch {
      if error.reason != .itemNotFound { throw Failure(error) }
    }
    if hidden > 0 { throw Failure(Refusal(.keybagLocked, detail: HiddenItems.detail(Int(hidden)))) }
  }
}
