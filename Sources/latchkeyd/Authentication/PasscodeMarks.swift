internal import KeychainService
internal import LinuxSystem
internal import SecretMemory

/// Tells one passcode of an account from the next, without telling anything of either: a keyed hash of the field in the shadow
/// file (shadow(5)), under a key that ends with this process.
struct PasscodeMarks: Sendable {
  private let key = try? SecretBytes.random(count: 32)
  private let file: String

  /// The longest shadow file that is looked at, in bytes.
  static let limit = 1 << 20

  init(file: String = "/etc/shadow") { self.file = file }

  /// The mark; empty where the passcode is kept elsewhere or this process may not read it.
  func mark(of account: UserAccountName) -> [UInt8] {
    guard let key, let contents = read() else { return [] }
    let name = Array(account.name.utf8) + [UInt8(ascii: ":")]
    var field = contents.withSpan { bytes in Self.field(of: name, in: bytes) }
    defer { for place in field.indices { field[place] = 0 } }
    return field.isEmpty ? [] : KeyedHash.hash(field, key: key)
  }

  /// The whole file, in memory that is locked and wiped.
  private func read() -> SecretBytes? {
    guard Users.effectiveUserID == 0, let file = try? Files.openNoFollow(file, .reading),
      let facts = try? Files.facts(file),
      facts.kind == .regular, (1...Int64(Self.limit)).contains(Int64(facts.size)),
      let contents = try? SecretBytes(count: Int(facts.size))
    else { return nil }
    let count = try? contents.withMutableSpan { bytes throws(Errno) in try Files.read(file, into: &bytes) }
    return count == contents.count ? contents : nil
  }

  /// The second field of the line that begins so.
  private static func field(of name: [UInt8], in bytes: Span<UInt8>) -> [UInt8] {
    var start = 0
    while start < bytes.count {
      var end = start
      while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
      if end - start > name.count, name.indices.allSatisfy({ bytes[start + $0] == name[$0] }) {
        var field: [UInt8] = []
        field.reserveCapacity(end - start)
        var place = start + name.count
        while place < end, bytes[place] != UInt8(ascii: ":") {
          field.append(bytes[place])
          place += 1
        }
        return field
      }
      start = end + 1
    }
    return []
  }
}
