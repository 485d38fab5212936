internal import KeychainClient
internal import KeychainModel
internal import LinuxSystem
internal import SecretMemory
internal import TerminalIO

/// `import`: adds the items of an archive.
struct ImportCommand: Command {
  static let replace = Option(
    "replace", "replace items that exist; they keep their protection, and protected ones ask for a proof")
  static let replaceProtection = Option(
    "replace-protection", "as --replace, and give them the archive's flags and class, which may protect less")
  static let dryRun = Option("dry-run", short: "n", "read the archive to its end and say what would be done")
  static let manual = Manual(
    "import", "FILE [--replace | --replace-protection] [--dry-run] [--passphrase-fd N]", "add the items of an archive",
    options: [Passphrase.option, replace, replaceProtection, dryRun],
    details: """
      A file is read to its end once before its first item is stored, so that a damaged one changes nothing. What comes from
      standard input (FILE is -) is stored as it comes; how much was stored is said in any case. Items that exist are kept,
      and the command ends with 45, unless --replace or --replace-protection is given. Prompts say how many items are changed. Each
      kind of proof is asked for once; items whose policies let no proof serve twice, or that want more than their
      flags say, ask again.
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
    rule =
      arguments.has(Self.replaceProtection)
      ? .replace : arguments.has(Self.replace) ? .replaceKeepingAccessControl : .refuse
    effect = arguments.has(Self.dryRun) ? .onlySaid : .stored
  }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let start = try open(session)
    let passphrase = try passphrase.read(session)
    let key = try Failure.archive(file.name) { () throws(ArchiveError) in try start.header.key(passphrase: passphrase) }
    let comesOnce = file.isStream || start.comesOnce
    var survey = ImportSurvey(rule)
    if !comesOnce {
      var reader = ArchiveReader(start, key: key)
      try survey.count(&reader)
    }
    let context = try BatchContext(session, unlockingFor: survey.unlocking)
    if !comesOnce, rule != .refuse, effect == .stored {
      var reader = ArchiveReader(try open(session), key: key)
      try survey.compare(&reader, session)
    }
    var store = ImportStore(session, context, survey, self)
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
