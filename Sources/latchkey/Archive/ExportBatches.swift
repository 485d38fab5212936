internal import KeychainClient
internal import KeychainModel

/// Reads the items of an export, a search at a time, and writes them to an archive.
struct ExportBatches {
  let queries: [ItemQuery]
  let keychain: Keychain
  /// How a proof may be asked for.
  let options: CallOptions
  /// How to ask without one.
  let quiet: CallOptions
  let rule: UnprovableRule

  /// What becomes of an export that holds items nobody can prove a right to here.
  enum UnprovableRule { case refused, skipped }

  /// Writes all of them, and the end.
  ///
  /// - Returns: what could not be proved and was left out.
  func write(to writer: inout ArchiveWriter) throws(Failure) -> [UnprovableItem] {
    var progress = Progress("exported")
    defer { progress.clear() }
    var left: [UnprovableItem] = []
    for query in queries { left += try write(query, to: &writer, &progress) }
    try writer.finish()
    return left
  }

  private func write(
    _ query: ItemQuery, to writer: inout ArchiveWriter, _ progress: inout Progress
  ) throws(Failure) -> [UnprovableItem] {
    let before = writer.count
    do throws(BatchFailure) {
      try read(query, to: &writer, &progress)
      return []
    } catch {
      guard case .refused(let refusal) = error, UnprovableItem.reasons.contains(refusal.reason) else {
        throw error.failure
      }
      let found = try Failure.translating { () throws(Refusal) in
        try UnprovableSearch(keychain: keychain, quiet: quiet).sort(query)
      }
      guard !found.unprovable.isEmpty else { throw error.failure }
      guard rule == .skipped else { throw UnprovableItem.failure(found.unprovable) }
      // The pages before the one that was refused are written, in the same order.
      for identifier in found.provable.dropFirst(Int(writer.count - before)) {
        do throws(BatchFailure) {
          try read(ItemQuery(itemClass: nil, identifier: identifier, twin: .any), to: &writer, &progress)
        } catch { throw error.failure }
      }
      return found.unprovable
    }
  }

  /// One search: one proof serves all of its pages.
  private func read(
    _ query: ItemQuery, to writer: inout ArchiveWriter, _ progress: inout Progress
  ) throws(BatchFailure) {
    // A prompt may come up.
    progress.clear()
    var failure: Failure?
    do throws(Refusal) {
      try keychain.forEachPage(query, returning: [.data, .attributes], options: options) { page in
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
      if error.reason != .itemNotFound { throw .refused(error) }
    }
    if let failure { throw .ended(failure) }
  }
}

extension ArchiveItem {
  fileprivate init(_ found: FoundValue) {
    self.init(
      found.item.itemClass, found.item.attributes ?? ItemAttributes(), found.item.accessControl, value: found.value)
  }
}
