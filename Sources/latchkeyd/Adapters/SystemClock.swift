internal import AccessPolicy
internal import KeychainService
internal import LinuxSystem

/// The kernel's clocks.
struct SystemClock: ServiceClock {
  let bootID: [UInt8]

  /// Reads once which boot this is. Where the kernel does not say, a random number stands for it: no proof outlives the
  /// daemon, so it has to be the same for this process alone.
  init() {
    bootID = (try? BootID.current()) ?? (0..<16).map { _ in .random(in: .min ... .max) }
  }

  var now: Instant { Instant(nanoseconds: Clock.boottime) }

  var wallSeconds: Double { Double(Clock.realtime) / 1e9 }

  /// A wait that the kernel refuses ends at once; whoever waits looks again and waits again.
  func pause(milliseconds: UInt32) {
    _ = try? Poll.wait([], timeoutMilliseconds: Int32(clamping: milliseconds))
  }
}
