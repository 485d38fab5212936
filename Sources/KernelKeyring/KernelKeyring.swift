internal import SecretMemory

/// This process's keyring in the kernel: what is in it can be read by this process alone, not by its children, other
/// processes of the same user, or root by number, and is gone when the process ends (keyrings(7), process-keyring(7)).
///
/// Rings belong to the calling thread's credentials: a thread that ran before ``join()`` never sees the keys.
public struct KernelKeyring: Sendable {
  /// Whether the kernel keeps keys for this process.
  public let availability: KeyringAvailability

  let calls: KeyringCalls
  let ring: KeyringCalls.Serial

  /// Leaves the session keyring that the process was born with, makes the process keyring, shuts it to everybody else, and
  /// proves with a key of one byte that a thread started later reads it.
  ///
  /// The first statement of `main`, before any thread starts. It does not throw: where the kernel refuses, the keyring is off
  /// and says why.
  public static func join() -> KernelKeyring { join(calls: .kernel) }

  static func join(calls: KeyringCalls) -> KernelKeyring {
    do {
      try attempt(.joinSession, calls.joinSession)
      let ring = try attempt(.processKeyring, calls.processKeyring)
      try attempt(.setPermissions) { () throws(KeyringError) in try calls.setPermissions(ring, KeyringPermissions.ring)
      }
      try proveReadable(ring, calls)
      return KernelKeyring(availability: .on, calls: calls, ring: ring)
    } catch {
      return KernelKeyring(availability: .off(error), calls: calls, ring: 0)
    }
  }

  /// Makes 32 slots for one user's keys.
  ///
  /// - Parameter boottime: nanoseconds of CLOCK_BOOTTIME, which go on while the machine sleeps.
  public func makeRing(boottime: @escaping @Sendable () -> UInt64) -> SlotRing {
    SlotRing(keyring: self, boottime: boottime)
  }

  private static func proveReadable(_ ring: KeyringCalls.Serial, _ calls: KeyringCalls) throws(KeyringRefusal) {
    let byte: SecretBytes
    do { byte = try SecretBytes(count: 1) } catch { throw .noLockedMemory }
    let key = try attempt(.add) { () throws(KeyringError) in try calls.add("latchkey-probe", byte, ring) }
    // The byte is no secret: what matters is the answer of the read, not whether the probe outlives it.
    defer { try? calls.unlink(key, ring) }
    try attempt(.readFromThread) { () throws(KeyringError) in try calls.readFromThread(key) }
  }

  /// Names the call that failed.
  static func attempt<Answer>(
    _ call: KeyringCall, _ body: () throws(KeyringError) -> Answer
  ) throws(KeyringRefusal) -> Answer {
    do { return try body() } catch { throw .call(call, error) }
  }
}
