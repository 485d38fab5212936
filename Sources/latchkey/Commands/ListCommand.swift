internal import KeychainClient
internal import KeychainModel
internal import TerminalIO

/// `list`: names what is stored, page by page. Never prompts.
struct ListCommand: Command {
  static let manual = Manual(
    "list", "[-s SERVICE]", "list the items", options: [.service],
    details: """
      Never asks for a proof and shows no value. What is locked is counted, not shown. With --json each item is a line of
      its own; the last line counts them.
      """)

  let service: ExactText?

  init(_ arguments: Arguments) throws(UsageError) {
    try arguments.requireNoOperands()
    service = arguments.exact(.service)
  }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    var listing = Listing(session.output)
    for query in queries { try list(query, session, &listing) }
    try listing.end()
    return .good
  }

  /// Only generic passwords have a service.
  private var queries: [ItemQuery] {
    if let service {
      let attributes = ItemAttributes([.service: .text(service)])
      return [ItemQuery(itemClass: .genericPassword, attributes: attributes, twin: .any, limit: .all)]
    }
    return ItemClass.allCases.map { ItemQuery(itemClass: $0, twin: .any, limit: .all) }
  }

  private func list(_ query: ItemQuery, _ session: Session, _ listing: inout Listing) throws(Failure) {
    var hidden: UInt32 = 0
    var failure: Failure?
    do throws(Refusal) {
      try session.keychain.forEachPage(query, returning: .attributes, options: session.quiet) { page in
        hidden = max(hidden, page.hidden)
        do throws(Failure) { try listing.show(page.items.map(\.item)) } catch { failure = error }
        return failure == nil
      }
    } catch {
      // Nothing there, or nothing to be seen: a list may be empty.
      guard error.reason == .itemNotFound || Self.isLocked(error.reason) else { throw Failure(error) }
      if Self.isLocked(error.reason) { listing.noteLocked(error) }
    }
    if let failure { throw failure }
    listing.hidden += UInt64(hidden)
  }

  private static func isLocked(_ reason: Reason) -> Bool { reason == .keybagLocked || reason == .beforeFirstUnlock }
}

/// The lines of a list as they come.
private struct Listing {
  private let output: Output
  private var count: UInt64 = 0
  private var widths: [Int] = []
  /// How many items are locked.
  var hidden: UInt64 = 0
  /// Why everything of a class is locked.
  private var locked: Refusal?

  init(_ output: Output) { self.output = output }

  mutating func noteLocked(_ refusal: Refusal) {
    locked = locked ?? refusal
    hidden += HiddenItems.count(in: refusal.detail) ?? 0
  }

  mutating func show(_ items: [FoundItem]) throws(Failure) {
    guard !items.isEmpty else { return }
    switch output.format {
    case .json: try output.text(items.map { ItemText($0).json.text + "\n" }.joined())
    case .text:
      let heading = count == 0 ? [ItemText.heading] : []
      let table = Table(rows: heading + items.map { ItemText($0).row }, widths: widths)
      widths = table.widths
      try output.text(table.text)
    }
    count += UInt64(items.count)
  }

  func end() throws(Failure) {
    switch output.format {
    case .json:
      try output.object(
        .object([
          "count": .number(Int64(count)), "hidden": .number(Int64(hidden)),
          "reason": locked.map { .string($0.reason.rawValue) } ?? .null,
        ]))
    case .text:
      guard locked != nil || hidden > 0 else { return }
      let what = hidden > 0 ? HiddenItems.detail(Int(clamping: hidden)) : "items are hidden while locked"
      output.complain("latchkey: \(what). \((locked?.reason ?? .keybagLocked).nextStep)")
    }
  }
}
