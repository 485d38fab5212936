internal import KeychainClient
internal import KeychainModel
internal import TerminalIO

/// `purge`: takes away everything that is stored for a program's services. For those who remove the program.
struct PurgeCommand: Command {
  static let manual = Manual(
    "purge", "SERVICE...", "delete every item of these services", options: [],
    details: """
      For a program that is removed: deletes the passwords of each service, and those of an internet server of that name.
      Asks for nothing and never prompts. Where items are locked it cannot tell whose they are: then it is refused and
      deletes nothing. It is no fault where there is nothing to delete.
      """)

  let services: [ExactText]

  init(_ arguments: Arguments) throws(UsageError) {
    services = arguments.operands.map { ExactText(bytes: $0) }
    if services.isEmpty || services.contains(where: \.bytes.isEmpty) { throw UsageError("name the services.") }
  }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let queries = services.flatMap(Self.queries)
    let count = try Failure.translating { () throws(Refusal) in
      // All are looked at before any goes, so that a refusal leaves everything.
      for query in queries { try requireOpen(query, session) }
      var count: UInt32 = 0
      for query in queries { count += try delete(query, session) }
      return count
    }
    try session.output.answer(.object(["deleted": .number(Int64(count))]))
    return .good
  }

  /// What a policy would call the service: a password's service, or an internet password's server; of both twins.
  private static func queries(_ service: ExactText) -> [ItemQuery] {
    [(ItemClass.genericPassword, AttributeKey.service), (.internetPassword, .server)].map { itemClass, key in
      ItemQuery(itemClass: itemClass, attributes: ItemAttributes([key: .text(service)]), twin: .any, limit: .all)
    }
  }

  private func requireOpen(_ query: ItemQuery, _ session: Session) throws(Refusal) {
    do throws(Refusal) {
      guard try session.keychain.find(query, returning: [], options: session.quiet).hidden == 0 else {
        throw Refusal(.keybagLocked, detail: "locked items may be of this service")
      }
    } catch  where error.reason == .itemNotFound {}
  }

  private func delete(_ query: ItemQuery, _ session: Session) throws(Refusal) -> UInt32 {
    do throws(Refusal) {
      return try session.keychain.delete(query, options: session.quiet)
    } catch  where error.reason == .itemNotFound { return 0 }
  }
}
