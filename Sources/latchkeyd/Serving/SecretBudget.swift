internal import KeychainWire
internal import LinuxSystem
internal import SecretMemory
internal import Synchronization

/// Bounds the secret bytes that each user has under way, in requests that come in and in answers that are not read yet, so that
/// nobody's half-sent frames and unread answers use up the memory that all users share.
final class SecretBudget: Sendable {
  /// The most that one user may have under way: 8 MiB.
  static let userBytes = 8 * 1024 * 1024

  /// What a client hears who asks for more.
  static let excuse = "values of this user that are sent and not read yet fill its part of the daemon's memory"

  /// What one user of this budget may have under way.
  let bytes: Int
  private let taken = Mutex<[UInt32: Int]>([:])

  init(bytes: Int) { self.bytes = bytes }

  /// A share of what large values may have together, at most ``userBytes``; one frame of the largest always fits.
  ///
  /// - Parameter users: how many users' parts must fit.
  convenience init(users: Int = 4, of limit: Int = SecretMemory.largeLimit) {
    self.init(bytes: max(min(Self.userBytes, limit / users), WireLimits.secretBytes))
  }

  /// One user's part.
  ///
  /// - Parameter connection: who waits for a share of it waits no longer than this is open; `nil` for no such bound.
  func part(of uid: UInt32, while connection: OwnedDescriptor? = nil) -> Part {
    Part(budget: self, uid: uid, connection: connection)
  }

  /// Secret bytes that a user has under way.
  func taken(by uid: UInt32) -> Int { taken.withLock { $0[uid, default: 0] } }

  private func take(_ wanted: Int, _ uid: UInt32) -> Claim? {
    taken.withLock { taken in
      let sum = taken[uid, default: 0] + wanted
      guard sum <= bytes else { return nil }
      taken[uid] = sum
      return Claim(budget: self, uid: uid, bytes: wanted)
    }
  }

  private func giveBack(_ claim: Claim) {
    taken.withLock { taken in
      let left = taken[claim.uid, default: 0] - claim.bytes
      taken[claim.uid] = left == 0 ? nil : left
    }
  }

  /// What one user may have under way.
  struct Part: SecretQuota {
    let budget: SecretBudget
    let uid: UInt32
    let connection: OwnedDescriptor?

    func claim(_ bytes: Int, until deadline: UInt64) -> (any SecretClaim)? {
      while true {
        if let claim = budget.take(bytes, uid) { return claim }
        guard Clock.boottime < deadline else { return nil }
        // A connection that had to make room for another must not keep its thread.
        let entries = connection.map { [PollEntry($0, [])] } ?? []
        guard let results = try? Poll.wait(entries, timeoutMilliseconds: 5), results.first?.isGone != true else {
          return nil
        }
      }
    }
  }

  private final class Claim: SecretClaim {
    let budget: SecretBudget
    let uid: UInt32
    let bytes: Int

    init(budget: SecretBudget, uid: UInt32, bytes: Int) {
      self.budget = budget
      self.uid = uid
      self.bytes = bytes
    }

    deinit { budget.giveBack(self) }
  }
}
