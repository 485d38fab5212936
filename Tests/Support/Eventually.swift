import LinuxSystem

/// Waits until something holds, at most half a minute: a busy machine is slow, and only a test that fails waits that long.
///
/// - Returns: whether it came to hold.
public func eventually(_ holds: () throws -> Bool) rethrows -> Bool {
  let deadline = Clock.boottime + 30_000_000_000
  while try !holds() {
    guard Clock.boottime < deadline else { return false }
    _ = try? Poll.wait([], timeoutMilliseconds: 2)
  }
  return true
}
