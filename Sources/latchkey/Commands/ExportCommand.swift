internal import KeychainClient
internal import KeychainModel
internal import LinuxSystem
internal import SecretMemory

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
    let passphrase = try passphrase.read(session, asking: .twice)
    try session.openKeybag()
    let survey = try ExportSurvey(session)
    let tally = file.isStream ? try stream(survey, session, passphrase) : try place(survey, session, passphrase)
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
    guard existing == .kept, (try? Files.factsNoFollow(file.name)) != nil else { return }
    throw exists
  }

  private var exists: Failure {
    Failure(.duplicateItem, "\(file.name) exists.", nextStep: "Use --force to replace it, or name another file.")
  }

  private func stream(
    _ survey: ExportSurvey, _ session: Session, _ passphrase: SecretBytes
  ) throws(Failure) -> UInt64 {
    var writer = try ArchiveWriter(StandardStreams.output, named: "standard output", passphrase: passphrase)
    try write(survey, session, &writer)
    return writer.count
  }

  private func place(_ survey: ExportSurvey, _ session: Session, _ passphrase: SecretBytes) throws(Failure) -> UInt64 {
    let new: NewFile
    do throws(Errno) { new = try NewFile(for: file.name, mode: 0o600) } catch {
      throw Failure(file.name, .written, error)
    }
    var writer = try ArchiveWriter(new.descriptor, named: file.name, passphrase: passphrase)
    try write(survey, session, &writer)
    do throws(Errno) { try new.place(existing) } catch .fileExists { throw exists } catch {
      throw Failure(file.name, .written, error)
    }
    return writer.count
  }

  private func write(_ survey: ExportSurvey, _ session: Session, _ writer: inout ArchiveWriter) throws(Failure) {
    var progress = Progress("exported")
    defer { progress.end() }
    for batch in survey.batches { try write(batch, session, &writer, &progress) }
    try writer.finish()
  }

  /// One search: one proof serves all of its pages.
  private func write(
    _ batch: ItemQuery, _ session: Session, _ writer: inout ArchiveWriter, _ progress: inout Progress
  ) throws(Failure) {
    var failure: Failure?
    do throws(Refusal) {
      try session.keychain.forEachPage(batch, returning: [.data, .attributes], options: session.proving) { page in
        do throws(Failure) {
          if page.hidden > 0 { throw Failure(Refusal(.keybagLocked)) }
          for found in page.items where ExportSurvey.Standing(found.item) == .exported {
            try writer.append(ArchiveItem(found))
          }
        } catch { failure = error }
        progress.show(writer.count)
        return failure == nil
      }
    } catch {
      // Deleted since they were counted.
      if error.reason != .itemNotFound { throw Failure(error) }
    }
    if let failure { throw failure }
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

extension ArchiveItem {
  init(_ found: FoundValue) {
    self.init(
      found.item.itemClass, found.item.attributes ?? ItemAttributes(), found.item.accessControl, value: found.value)
  }
}
