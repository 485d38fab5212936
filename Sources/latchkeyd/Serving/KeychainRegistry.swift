internal import KeychainModel
internal import KeychainService
internal import LinuxSystem
internal import Synchronization

/// The keychains of all users served, each opened at its first request and kept.
final class KeychainRegistry: Sendable {
  /// Opens a user's keychain.
  typealias Opening = @Sendable (UserAccountName) throws(Refusal) -> ServedUser
  /// Finds a user's name.
  typealias Naming = @Sendable (UInt32) throws(Refusal) -> String

  /// How long a user id is taken to belong to the same name, in nanoseconds: 5 seconds.
  static let nameNanoseconds: UInt64 = 5_000_000_000

  private struct Kept {
    var user: ServedUser
    var checkedAt: UInt64
  }

  private final class Slot: Sendable {
    /// Held for moments only, so that who locks can wait for it.
    let kept = BriefLock<Kept?>(nil)
    /// Held by the one who opens the keychain, however long that takes.
    let opening = Mutex(())
  }

  private let slots = BriefLock<[UInt32: Slot]>([:])
  private let name: Naming
  private let open: Opening

  init(naming name: @escaping Naming, opening open: @escaping Opening) {
    self.name = name
    self.open = open
  }

  /// The user's keychain. One that could not be opened is tried again at the next request.
  ///
  /// - Throws: ``Refusal``: why the store cannot be opened, or `accountDenied` where no account has this id.
  func user(_ uid: UInt32) throws(Refusal) -> ServedUser {
    let slot = slots.withLock { slots in
      let slot = slots[uid] ?? Slot()
      slots[uid] = slot
      return slot
    }
    let now = Clock.boottime
    if let kept = slot.kept.withLock({ $0 }), now - min(kept.checkedAt, now) < Self.nameNanoseconds {
      return kept.user
    }
    let account = UserAccountName(uid: uid, name: try name(uid))
    return try slot.opening.withLock { (_) throws(Refusal) in try renew(slot, account, now) }
  }

  private func renew(_ slot: Slot, _ account: UserAccountName, _ now: UInt64) throws(Refusal) -> ServedUser {
    let stale = slot.kept.withLock { kept -> ServedUser? in
      guard let user = kept?.user else { return nil }
      kept = user.account == account ? Kept(user: user, checkedAt: now) : nil
      return user
    }
    if let stale {
      if stale.account == account { return stale }
      // The id belongs to another account now: what was unlocked ends, and the store itself refuses the newcomer.
      stale.keychain.lock(.everything)
    }
    let user = try open(account)
    slot.kept.withLock { $0 = Kept(user: user, checkedAt: now) }
    return user
  }

  /// Locks for every user, and ends what proofs unlocked.
  func lockAll(_ event: LockEvent) {
    for user in openUsers { user.keychain.lock(event) }
  }

  /// Whether any user's key is open.
  var holdsKeys: Bool { openUsers.contains(where: \.holdsKeys) }

  /// Those that are open. One that is being opened at this moment has nothing unlocked yet.
  private var openUsers: [ServedUser] {
    slots.withLock { Array($0.values) }.compactMap { slot in slot.kept.withLock { $0?.user } }
  }
}
