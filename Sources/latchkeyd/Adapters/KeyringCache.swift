internal import KernelKeyring
internal import KeychainModel
internal import KeychainService
internal import SecretMemory
internal import Synchronization

/// One user's cached keys in the kernel keyring.
///
/// Nothing of it is secret outside of the kernel: this object holds names alone. Where the kernel keeps no keys, everything
/// answers "not there" and says why.
final class KeyringCache: KeyCaching {
  private let ring: SlotRing
  private let marks = Atomic<UInt64>(0)
  private let subjects = Mutex(CacheSubjects())

  /// Fits a ring to the service. The ring has its own boot-time clock, so this one needs none.
  init(ring: SlotRing, clock: any ServiceClock) { self.ring = ring }

  var availability: CacheAvailability {
    switch ring.availability {
    case .on: .on
    case .off(let refusal): .off(refusal.description)
    }
  }

  // MARK: Class keys

  func keep(_ keys: ClassKeys) -> CacheAvailability {
    var outcome = CacheAvailability.on
    for name in ClassKeySlot.all {
      guard let key = keys[name.protection, name.use] else {
        _ = ring.revoke(name.entry)
        continue
      }
      if case .off(let why) = write(key, to: name.entry, seconds: SlotRing.maximumSeconds) { outcome = .off(why) }
    }
    return outcome
  }

  /// Reading a key that has used up half of its life gives it a whole one: an open class ends by a lock, not because it is in use.
  func classKey(for protection: ProtectionClass, use: ClassKeyUse) -> SecretBytes? {
    let entry = ClassKeySlot(protection: protection, use: use).entry
    guard case .found(let key) = ring.read(entry) else { return nil }
    if let left = ring.secondsLeft(entry), left < SlotRing.maximumSeconds / 2 {
      _ = ring.write(key, to: entry, seconds: SlotRing.maximumSeconds)
    }
    return key
  }

  /// By the ring's own deadline, which is never later than the kernel's. A key in the second half of its life is read, so
  /// that it gets a whole one. What the kernel lost unasked shows when something is opened.
  func standing(of protection: ProtectionClass, use: ClassKeyUse) -> ClassKeyStanding {
    let left = ring.secondsLeft(ClassKeySlot(protection: protection, use: use).entry) ?? 0
    if left >= SlotRing.maximumSeconds / 2 { return .kept }
    return left > 0 && classKey(for: protection, use: use) != nil ? .kept : .ended
  }

  // MARK: Item keys

  func keepItemKey(_ key: SecretBytes, for item: ItemIdentifier, service: ExactText, seconds: UInt32) {
    guard seconds > 0 else { return }
    let entry = SlotEntry(kind: .item, name: item.bytes)
    guard write(key, to: entry, seconds: min(seconds, SlotRing.maximumSeconds)) == .on else { return }
    note(service, for: entry)
  }

  func itemKey(for item: ItemIdentifier) -> SecretBytes? {
    guard case .found(let key) = ring.read(SlotEntry(kind: .item, name: item.bytes)) else { return nil }
    return key
  }

  func forgetItemKey(for item: ItemIdentifier) { _ = ring.revoke(SlotEntry(kind: .item, name: item.bytes)) }

  // MARK: Biometric unlock

  func keepBiometricUnlock(_ keys: ClassKeys, for set: [UInt8], seconds: UInt32) {
    guard seconds > 0, let bundle = ClassKeyBundle.pack(keys) else { return }
    _ = write(bundle, to: Self.entry(of: set), seconds: min(seconds, SlotRing.maximumSeconds))
  }

  func biometricUnlock(for set: [UInt8]) -> ClassKeys? {
    guard case .found(let bundle) = ring.read(Self.entry(of: set)) else { return nil }
    return ClassKeyBundle.unpack(bundle)
  }

  private static func entry(of set: [UInt8]) -> SlotEntry { SlotEntry(kind: .biometricUnlock, name: set) }

  // MARK: Proofs

  func keepProof(service: ExactText, seconds: UInt32) -> ProofMark? {
    guard seconds > 0, let byte = try? SecretBytes(count: 1) else { return nil }
    let mark = ProofMark(value: marks.wrappingAdd(1, ordering: .relaxed).newValue)
    let entry = Self.entry(of: mark)
    guard write(byte, to: entry, seconds: min(seconds, SlotRing.maximumSeconds)) == .on else { return nil }
    note(service, for: entry)
    return mark
  }

  func stands(_ mark: ProofMark) -> ProofStanding {
    if case .found = ring.read(Self.entry(of: mark)) { .alive } else { .ended }
  }

  private static func entry(of mark: ProofMark) -> SlotEntry {
    SlotEntry(kind: .proof, name: (0..<8).map { UInt8(truncatingIfNeeded: mark.value >> (8 * $0)) })
  }

  // MARK: All of them

  /// What the kernel refuses to free it lends no more and frees at the entry's own end.
  func revoke(_ scope: RevocationScope) {
    switch scope {
    case .everyClass: _ = ring.revokeAll()
    case .locked(let spared):
      revokeItemsAndProofs(sparing: spared)
      for name in ClassKeySlot.all where name.protection != .afterFirstUnlock { _ = ring.revoke(name.entry) }
    }
  }

  private func revokeItemsAndProofs(sparing spared: Set<ExactText>) {
    guard !spared.isEmpty else {
      _ = ring.revokeAll(of: [.item, .proof])
      return
    }
    for (entry, _) in ring.entries() where entry.kind == .item || entry.kind == .proof {
      let service = subjects.withLock { $0.service(of: entry) }
      if service.map(spared.contains) != true { _ = ring.revoke(entry) }
    }
  }

  func entries() -> [CachedEntry] {
    let living = ring.entries()
    return subjects.withLock { subjects in
      living.map { entry, left in
        CachedEntry(kind: Self.kind(of: entry), subject: subjects.subject(of: entry), secondsLeft: left)
      }
    }
  }

  private static func kind(of entry: SlotEntry) -> String {
    switch entry.kind {
    case .classKey: ClassKeySlot(entry).map { "class \($0.word)" } ?? "class"
    case .proof: "proof"
    case .biometricUnlock: "biometric unlock"
    case .item: "item"
    }
  }

  private func write(_ key: SecretBytes, to entry: SlotEntry, seconds: UInt32) -> CacheAvailability {
    switch ring.write(key, to: entry, seconds: seconds) {
    case .kept: .on
    case .off(let refusal): .off(refusal.description)
    case .refused(.size): .off("a key is larger than \(SlotRing.maximumBytes) bytes")
    case .refused(.seconds): .off("a timeout is not 1 to \(SlotRing.maximumSeconds) s")
    }
  }

  private func note(_ service: ExactText, for entry: SlotEntry) {
    subjects.withLock { $0.note(service, for: entry, living: { ring.entries().map(\.entry) }) }
  }
}

/// One class key's place in the ring. `always` has none: the device key opens it.
struct ClassKeySlot {
  let protection: ProtectionClass
  let use: ClassKeyUse

  static let all: [ClassKeySlot] = [ProtectionClass.afterFirstUnlock, .whenUnlocked, .whenPasscodeSet].flatMap { one in
    ClassKeyUse.allCases.map { ClassKeySlot(protection: one, use: $0) }
  }

  var entry: SlotEntry { SlotEntry(kind: .classKey, name: [protection.rawValue, use.rawValue]) }

  init(protection: ProtectionClass, use: ClassKeyUse) {
    self.protection = protection
    self.use = use
  }

  init?(_ entry: SlotEntry) {
    guard entry.kind == .classKey, entry.name.count == 2, let protection = ProtectionClass(rawValue: entry.name[0]),
      let use = ClassKeyUse(rawValue: entry.name[1])
    else { return nil }
    self.init(protection: protection, use: use)
  }

  /// The class as items name it.
  var word: String {
    switch protection {
    case .always: "dk"
    case .afterFirstUnlock: "ck"
    case .whenUnlocked: "ak"
    case .whenPasscodeSet: "akpu"
    }
  }
}

/// Which service an entry is for: for `status`, and for a lock that spares services.
private struct CacheSubjects {
  private var services: [SlotEntry: ExactText] = [:]

  mutating func note(_ service: ExactText, for entry: SlotEntry, living: () -> [SlotEntry]) {
    services[entry] = service
    guard services.count > 2 * SlotRing.slotCount else { return }
    let kept = Set(living())
    services = services.filter { kept.contains($0.key) }
  }

  func service(of entry: SlotEntry) -> ExactText? { services[entry] }

  func subject(of entry: SlotEntry) -> String {
    if let name = ClassKeySlot(entry) { return name.use == .values ? "values" : "metadata" }
    return services[entry]?.string ?? ""
  }
}
