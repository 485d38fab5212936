import AccessPolicy
import Foundation
import KeychainService

/// The machine's own clock.
struct RealClock: ServiceClock {
  var now: Instant { Instant(nanoseconds: clock_gettime_nsec(CLOCK_BOOTTIME)) }
  var wallSeconds: Double { Date().timeIntervalSince1970 }
  var bootID: [UInt8] { [UInt8](repeating: 7, count: 16) }
  func pause(milliseconds: UInt32) { usleep(milliseconds * 1000) }

  private func clock_gettime_nsec(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
