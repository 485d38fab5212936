import CKeyutils
import Glibc
import SecretMemory
import Synchronization

@testable import KernelKeyring

/// A boot clock that goes on by hand.
final class HandClock: Sendable {
  private let now: Atomic<UInt64>
  init(_ start: UInt64 = 1_000_000_000_000) { now = Atomic(start) }
  func advance(milliseconds: UInt64) { now.add(milliseconds * 1_000_000, ordering: .relaxed) }
  var read: @Sendable () -> UInt64 { { self.now.load(ordering: .relaxed) } }
}

/// Nanoseconds of CLOCK_BOOTTIME.
@Sendable func boottime() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_BOOTTIME, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// A call that the kernel refuses from now on.
final class Refusals: Sendable {
  private let refused = Mutex<[KeyringCall: KeyringError]>([:])

  func refuse(_ call: KeyringCall, _ error: KeyringError?) { refused.withLock { $0[call] = error } }

  private func check(_ call: KeyringCall) throws(KeyringError) {
    if let error = refused.withLock({ $0[call] }) { throw error }
  }

  /// The kernel's calls, but for those that are refused.
  var calls: KeyringCalls {
    let real = KeyringCalls.kernel
    return KeyringCalls(
      joinSession: { () throws(KeyringError) in
        try self.check(.joinSession)
        try real.joinSession()
      },
      processKeyring: { () throws(KeyringError) in
        try self.check(.processKeyring)
        return try real.processKeyring()
      },
      setPermissions: { (key, mask) throws(KeyringError) in
        try self.check(.setPermissions)
        try real.setPermissions(key, mask)
      },
      add: { (description, payload, ring) throws(KeyringError) in
        try self.check(.add)
        return try real.add(description, payload, ring)
      },
      update: { (key, payload) throws(KeyringError) in
        try self.check(.update)
        try real.update(key, payload)
      },
      setTimeout: { (key, seconds) throws(KeyringError) in
        try self.check(.setTimeout)
        try real.setTimeout(key, seconds)
      },
      read: { (key, target) throws(KeyringError) in
        try self.check(.read)
        return try real.read(key, target)
      },
      readFromThread: { (key) throws(KeyringError) in
        try self.check(.readFromThread)
        try real.readFromThread(key)
      },
      revoke: { (key) throws(KeyringError) in
        try self.check(.revoke)
        try real.revoke(key)
      },
      unlink: real.unlink)
  }
}

func item(_ number: Int) -> SlotEntry { SlotEntry(kind: .item, name: [UInt8(number & 255), UInt8(number >> 8)]) }

func secret(_ bytes: [UInt8]) -> SecretBytes { try! SecretBytes(copying: bytes) }

func secret(_ text: String) -> SecretBytes { secret(Array(text.utf8)) }

extension SlotRead {
  /// What was found, as bytes.
  var bytes: [UInt8]? {
    if case .found(let secret) = self { secret.unprotectedCopy() } else { nil }
  }
  /// Why nothing was found.
  var ending: SlotEnding? {
    if case .ended(let ending) = self { ending } else { nil }
  }
}

/// Whether the key holds nothing: the blank of an erased slot.
func isBlank(_ serial: Int32) throws(KeyringError) -> Bool {
  let target = secret([1, 1])
  let count = try KeyringCalls.kernel.read(serial, target)
  return count == 1 && target.unprotectedCopy() == [0, 1]
}

/// Polls until the condition holds or the seconds are over; whether it held.
func becomesTrue(within seconds: Double, _ condition: () -> Bool) -> Bool {
  let end = boottime() + UInt64(seconds * 1e9)
  while boottime() < end {
    if condition() { return true }
    usleep(10_000)
  }
  return condition()
}

/// Runs the body on a thread of its own that starts now.
func onNewThread(_ body: @escaping @Sendable () -> Void) {
  JoinedThread(body).join()
}

/// Becomes an ordinary user for good; only in a process of its own.
func becomeUser(_ uid: uid_t) {
  precondition(setgid(uid) == 0 && setuid(uid) == 0, "this test runs as root")
}
