internal import KeychainClient
internal import KeychainModel

/// What an import is about to do, counted before its first item is stored: so that a prompt can say it.
///
/// What comes once cannot be counted; then its prompts say what is done without a number.
struct ImportSurvey {
  private let rule: DuplicateRule
  private var items: UInt64?
  /// How many items that exist are changed; `nil` before they were looked for.
  private var changed: UInt64?
  /// How many of those have another protection than the archive's.
  private var differing: UInt64 = 0
  /// How many of those want a proof by their own flags, and which.
  private var wanting: UInt64 = 0
  private var needs: Set<ProofNeed> = []

  init(_ rule: DuplicateRule) { self.rule = rule }

  /// Reads an archive to its end and counts its items; throws where it is damaged.
  mutating func count(_ archive: inout ArchiveReader) throws(Failure) {
    while try archive.next() != nil {}
    items = archive.count
  }

  /// Reads an archive again and looks for what exists of it; never prompts.
  mutating func compare(_ archive: inout ArchiveReader, _ session: Session) throws(Failure) {
    changed = 0
    while let item = try archive.next() {
      let existing = try Failure.translating { () throws(Refusal) in try item.existing(session) }
      if let existing { add(existing, item) }
    }
  }

  private mutating func add(_ existing: FoundItem, _ item: ArchiveItem) {
    changed? += 1
    if existing.accessControl != item.accessControl { differing += 1 }
    let own = ProofNeed.of(existing.accessControl)
    if !own.isEmpty { wanting += 1 }
    needs.formUnion(own)
  }

  /// What to prove in the context of all items before this one is changed: for one item alone nothing, since its own prompt
  /// names it. One whose flags want nothing is asked for by a policy: a passcode does for most.
  func needsAhead(of existing: FoundItem?) -> Set<ProofNeed> {
    let own = existing.map { ProofNeed.of($0.accessControl) } ?? []
    if changed != nil, wanting == 1, !own.isEmpty { return [] }
    let all = needs.union(own.isEmpty ? [.passcode] : own)
    // A passcode or a finger is presence too.
    return all.count > 1 ? all.subtracting([.presence]) : all
  }

  /// What a prompt says that unlocks the keybag: what exists is not known before it is open.
  var unlocking: ExactText {
    let some = items.map { ItemCount($0).text } ?? "items"
    return switch rule {
    case .refuse: ExactText("import: add \(some)")
    case .replaceKeepingAccessControl: ExactText("import: add or change \(some)")
    case .replace: ExactText("import: add or change \(some) and their protection")
    }
  }

  /// What a prompt says that lets items be changed.
  var changing: ExactText {
    guard let changed else {
      return ExactText(rule == .replace ? "import: change items and their protection" : "import: change items")
    }
    let some = "import: change \(ItemCount(changed).text)"
    guard rule == .replace, differing > 0 else { return ExactText(some) }
    return ExactText(
      some + (differing == changed ? " and all of their protection" : " and the protection of \(differing)"))
  }
}

extension ArchiveItem {
  /// The item of this name in the keychain, without its value; never prompts.
  ///
  /// - Throws: ``Refusal``: `keybagLocked` where it cannot be told whether there is one.
  func existing(_ session: Session) throws(Refusal) -> FoundItem? {
    var name = ItemAttributes()
    for key in itemClass.primaryKey where key != .synchronizable { name[key] = attributes[key] }
    let twin: SynchronizableFilter = attributes.number(.synchronizable) == 1 ? .synchronized : .local
    let query = ItemQuery(itemClass: itemClass, attributes: name, twin: twin)
    do throws(Refusal) {
      let result = try session.keychain.find(query, returning: [], options: session.quiet)
      if result.items.isEmpty, result.hidden > 0 { throw Refusal(.keybagLocked) }
      return result.items.first?.item
    } catch  where error.reason == .itemNotFound { return nil }
  }
}
