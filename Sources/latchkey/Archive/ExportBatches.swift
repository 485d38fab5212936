internal import KeychainClient
internal import KeychainModel

/// Reads the items of an export, a search at a time, and writes them to an archive.
struct ExportBatches {
  let queries: [ItemQuery]
  let keychain: Keychain
  /// How a proof may be asked for.
  let options: CallOptions

  /// Writes all of them, and the end.
  func write(to writer: inout ArchiveWriter) throws(Failure) {
    var progress = Progress("exported")
    defer { progress.end() }
    for query in queries { try write(query, to: &writer, &progress) }
    try writer.finish()
  }

  /// One search: one proof serves all of its pages.
  private func write(
    _ query: ItemQuery, to writer: inout ArchiveWriter, _ progress: inout Progress
  ) throws(Failure) {
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
      if error.reason != .itemNotFound { throw Failure(error) }
    }
    if let failure { throw failure }
  }
}

extension ArchiveItem {
  fileprivate init(_ found: FoundValue) {
    self.init(
      found.item.itemClass, found.item.attributes ?? ItemAttributes(), found.item.accessControl, value: found.value)
  }
}
