internal import KeychainClient
internal import KeychainModel
internal import TerminalIO

/// An item that nobody can prove a right to here and now, and why.
struct UnprovableItem: Sendable {
  let item: FoundItem
  let reason: Reason

  /// The reasons that speak of what an item wants, and not of the person or of the way to the daemon.
  static let reasons: Set<Reason> = [
    .companionNotAvailable, .biometryNotAvailable, .biometryNotEnrolled, .biometryRemote, .biometryNotCached,
    .biometryLockout, .readerBroken, .readerBusy, .lidClosed, .enrolmentUnreadable, .noMethodAllowed, .remoteDenied,
    .remoteMethodDenied, .operationDenied, .callerNotAllowed, .missingEntitlement, .policyInvalid, .stackMissing,
    .stackCannotFail, .stackInvalid, .passcodeNotSet, .passcodeUnusable, .accountLocked, .userFallback,
  ]

  /// The item by its names: service or server, and account.
  var name: String {
    let attributes = item.attributes ?? ItemAttributes()
    let names = [attributes.text(.service) ?? attributes.text(.server), attributes.text(.account)].compactMap { $0 }
    guard !names.isEmpty else { return "(\(item.itemClass.rawValue)) \(Hexadecimal.text(item.identifier.bytes))" }
    return names.map { UntrustedText($0.bytes).whole }.joined(separator: "/")
  }

  /// The item and why, for people.
  var line: String { "\(name): \(reason.explanation.dropLast()) [\(reason.rawValue)]" }

  /// For programs.
  var json: JSONText {
    let attributes = item.attributes ?? ItemAttributes()
    var entries: [(String, JSONText)] = [
      ("class", .string(item.itemClass.rawValue)), ("id", .string(Hexadecimal.text(item.identifier.bytes))),
    ]
    for (name, key) in [("service", AttributeKey.service), ("server", .server), ("account", .account)] {
      if let text = attributes.text(key) { entries.append((name, .exact(text))) }
    }
    return .object(entries + [("reason", .string(reason.rawValue))])
  }

  /// The most that a refusal names.
  static let named = 10

  /// The refusal of an export that would be whole without these.
  static func failure(_ items: [UnprovableItem]) -> Failure {
    let names = items.prefix(named).map { "\($0.name): \($0.reason.rawValue)" }.joined(separator: ", ")
    let more = items.count > named ? " and \(ItemCount(items.count - named).text) more" : ""
    let those = items.count == 1 ? "one item cannot" : "\(items.count) items cannot"
    return Failure(
      items[0].reason, "\(those) be proved here, and nothing was exported.", detail: names + more,
      nextStep: "Use --skip-unprovable to export the others.")
  }
}

/// Finds out what of a search cannot be proved, by asking for one item of each kind without letting a prompt come up.
struct UnprovableSearch {
  let keychain: Keychain
  /// How to ask without a prompt.
  let quiet: CallOptions

  /// Items are alike where they have the same service and access control.
  private struct Kind: Hashable {
    let service: ExactText?
    let accessControl: AccessControl
  }

  /// What a search finds, in its order.
  struct Found {
    var provable: [ItemIdentifier] = []
    var unprovable: [UnprovableItem] = []
  }

  /// Sorts the matches that are to be exported.
  func sort(_ query: ItemQuery) throws(Refusal) -> Found {
    var items: [FoundItem] = []
    try keychain.forEachPage(query, returning: .attributes, options: quiet) { page in
      items += page.items.map(\.item).filter { ExportSurvey.Standing($0) == .exported }
      return true
    }
    var found = Found()
    var known: [Kind: Reason?] = [:]
    for item in items {
      let attributes = item.attributes ?? ItemAttributes()
      let kind = Kind(
        service: attributes.text(.service) ?? attributes.text(.server), accessControl: item.accessControl)
      let reason: Reason?
      if let told = known[kind] { reason = told } else { reason = try objection(to: item) }
      known[kind] = .some(reason)
      if let reason {
        found.unprovable.append(UnprovableItem(item: item, reason: reason))
      } else {
        found.provable.append(item.identifier)
      }
    }
    return found
  }

  private func objection(to item: FoundItem) throws(Refusal) -> Reason? {
    do throws(Refusal) {
      _ = try keychain.find(
        ItemQuery(itemClass: nil, identifier: item.identifier, twin: .any), returning: .data, options: quiet)
      return nil
    } catch {
      // That no prompt is possible says that one would do.
      return UnprovableItem.reasons.contains(error.reason) ? error.reason : nil
    }
  }
}
