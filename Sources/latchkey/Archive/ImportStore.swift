internal import KeychainClient
internal import KeychainModel

/// Stores items as they come out of an archive.
struct ImportStore {
  private let session: Session
  private var context: BatchContext
  private let survey: ImportSurvey
  private let rule: DuplicateRule
  private let effect: ImportCommand.Effect
  private var progress: Progress
  private(set) var tally = ImportTally()

  /// Reasons that speak of one item; any other ends the import.
  private static let ofOneItem: Set<Reason> = [
    .invalidParameter, .noSuchAttribute, .missingEntitlement, .valueTooLarge, .operationDenied, .biometryNotAvailable,
    .biometryNotEnrolled, .passcodeNotBound, .applicationPasswordRequired, .callerNotAllowed, .policyInvalid,
  ]

  init(_ session: Session, _ context: BatchContext, _ survey: ImportSurvey, _ command: ImportCommand) {
    self.session = session
    self.context = context
    self.survey = survey
    rule = command.rule
    effect = command.effect
    progress = Progress("read")
  }

  mutating func take(_ item: ArchiveItem) throws(Failure) {
    do throws(BatchFailure) {
      let stored = effect == .stored ? try store(item) : try rehearse(item)
      tally.stored += 1
      if let stored, rule == .replaceKeepingAccessControl, stored.accessControl != item.accessControl {
        tally.protectionKept += 1
      }
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

  /// What exists of the item, where storing it would change that.
  private func rehearse(_ item: ArchiveItem) throws(BatchFailure) -> FoundItem? {
    let existing = try look(for: item)
    if existing != nil, rule == .refuse { throw .refused(Refusal(.duplicateItem)) }
    return existing
  }

  /// A protected item that is replaced wants a proof: asked for once, in the context of all of them.
  private mutating func store(_ item: ArchiveItem) throws(BatchFailure) -> FoundItem? {
    let new = NewItem(item.itemClass, item.attributes, value: item.value, accessControl: item.accessControl)
    var options = session.storing
    options.context = context.number
    options.reason = survey.changing
    let interaction = options.interaction
    do throws(Refusal) {
      options.interaction = .fail
      return try session.keychain.add(new, onDuplicate: rule, options: options)
    } catch {
      guard error.reason == .interactionNotAllowed, interaction == .allow else { throw .refused(error) }
    }
    progress.clear()
    try prove(item)
    options.interaction = .allow
    do throws(Refusal) { return try session.keychain.add(new, onDuplicate: rule, options: options) } catch {
      throw .refused(error)
    }
  }

  private mutating func prove(_ item: ArchiveItem) throws(BatchFailure) {
    let needs = survey.needsAhead(of: try look(for: item))
    do throws(Failure) { try context.prove(needs, for: survey.changing, session) } catch { throw .ended(error) }
  }

  private func look(for item: ArchiveItem) throws(BatchFailure) -> FoundItem? {
    do throws(Refusal) { return try item.existing(session) } catch { throw .refused(error) }
  }
}
