internal import KeychainModel
internal import SecretMemory

/// The keybag as it is stored: class keys, each wrapped, and how to unwrap them.
struct KeybagRecord: Equatable, Sendable {
  /// One class key.
  struct Entry: Equatable, Sendable {
    /// Tells the key from any other: 32 bytes.
    var check: [UInt8]
    /// The key under the device key, or under device key and passcode; empty once destroyed.
    var wrapped: [UInt8]
    /// The key under the recovery wrapping key; empty without one.
    var recovery: [UInt8] = []
  }

  /// Goes up whenever all class keys are new.
  var generation: UInt32
  /// How the passcode is stretched; `nil` while unbound.
  var stretching: StretchingParameters?
  /// PAM took a passcode that does not open the keybag.
  var passcodeChanged = false
  /// The passcode was removed and the keys of `whenPasscodeSet` destroyed.
  var akpuDestroyed = false
  /// The recovery wrapping key under the recovery key; empty without one.
  var recoveryByKey: [UInt8] = []
  /// The recovery wrapping key under the `whenUnlocked` key, so that later keys can be wrapped too.
  var recoveryByClass: [UInt8] = []
  var entries: [ClassKeyName: Entry]

  var isBound: Bool { stretching != nil }
  var hasRecoveryKey: Bool { !recoveryByKey.isEmpty }

  /// Every name in the order of encoding.
  static let names: [ClassKeyName] = ProtectionClass.allCases.flatMap { protection in
    ClassKeyUse.allCases.map { ClassKeyName(protection, $0) }
  }

  /// Whether this is the class key that the record speaks of.
  func vouches(for key: SecretBytes, _ name: ClassKeyName) -> Bool {
    guard let entry = entries[name], !entry.wrapped.isEmpty else { return false }
    return entry.check == Self.check(of: key)
  }

  static func check(of key: SecretBytes) -> [UInt8] { KeyedHash.hash(Array("latchkey class key".utf8), key: key) }

  /// format (1) | flags (1) | generation (4) | stretching | recovery by key | recovery by class | count (1) | entries.
  var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.byte(1)
    writer.byte((isBound ? 1 : 0) | (passcodeChanged ? 2 : 0) | (akpuDestroyed ? 4 : 0))
    writer.fixed(generation)
    writer.string(stretching?.stored ?? [])
    writer.string(recoveryByKey)
    writer.string(recoveryByClass)
    writer.byte(UInt8(entries.count))
    for name in Self.names {
      guard let entry = entries[name] else { continue }
      writer.byte(name.protection.rawValue)
      writer.byte(name.use.rawValue)
      writer.string(entry.check)
      writer.string(entry.wrapped)
      writer.string(entry.recovery)
    }
    return writer.bytes
  }

  /// The record these bytes stand for, or `nil` where they are malformed or leave their bounds.
  init?(encoded bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard reader.byte() == 1, let flags = reader.byte(), flags < 8, let generation = reader.fixed(UInt32.self),
      let stretching = reader.string(atMost: 64), let byKey = reader.string(atMost: 128),
      let byClass = reader.string(atMost: 128), let entries = reader.keybagEntries(), reader.isAtEnd
    else { return nil }
    let parameters = StretchingParameters(stored: stretching)
    guard (flags & 1 != 0) == (parameters != nil), parameters != nil || stretching.isEmpty else { return nil }
    self.init(generation: generation, stretching: parameters, entries: entries)
    passcodeChanged = flags & 2 != 0
    akpuDestroyed = flags & 4 != 0
    recoveryByKey = byKey
    recoveryByClass = byClass
  }

  init(generation: UInt32, stretching: StretchingParameters?, entries: [ClassKeyName: Entry]) {
    self.generation = generation
    self.stretching = stretching
    self.entries = entries
  }
}

extension ByteReader {
  fileprivate mutating func keybagEntries() -> [ClassKeyName: KeybagRecord.Entry]? {
    guard let count = byte() else { return nil }
    var entries: [ClassKeyName: KeybagRecord.Entry] = [:]
    for _ in 0..<count {
      guard let protection = byte().flatMap(ProtectionClass.init), let use = byte().flatMap(ClassKeyUse.init),
        let check = string(atMost: 32), let wrapped = string(atMost: 128), let recovery = string(atMost: 128)
      else { return nil }
      entries[ClassKeyName(protection, use)] = KeybagRecord.Entry(check: check, wrapped: wrapped, recovery: recovery)
    }
    return entries
  }
}
