internal import KeychainService
internal import SecretMemory

/// All class keys in one piece of locked memory: for each place in order a byte that is 0 or 1, and 32 bytes.
enum ClassKeyBundle {
  private static let keyBytes = 32
  private static let placeBytes = 1 + keyBytes
  private static var byteCount: Int { ClassKeySlot.all.count * placeBytes }

  /// The keys as one secret; `nil` where memory ran out or a key has another length.
  static func pack(_ keys: ClassKeys) -> SecretBytes? {
    guard let bundle = try? SecretBytes(count: byteCount) else { return nil }
    for (place, name) in ClassKeySlot.all.enumerated() {
      guard let key = keys[name.protection, name.use] else { continue }
      guard key.count == keyBytes else { return nil }
      bundle.withMutableSpan { $0[place * placeBytes] = 1 }
      copy(key, from: 0, to: bundle, at: place * placeBytes + 1)
    }
    return bundle
  }

  /// The keys again; `nil` where memory ran out or these are no packed keys.
  static func unpack(_ bundle: SecretBytes) -> ClassKeys? {
    guard bundle.count == byteCount else { return nil }
    var keys = ClassKeys()
    for (place, name) in ClassKeySlot.all.enumerated() {
      guard bundle.withSpan({ $0[place * placeBytes] }) == 1 else { continue }
      guard let key = try? SecretBytes(count: keyBytes) else { return nil }
      copy(bundle, from: place * placeBytes + 1, to: key, at: 0)
      keys[name.protection, name.use] = key
    }
    return keys
  }

  private static func copy(_ source: SecretBytes, from start: Int, to target: SecretBytes, at place: Int) {
    source.withSpan { bytes in
      target.withMutableSpan { room in
        for index in 0..<keyBytes { room[place + index] = bytes[start + index] }
      }
    }
  }
}
