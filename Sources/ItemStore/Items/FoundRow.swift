internal import KeychainModel

/// A row as a search saw it: a later change or deletion of it touches this row in this state, or nothing.
public struct FoundRow: Hashable, Sendable {
  let number: Int64
  private let identifier: [UInt8]
  private let primaryHash: [UInt8]
  /// `nil` where not even the columns could be read.
  private let columns: Columns?

  private struct Columns: Hashable {
    let access: [UInt8]
    let changed: Double
  }

  /// Its place in the order of adding.
  public var cursor: UInt64 { UInt64(clamping: number) }

  init(_ row: ItemRow) {
    number = row.number
    identifier = row.identifier.bytes
    primaryHash = row.hashes.primary
    columns = Columns(access: row.access, changed: row.changed)
  }

  init(_ row: BrokenRow) {
    number = row.number
    identifier = row.identifier
    primaryHash = row.hashes.primary
    columns = nil
  }

  init(_ stored: StoredRow) {
    switch stored {
    case .whole(let row): self.init(row)
    case .broken(let row): self.init(row)
    }
  }

  /// How a row that was read again compares.
  enum Comparison { case same, changed, another }

  /// Compares with the row that has this number now; numbers of deleted rows are given out again.
  func compare(with stored: StoredRow) -> Comparison {
    let now = FoundRow(stored)
    if now == self { return .same }
    return now.identifier == identifier ? .changed : .another
  }
}

extension SealedItem {
  /// The row it was found in.
  public var found: FoundRow { FoundRow(row) }
}
