internal import KeychainClient
internal import KeychainModel
internal import LinuxSystem
internal import SecretMemory
internal import TerminalIO

/// `import`: adds the items of an archive.
struct ImportCommand: Command {
  static let replace = Option("replace", "replace items that exist; protected ones ask for a proof")
  static let dryRun = Option("dry-run", short: "n", "read the archive to its end and say what would be done")
  static let manual = Manual(
    "import", "FILE [--replace] [--dry-run] [--passphrase-fd N]", "add the items of an archive",
    options: [Passphrase.option, replace, dryRun],
    details: """
      A file is read to its end once before its first item is stored, so that a damaged one changes nothing. What comes from
      standard input (FILE is -) is stored as it comes; how much was stored is said in any case. Items that exist are kept
      unless --replace is given; then the command ends with 45.
      """)

  let file: ArchiveFile
  let passphrase: Passphrase
  let rule: DuplicateRule
  let effect: Effect

  /// Whether anything is stored.
  enum Effect: Equatable, Sendable { case stored, onlySaid }

  init(_ arguments: Arguments) throws(UsageError) {
    file = try ArchiveFile(arguments)
    passphrase = try Passphrase(arguments)
    rule = arguments.has(Self.replace) ? .replace : .refuse
    effect = arguments.has(Self.dryRun) ? .onlySaid : .stored
  }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let start = try open(session)
    let passphrase = try passphrase.read(session)
    let key = try Failure.archive(file.name) { () throws(ArchiveError) in try start.header.key(passphrase: passphrase) }
    let comesOnce = file.isStream || start.comesOnce
    if !comesOnce {
      var reader = ArchiveReader(start, key: key)
      while try reader.next() != nil {}
    }
    var store = ImportStore(session, try BatchContext(session), rule, effect)
    var failure: Failure?
    do throws(Failure) {
      var reader = ArchiveReader(comesOnce ? start : try open(session), key: key)
      while let item = try reader.next() { try store.take(item) }
    } catch { failure = error }
    store.end()
    try report(store.tally, failure, session)
    return store.tally.exit
  }

  private func open(_ session: Session) throws(Failure) -> ArchiveReader.Start {
    if file.isStream {
      if passphrase.descriptor == 0 || session.globals.passcodeDescriptor == 0 {
        throw Failure(UsageError("standard input holds the archive and nothing else."))
      }
      return try ArchiveReader.Start(StandardStreams.input, named: "standard input")
    }
    let opened: OwnedDescriptor
    do throws(Errno) { opened = try Files.open(file.name, [.reading, .notControlling]) } catch {
      throw Failure(file.name, .read, error)
    }
    return try ArchiveReader.Start(opened, named: file.name)
  }

  /// How much was done is said before why it ended.
  private func report(_ tally: ImportTally, _ failure: Failure?, _ session: Session) throws(Failure) {
    switch session.output.format {
    case .json where failure == nil: try session.output.object(tally.json(effect))
    case .text where failure == nil || tally.stored > 0: session.output.complain("latchkey: \(tally.sentence(effect))")
    default: break
    }
    guard let failure else { return }
    throw tally.stored == 0 ? failure : failure.adding("imported before: \(ItemCount(tally.stored).text)")
  }
}

/// What came of the items of an archive.
struct ImportTally: Equatable {
  /// Added or replaced.
  var stored: UInt64 = 0
  /// Exist and were kept.
  var kept: UInt64 = 0
  /// Refused, by why.
  var refused: [Reason: UInt64] = [:]

  /// 0 where all were stored; else the status of the first reason why not, in the order of docs/reasons.md.
  var exit: ExitStatus {
    if let reason = Reason.allCases.first(where: { refused[$0] != nil }) { return ExitStatus(reason.status) }
    return kept > 0 ? ExitStatus(.duplicateItem) : .good
  }

  func json(_ effect: ImportCommand.Effect) -> JSONText {
    let refused = Reason.allCases.compactMap { reason in
      self.refused[reason].map { (reason.rawValue, JSONText.number(Int64(clamping: $0))) }
    }
    return .object([
      ("imported", .number(Int64(clamping: stored))), ("kept", .number(Int64(clamping: kept))),
      ("refused", .object(refused)), ("dryRun", .truth(effect == .onlySaid)),
    ])
  }

  func sentence(_ effect: ImportCommand.Effect) -> String {
    var text = effect == .stored ? "imported \(ItemCount(stored).text)" : "would import \(ItemCount(stored).text)"
    if kept > 0 { text += "; \(kept) \(kept == 1 ? "exists and is" : "exist and are") kept (--replace replaces them)" }
    for reason in Reason.allCases {
      if let count = refused[reason] { text += "; \(count) refused: \(reason.explanation.dropLast())" }
    }
    return text + "."
  }
}

/// Stores items as they come out of an archive.
private struct ImportStore {
  private let session: Session
  private var context: BatchContext
  private let rule: DuplicateRule
  private let effect: ImportCommand.Effect
  private var progress: Progress
  private(set) var tally = ImportTally()

  /// Reasons that speak of one item; any other ends the import.
  private static let ofOneItem: Set<Reason> = [
    .invalidParameter, .noSuchAttribute, .missingEntitlement, .valueTooLarge, .operationDenied, .biometryNotAvailable,
    .biometryNotEnrolled, .passcodeNotBound, .applicationPasswordRequired, .callerNotAllowed, .policyInvalid,
  ]

  init(_ session: Session, _ context: BatchContext, _ rule: DuplicateRule, _ effect: ImportCommand.Effect) {
    self.session = session
    self.context = context
    self.rule = rule
    self.effect = effect
    progress = Progress("read")
  }

  mutating func take(_ item: ArchiveItem) throws(Failure) {
    do throws(BatchFailure) {
      switch effect {
      case .stored: try store(item)
      case .onlySaid: if rule == .refuse, try exists(item) { throw .refused(Refusal(.duplicateItem)) }
      }
      tally.stored += 1
    } catch {
      guard case .refused(let refusal) = error else { throw error.failure }
      if refusal.reason == .duplicateItem {
        tally.kept += 1
      } else if Self.ofOneItem.contains(refusal.reason) {
        tally.refused[refusal.reason, default: 0] += 1
      } else {
        throw Failure(refusal)
      }
    }
    progress.show(tally.stored + tally.kept)
  }

  mutating func end() { progress.clear() }

  /// A protected item that is replaced wants a proof: asked for once, in the context of all of them.
  private mutating func store(_ item: ArchiveItem) throws(BatchFailure) {
    let new = NewItem(item.itemClass, item.attributes, value: item.value, accessControl: item.accessControl)
    var options = session.storing
    options.context = context.number
    let interaction = options.interaction
    do throws(Refusal) {
      options.interaction = .fail
      try session.keychain.add(new, onDuplicate: rule, options: options)
    } catch {
      guard error.reason == .interactionNotAllowed, interaction == .allow else { throw .refused(error) }
      progress.clear()
      do throws(Failure) {
        try context.prove([.passcode], for: "replace items by those of an archive", session)
      } catch { throw .ended(error) }
      options.interaction = .allow
      do throws(Refusal) { try session.keychain.add(new, onDuplicate: rule, options: options) } catch {
        throw .refused(error)
      }
    }
  }

  private func exists(_ item: ArchiveItem) throws(BatchFailure) -> Bool {
    var name = ItemAttributes()
    for key in item.itemClass.primaryKey where key != .synchronizable { name[key] = item.attributes[key] }
    let twin: SynchronizableFilter = item.attributes.number(.synchronizable) == 1 ? .synchronized : .local
    do throws(Refusal) {
      return try session.keychain.exists(
        ItemQuery(itemClass: item.itemClass, attributes: name, twin: twin), options: session.quiet)
    } catch { throw .refused(error) }
  }
}
