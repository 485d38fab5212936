@testable import KernelKeyring

extension KernelKeyring {
  /// A keyring whose kernel answers EPERM to one call, as under a seccomp filter.
  static func refusing(_ call: KeyringCall) -> KernelKeyring {
    var calls = KeyringCalls.kernel
    if call == .add {
      calls = KeyringCalls(
        joinSession: calls.joinSession, processKeyring: calls.processKeyring, setPermissions: calls.setPermissions,
        add: { (_, _, _) throws(KeyringError) in throw .notPermitted }, update: calls.update,
        setTimeout: calls.setTimeout, read: calls.read, readFromThread: calls.readFromThread, revoke: calls.revoke,
        unlink: calls.unlink)
    }
    return KernelKeyring.join(calls: calls)
  }
}
