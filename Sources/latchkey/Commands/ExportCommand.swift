internal import KeychainClient
internal import KeychainModel
internal import LinuxSystem
internal import SecretMemory
internal import TerminalIO

/// `export`: seals items into an archive under a passphrase.
struct ExportCommand: Command {
  static let force = Option("force", short: "f", "replace a file that is there")
  static let manual = Manual(
    "export", "FILE [--force] [--passphrase-fd N]", "seal the items into an archive under a passphrase",
    options: [Passphrase.option, force],
    details: """
      Protected items ask for a proof, once for the batch. As in Apple's backups, items of a class that ends in
      ThisDeviceOnly stay here; so do those with an application password, which nobody asked for, and dead ones. What
      stays is counted. FILE may be - for standard output.
      """)

  let file: ArchiveFile
  let passphrase: Passphrase
  let existing: Files.Existing

  init(_ arguments: Arguments) throws(UsageError) {
    file = try ArchiveFile(arguments)
    passphrase = try Passphrase(arguments)
    existing = arguments.has(Self.force) ? .replaced : .kept
  }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    try checkPlace(session)
    let passphrase = try passphrase.readNew(session)
    var proving = session.proving
    proving.context = try session.openKeybag()
    let survey = try ExportSurvey(session)
    let batches = ExportBatches(queries: survey.batches, keychain: session.keychain, options: proving)
    let tally = file.isStream ? try stream(batches, passphrase) : try place(batches, passphrase)
    try report(tally, survey, session)
    return .good
  }

  /// Before anything is asked.
  private func checkPlace(_ session: Session) throws(Failure) {
    if file.isStream {
      if session.output.format == .json { throw Failure(UsageError("with --json the archive goes to a file.")) }
      if session.output.isTerminal { throw Failure(UsageError("an archive is not for a terminal; name a file.")) }
      return
    }
    if existing == .kept, (try? Files.factsNoFollow(file.name)) != nil { throw exists }
    // Made and taken away again: whether it can be written is told before anything is asked.
    _ = try newFile()
  }

  private func newFile() throws(Failure) -> NewFile {
    do throws(Errno) { return try NewFile(for: file.name, mode: 0o600) } catch {
      throw Failure(file.name, .written, error)
    }
  }

  private var exists: Failure {
    Failure(.duplicateItem, "\(file.name) exists.", nextStep: "Use --force to replace it, or name another file.")
  }

  private func stream(_ batches: ExportBatches, _ passphrase: SecretBytes) throws(Failure) -> UInt64 {
    var writer = try ArchiveWriter(StandardStreams.output, named: "standard output", passphrase: passphrase)
    try batches.write(to: &writer)
    return writer.count
  }

  private func place(_ batches: ExportBatches, _ passphrase: SecretBytes) throws(Failure) -> UInt64 {
    let new = try newFile()
    var writer = try ArchiveWriter(new.descriptor, named: file.name, passphrase: passphrase)
    try batches.write(to: &writer)
    do throws(Errno) { try new.place(existing) } catch .fileExists { throw exists } catch {
      throw Failure(file.name, .written, error)
    }
    return writer.count
  }

  private func report(_ count: UInt64, _ survey: ExportSurvey, _ session: Session) throws(Failure) {
    let left = survey.leftOut
    try session.output.answer(
      .object([
        ("exported", .number(Int64(clamping: count))), ("file", .string(file.name)),
        ("leftOut", .object(left.map { ($0.key.rawValue, .number(Int64(clamping: $0.count))) })),
      ]))
    guard session.output.format == .text else { return }
    let stays = left.filter { $0.count > 0 }.map { "\($0.count) \($0.key.sentence)" }
    session.output.complain(
      "latchkey: exported \(ItemCount(count).text)"
        + (stays.isEmpty ? "." : "; left out: \(stays.joined(separator: ", "))."))
  }
}
