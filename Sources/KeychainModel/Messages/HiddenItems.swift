/// How a refusal says how many items a locked search could not look at: the detail of `keybagLocked` and its like.
public enum HiddenItems {
  private static let opening = "hidden while locked: "

  /// The detail for 1 item or more.
  public static func detail(_ count: Int) -> String { opening + (count == 1 ? "1 item" : "\(count) items") }

  /// The number in such a detail; `nil` in any other.
  public static func count(in detail: String) -> UInt64? {
    guard detail.hasPrefix(opening) else { return nil }
    let rest = detail.dropFirst(opening.count)
    guard let count = UInt64(rest.prefix { ("0"..."9").contains($0) }),
      count > 0, detail == Self.detail(Int(clamping: count))
    else { return nil }
    return count
  }
}
