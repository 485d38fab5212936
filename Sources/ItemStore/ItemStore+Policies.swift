public import KeychainModel
internal import SecretMemory

/// One of the user's own policies.
public struct StoredPolicy: Hashable, Sendable {
  /// The service pattern.
  public let pattern: ExactText
  /// The YAML text.
  public let text: ExactText
}

extension ItemStore {
  /// Most policies a user may have.
  public static let policyCount = 256

  /// Keeps a policy for a pattern, in place of an older one.
  ///
  /// - Throws: `.policyTooLarge` (pattern beyond 255 bytes, text beyond 48 KiB, or one policy too many), `.diskFull`,
  ///   `.ioFailed`, `.busy`, `.damaged`, `.outOfMemory`.
  public func putPolicy(pattern: ExactText, text: ExactText) throws(StoreError) {
    guard pattern.bytes.count <= ItemLimits.policyServiceBytes, text.bytes.count <= PolicyRequest.textBytes else {
      throw .policyTooLarge
    }
    let hash = index.policy(pattern.bytes)
    var writer = ByteWriter()
    writer.string(pattern.bytes)
    writer.string(text.bytes)
    let sealed = try Seal.seal(Seal.secret(writer.bytes), device.policies, Self.policyData(hash))
    try write { connection throws(StoreError) in
      try connection.statement("INSERT OR REPLACE INTO user_policies(pattern_hash, sealed) VALUES(?, ?)")
        .run([.bytes(hash), .bytes(sealed)])
      let count = try connection.statement("SELECT count(*) FROM user_policies").first { row in row.integer(0) } ?? 0
      guard count <= Self.policyCount else { throw .policyTooLarge }
    }
  }

  /// The policy for exactly this pattern, or `nil`.
  ///
  /// - Throws: `.damaged(.database)` where it does not open, `.ioFailed`, `.outOfMemory`.
  public func policy(pattern: ExactText) throws(StoreError) -> StoredPolicy? {
    let hash = index.policy(pattern.bytes)
    let sealed = try read { connection throws(StoreError) in
      try connection.statement("SELECT sealed FROM user_policies WHERE pattern_hash = ?").first([.bytes(hash)]) { row in
        row.bytes(0)
      }
    }
    guard let sealed else { return nil }
    return try open(sealed, hash)
  }

  /// Every policy, by pattern.
  ///
  /// - Throws: `.damaged(.database)` where one does not open (a policy that vanished would loosen what holds), `.ioFailed`,
  ///   `.outOfMemory`.
  public func policies() throws(StoreError) -> [StoredPolicy] {
    var found: [([UInt8], [UInt8])] = []
    try read { connection throws(StoreError) in
      try connection.statement("SELECT pattern_hash, sealed FROM user_policies").forEach { row in
        found.append((row.bytes(0), row.bytes(1)))
        return .next
      }
    }
    var policies: [StoredPolicy] = []
    for (hash, sealed) in found { policies.append(try open(sealed, hash)) }
    return policies.sorted { $0.pattern < $1.pattern }
  }

  /// Takes a policy away.
  ///
  /// - Throws: `.itemNotFound`, `.diskFull`, `.ioFailed`, `.busy`, `.damaged`.
  public func deletePolicy(pattern: ExactText) throws(StoreError) {
    let hash = index.policy(pattern.bytes)
    let deleted = try write { connection throws(StoreError) in
      try connection.statement("DELETE FROM user_policies WHERE pattern_hash = ?").run([.bytes(hash)])
    }
    guard deleted > 0 else { throw .itemNotFound }
  }

  private func open(_ sealed: [UInt8], _ hash: [UInt8]) throws(StoreError) -> StoredPolicy {
    guard let plain = try Seal.open(sealed, device.policies, Self.policyData(hash)) else { throw .damaged(.database) }
    var reader = ByteReader(plain.unprotectedCopy())
    guard let pattern = reader.string(atMost: ItemLimits.policyServiceBytes),
      let text = reader.string(atMost: PolicyRequest.textBytes), reader.isAtEnd
    else { throw .damaged(.database) }
    return StoredPolicy(pattern: ExactText(bytes: pattern), text: ExactText(bytes: text))
  }

  private static func policyData(_ hash: [UInt8]) -> [UInt8] { Array("latchkey policy 1".utf8) + hash }
}
