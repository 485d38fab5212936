internal import KeychainClient
internal import KeychainModel
internal import LinuxSystem
internal import SecretMemory
internal import TerminalIO

/// `export`: seals items into an archive under a passphrase.
struct ExportCommand: Command {
  static let force = Option("force", short: "f", "replace a file that is there")
  static let skipUnprovable = Option(
    "skip-unprovable", "leave out items whose proof nobody can give here, instead of ending")
  static let manual = Manual(
    "export", "FILE [--force] [--skip-unprovable] [--passphrase-fd N]",
    "seal the items into an archive under a passphrase", options: [Passphrase.option, force, skipUnprovable],
    details: """
      Protected items ask for a proof, once for the batch; more than once where some want a finger and others a passcode, or
      where a policy lets no proof serve twice. Items whose proof nobody can give here, as those that want a finger where
      there is no reader, end the export and are named; with --skip-unprovable they are left out and named, and the command
      ends with the exit status of the first one's reason. As in Apple's backups, items of a class that ends in
      ThisDeviceOnly stay here; so do those with an application password, which nobody asked for, and dead ones. What
      stays is counted. FILE may be - for standard output.
      """)

  let file: ArchiveFile
  let passphrase: Passphrase
  let existing: Files.Existing
  let rule: ExportBatches.UnprovableRule

  init(_ arguments: Arguments) throws(UsageError) {
    file = try ArchiveFile(arguments)
    passphrase = try Passphrase(arguments)
    existing = arguments.has(Self.force) ? .replaced : .kept
    rule = arguments.has(Self.skipUnprovable) ? .skipped : .refused
  }

  /// What came of an export.
  private struct Outcome {
    var count: UInt64
    var unprovable: [UnprovableItem]

    var exit: ExitStatus { unprovable.first.map { ExitStatus($0.reason.status) } ?? .good }
  }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    try checkPlace(session)
    let passphrase = try passphrase.readNew(session)
    var context = try BatchContext(session, unlockingFor: "export: read all items")
    let survey = try ExportSurvey(session)
    let reason = ExactText("export: read \(ItemCount(survey.exported).text)")
    try context.prove(survey.needsAhead, for: reason, session)
    var proving = session.proving
    proving.reason = reason
    proving.context = context.number
    var quiet = session.quiet
    quiet.context = context.number
    let batches = ExportBatches(
      queries: survey.batches, keychain: session.keychain, options: proving, quiet: quiet, rule: rule)
    let outcome = file.isStream ? try stream(batches, passphrase) : try place(batches, passphrase)
    try report(outcome, survey, session)
    return outcome.exit
  }

  /// Before anything is asked.
  private func checkPlace(_ session: Session) throws(Failure) {
    if file.isStream {
      if session.output.format == .json { throw Failure(UsageError("with --json the archive goes to a file.")) }
      if session.output.isTerminal { throw Failure(UsageError("an archive is not for a terminal; name a file.")) }
      return
    }
    if existing == .kept, (try? Files.factsNoFollow(file.name)) != nil { throw exists }
    try? NewFile.removeAbandoned(of: file.name)
    // Made and taken away again: whether it can be written is told before anything is asked.
    try UnfinishedArchive.tryOut(newFile)
  }

  private func newFile() throws(Failure) -> NewFile {
    do throws(Errno) { return try NewFile(for: file.name, mode: 0o600) } catch {
      throw Failure(file.name, .written, error)
    }
  }

  private var exists: Failure {
    Failure(.duplicateItem, "\(file.name) exists.", nextStep: "Use --force to replace it, or name another file.")
  }

  private func stream(_ batches: ExportBatches, _ passphrase: SecretBytes) throws(Failure) -> Outcome {
    var writer = try ArchiveWriter(StandardStreams.output, named: "standard output", passphrase: passphrase)
    let left = try batches.write(to: &writer)
    return Outcome(count: writer.count, unprovable: left)
  }

  private func place(_ batches: ExportBatches, _ passphrase: SecretBytes) throws(Failure) -> Outcome {
    let new = try UnfinishedArchive.make(newFile)
    var writer = try ArchiveWriter(new.descriptor, named: file.name, passphrase: passphrase)
    let left = try batches.write(to: &writer)
    do throws(Errno) { try new.place(existing) } catch .fileExists { throw exists } catch {
      throw Failure(file.name, .written, error)
    }
    return Outcome(count: writer.count, unprovable: left)
  }

  private func report(_ outcome: Outcome, _ survey: ExportSurvey, _ session: Session) throws(Failure) {
    let left = survey.leftOut
    try session.output.answer(
      .object([
        ("exported", .number(Int64(clamping: outcome.count))), ("file", .string(file.name)),
        ("leftOut", .object(left.map { ($0.key.rawValue, .number(Int64(clamping: $0.count))) })),
        ("unprovable", .list(outcome.unprovable.map(\.json))),
      ]))
    guard session.output.format == .text else { return }
    for item in outcome.unprovable { session.output.complain("latchkey: left out: \(item.line)") }
    let stays = left.filter { $0.count > 0 }.map { $0.key.sentence($0.count) }
    session.output.complain(
      "latchkey: exported \(ItemCount(outcome.count).text)"
        + (stays.isEmpty ? "." : "; left out: \(stays.joined(separator: ", "))."))
  }
}
