internal import KeychainModel
internal import TerminalIO

/// What came of the items of an archive.
struct ImportTally: Equatable {
  /// Added or replaced.
  var stored: UInt64 = 0
  /// Of those, the ones that existed and keep a protection that is not the archive's.
  var protectionKept: UInt64 = 0
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
      ("protectionKept", .number(Int64(clamping: protectionKept))), ("refused", .object(refused)),
      ("dryRun", .truth(effect == .onlySaid)),
    ])
  }

  func sentence(_ effect: ImportCommand.Effect) -> String {
    var text = effect == .stored ? "imported \(ItemCount(stored).text)" : "would import \(ItemCount(stored).text)"
    if protectionKept > 0 {
      text += "; \(protectionKept) of them \(protectionKept == 1 ? "keeps" : "keep") the protection of here"
      text += " (--replace-protection takes the archive's)"
    }
    if kept > 0 { text += "; \(kept) \(kept == 1 ? "exists and is" : "exist and are") kept (--replace replaces them)" }
    for reason in Reason.allCases {
      if let count = refused[reason] { text += "; \(count) refused: \(reason.explanation.dropLast())" }
    }
    return text + "."
  }
}
