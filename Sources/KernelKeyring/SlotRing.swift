internal import LinuxSystem
public import SecretMemory

/// One user's cached keys in the kernel: 32 slots that are made once and updated in place.
///
/// Every write arms a timeout in the kernel and a deadline on the boot clock; whichever comes first ends the entry. Slots are
/// never unlinked, because unlinked keys still count against the quota until the kernel collects them. Any thread may call; one
/// lock per ring.
public final class SlotRing: Sendable {
  /// Slots of a ring.
  public static let slotCount = 32
  /// Most bytes of one entry: 32 of them stay below the 20,000 bytes an ordinary user may have in the kernel.
  public static let maximumBytes = 512
  /// Longest life of an entry: 48 hours.
  public static let maximumSeconds: UInt32 = 172_800

  private enum State: Sendable {
    case on(SlotTable)
    case off(KeyringRefusal)
  }

  private let keyring: KernelKeyring
  private let boottime: @Sendable () -> UInt64
  private let state: BriefLock<State>

  init(keyring: KernelKeyring, boottime: @escaping @Sendable () -> UInt64) {
    self.keyring = keyring
    self.boottime = boottime
    self.state = BriefLock(Self.makeState(keyring, boottime))
  }

  deinit {
    withTable {
      _ = $0.revoke { _ in true }
      $0.discard()
    } off: { _ in
    }
  }

  /// Whether keys can be kept; `off` where the slots could not be made, or where the kernel's ring is no more: it is asked.
  public var availability: KeyringAvailability {
    state.withLock { state in
      if case .on(let table) = state, let refusal = table.lostRing() { state = .off(refusal) }
      return switch state {
      case .on: .on
      case .off(let refusal): .off(refusal)
      }
    }
  }

  /// Keeps the secret under the entry's name for so many seconds; a former one of that name is replaced, and where the kind's
  /// slots are full its oldest entry goes.
  ///
  /// - Parameters:
  ///   - secret: 1 to ``maximumBytes`` bytes.
  ///   - seconds: 1 to ``maximumSeconds``.
  public func write(_ secret: SecretBytes, to entry: SlotEntry, seconds: UInt32) -> SlotWrite {
    guard let bound = Self.boundLeft(by: secret, seconds) else { return writeWithinBounds(secret, to: entry, seconds) }
    _ = revoke(entry)
    return .refused(bound)
  }

  /// The secret under the entry's name, or why there is none.
  public func read(_ entry: SlotEntry) -> SlotRead {
    withTable {
      $0.read(entry)
    } off: {
      .ended(.cacheOff($0))
    }
  }

  /// Seconds until the entry ends, begun ones counted whole; nil where it has.
  public func secondsLeft(_ entry: SlotEntry) -> UInt32? {
    withTable {
      $0.secondsLeft(entry)
    } off: { _ in
      nil
    }
  }

  /// All entries that live, with the seconds left.
  public func entries() -> [(entry: SlotEntry, secondsLeft: UInt32)] {
    withTable {
      $0.entries()
    } off: { _ in
      []
    }
  }

  /// Ends one entry now; the kernel frees its payload.
  public func revoke(_ entry: SlotEntry) -> SlotRevocation {
    withTable {
      $0.revoke { $0 == entry }
    } off: { _ in
      .done
    }
  }

  /// Ends every entry of the kinds now, as a lock does.
  public func revokeAll(of kinds: Set<SlotKind> = Set(SlotKind.allCases)) -> SlotRevocation {
    withTable {
      $0.revoke { kinds.contains($0.kind) }
    } off: { _ in
      .done
    }
  }

  // MARK: Inside

  /// The kernel's numbers of all slots, for tests.
  var serials: [KeyringCalls.Serial] {
    withTable {
      $0.serials
    } off: { _ in
      []
    }
  }

  /// The kernel's number of the slot an entry is in, for tests.
  func serial(of entry: SlotEntry) -> KeyringCalls.Serial? {
    withTable {
      $0.serial(of: entry)
    } off: { _ in
      nil
    }
  }

  private static func makeState(_ keyring: KernelKeyring, _ boottime: @escaping @Sendable () -> UInt64) -> State {
    do { return .on(try SlotTable(keyring, boottime: boottime)) } catch { return .off(error) }
  }

  private static func boundLeft(by secret: SecretBytes, _ seconds: UInt32) -> SlotBound? {
    guard 1...maximumBytes ~= secret.count else { return .size }
    return 1...maximumSeconds ~= seconds ? nil : .seconds
  }

  private func writeWithinBounds(_ secret: SecretBytes, to entry: SlotEntry, _ seconds: UInt32) -> SlotWrite {
    state.withLock { state in
      // A quota that was full may have emptied since; what else switches a keyring off stays.
      if case .off(.call(_, .quotaExceeded)) = state { state = Self.makeState(keyring, boottime) }
      let outcome = Self.with(state) {
        $0.write(secret, to: entry, seconds: seconds)
      } off: {
        .off($0)
      }
      // A key that ends is made anew in the ring; that this fails as if it had ended says that the ring has.
      if case .off(.call(.add, let error)) = outcome, error.isEndOfKey { state = .off(.call(.add, error)) }
      return outcome
    }
  }

  private func withTable<Answer: Sendable>(
    _ body: (SlotTable) -> Answer, off: (KeyringRefusal) -> Answer
  ) -> Answer {
    state.withLock { Self.with($0, body, off: off) }
  }

  private static func with<Answer: Sendable>(
    _ state: State, _ body: (SlotTable) -> Answer, off: (KeyringRefusal) -> Answer
  ) -> Answer {
    switch state {
    case .off(let refusal): off(refusal)
    case .on(let table): body(table)
    }
  }
}
