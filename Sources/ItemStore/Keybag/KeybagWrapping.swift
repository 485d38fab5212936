internal import KeychainModel
internal import SecretMemory

/// How one key of the keybag is wrapped; part of the associated data, so that no wrap passes for another.
enum KeybagWrap: UInt8 {
  /// A class key under the device key.
  case device = 1
  /// A class key under device key and passcode.
  case passcode = 2
  /// A class key under the recovery wrapping key.
  case recovery = 3
  /// The recovery wrapping key under device key and recovery key.
  case recoveryByKey = 4
  /// The recovery wrapping key under the `whenUnlocked` key.
  case recoveryByClass = 5

  /// label | wrap (1) | class (1) | use (1) | generation (4).
  func associatedData(_ name: ClassKeyName?, generation: UInt32) -> [UInt8] {
    var writer = ByteWriter()
    writer.raw(Array("latchkey keybag 1".utf8))
    writer.byte(rawValue)
    writer.byte(name?.protection.rawValue ?? 0)
    writer.byte(name?.use.rawValue ?? 0)
    writer.fixed(generation)
    return writer.bytes
  }
}

extension KeybagRecord {
  /// The classes that need the passcode in a bound keybag.
  static let passcodeClasses: [ProtectionClass] = [.afterFirstUnlock, .whenUnlocked, .whenPasscodeSet]

  /// An unbound keybag around these keys.
  static func unbound(_ keys: ClassKeySet, _ device: DeviceKeys) throws(StoreError) -> KeybagRecord {
    var record = KeybagRecord(generation: 1, stretching: nil, entries: [:])
    try record.wrap(keys, .device, under: device.classWrap)
    return record
  }

  /// A bound keybag around these keys, of the next generation.
  func bound(
    _ keys: ClassKeySet, _ passcode: StretchedPasscode, _ device: DeviceKeys
  ) throws(StoreError) -> KeybagRecord {
    var record = KeybagRecord(generation: generation + 1, stretching: passcode.parameters, entries: [:])
    try record.wrap(keys, device, passcode)
    return record
  }

  /// Wraps `always` by the device key and the rest by device key and passcode.
  mutating func wrap(_ keys: ClassKeySet, _ device: DeviceKeys, _ passcode: StretchedPasscode) throws(StoreError) {
    try wrap(keys.only([.always]), .device, under: device.classWrap)
    try wrap(keys.only(Self.passcodeClasses), .passcode, under: device.passcodeWrap(passcode.key))
  }

  private mutating func wrap(_ keys: ClassKeySet, _ wrap: KeybagWrap, under key: SecretBytes) throws(StoreError) {
    for (name, classKey) in keys.keys {
      let sealed = try Seal.seal(classKey, key, wrap.associatedData(name, generation: generation))
      let recovery = entries[name]?.recovery ?? []
      entries[name] = Entry(check: Self.check(of: classKey), wrapped: sealed, recovery: recovery)
    }
  }

  /// The keys that open without a passcode: every one of an unbound keybag, `always` of a bound one.
  func deviceKeys(_ device: DeviceKeys) throws(StoreError) -> ClassKeySet {
    let classes: [ProtectionClass] = isBound ? [.always] : ProtectionClass.allCases
    guard let keys = try unwrap(classes, .device, under: device.classWrap) else { throw .damaged(.keybag) }
    return keys
  }

  /// The keys behind the passcode, or `nil` where it does not open them.
  func passcodeKeys(_ stretched: SecretBytes, _ device: DeviceKeys) throws(StoreError) -> ClassKeySet? {
    try unwrap(Self.passcodeClasses, .passcode, under: device.passcodeWrap(stretched))
  }

  /// The keys behind the recovery key, or `nil` where it does not open them.
  func recoveredKeys(_ recovery: SecretBytes, _ device: DeviceKeys) throws(StoreError) -> ClassKeySet? {
    let data = KeybagWrap.recoveryByKey.associatedData(nil, generation: generation)
    guard let wrapping = try Seal.open(recoveryByKey, device.recoveryWrap(recovery), data) else { return nil }
    var keys: [ClassKeyName: SecretBytes] = [:]
    for (name, entry) in entries where !entry.recovery.isEmpty {
      let data = KeybagWrap.recovery.associatedData(name, generation: generation)
      guard let key = try Seal.open(entry.recovery, wrapping, data) else { return nil }
      keys[name] = key
    }
    return ClassKeySet(keys)
  }

  /// Wraps the passcode's classes under the recovery wrapping key, where there is one.
  mutating func extendRecovery(_ keys: ClassKeySet) throws(StoreError) {
    guard hasRecoveryKey else { return }
    guard let unlocked = keys.key(for: .whenUnlocked, use: .values),
      let wrapping = try Seal.open(
        recoveryByClass, unlocked, KeybagWrap.recoveryByClass.associatedData(nil, generation: generation))
    else { throw .damaged(.keybag) }
    try wrapForRecovery(keys, under: wrapping)
  }

  /// Makes a new recovery wrapping key under this recovery key; the old one is gone.
  mutating func setRecovery(
    _ recovery: SecretBytes, _ keys: ClassKeySet, _ device: DeviceKeys
  ) throws(StoreError) {
    guard let unlocked = keys.key(for: .whenUnlocked, use: .values) else { throw .locked(.whenUnlocked) }
    let wrapping = try SecretBytes.randomKey()
    recoveryByKey = try Seal.seal(
      wrapping, device.recoveryWrap(recovery), KeybagWrap.recoveryByKey.associatedData(nil, generation: generation))
    recoveryByClass = try Seal.seal(
      wrapping, unlocked, KeybagWrap.recoveryByClass.associatedData(nil, generation: generation))
    try wrapForRecovery(keys, under: wrapping)
  }

  private mutating func wrapForRecovery(_ keys: ClassKeySet, under wrapping: SecretBytes) throws(StoreError) {
    for (name, key) in keys.only(Self.passcodeClasses).keys where entries[name] != nil {
      let data = KeybagWrap.recovery.associatedData(name, generation: generation)
      entries[name]?.recovery = try Seal.seal(key, wrapping, data)
    }
  }

  /// The keys of these classes, without those destroyed; `nil` where one does not open.
  private func unwrap(
    _ classes: [ProtectionClass], _ wrap: KeybagWrap, under key: SecretBytes
  ) throws(StoreError) -> ClassKeySet? {
    var keys: [ClassKeyName: SecretBytes] = [:]
    for (name, entry) in entries where classes.contains(name.protection) && !entry.wrapped.isEmpty {
      guard let opened = try Seal.open(entry.wrapped, key, wrap.associatedData(name, generation: generation)) else {
        return nil
      }
      keys[name] = opened
    }
    return ClassKeySet(keys)
  }
}

extension ClassKeySet {
  func only(_ classes: [ProtectionClass]) -> ClassKeySet {
    ClassKeySet(keys.filter { classes.contains($0.key.protection) })
  }
}
