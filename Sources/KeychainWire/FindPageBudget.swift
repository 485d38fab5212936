public import KeychainModel

/// How much room a page of found items has left. The daemon takes room for each item and ends the page where none is left.
///
/// An empty page has room for any item that keeps ``ItemLimits``, so that paging always goes on.
public struct FindPageBudget: Sendable {
  private var publicLeft = WireLimits.publicBytes - FindPageBudget.pageBytes
  private var secretLeft = WireLimits.secretBytes
  private var secretsLeft = WireLimits.secrets
  private var scratch = WireWriter(capacity: 256)

  /// Secret count, tag, item count, hidden and next.
  private static let pageBytes = 1 + 1 + 2 + 4 + 9
  /// What one secret takes in the public part: its length.
  private static let secretLengthBytes = 4

  /// The room of an empty page.
  public init() {}

  /// Takes room for an item, or answers `false` and takes none.
  ///
  /// - Parameters:
  ///   - item: what would stand in the page; its ``FoundItem/value`` says only whether there is one.
  ///   - valueBytes: the length of its value; 0 where it has none.
  /// - Throws: ``WireError`` where no frame could hold the item.
  public mutating func take(_ item: FoundItem, valueBytes: Int) throws(WireError) -> Bool {
    var sized = item
    let hasValue = item.value != nil
    sized.value = hasValue ? 0 : nil
    scratch.restart(secretCount: hasValue ? 1 : 0)
    try scratch.put(sized)
    let publicBytes = scratch.bytes.count + (hasValue ? Self.secretLengthBytes : 0)
    guard publicBytes <= publicLeft, valueBytes <= secretLeft, !hasValue || secretsLeft > 0 else { return false }
    publicLeft -= publicBytes
    secretLeft -= valueBytes
    secretsLeft -= hasValue ? 1 : 0
    return true
  }
}
