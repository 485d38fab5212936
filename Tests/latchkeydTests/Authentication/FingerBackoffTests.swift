import Testing

@testable import latchkeyd

@Suite struct FingerBackoffTests {
  @Test func `a reader that always fails is started at most eight times, after growing pauses`() {
    var backoff = FingerBackoff()
    var starts = 0
    var now: UInt64 = 0
    var pauses: [UInt64] = []
    // 60 seconds of a clock that goes on by the pauses alone.
    while now < 60_000_000_000 {
      starts += 1
      guard case .pause(let nanoseconds) = backoff.failed() else { break }
      pauses.append(nanoseconds)
      now += nanoseconds
    }
    #expect(starts == 8)
    #expect(pauses.count == 7)
    #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0 * 2 == $1 })
    #expect(backoff.failed() == .giveUp, "once it has given up it stays so")
  }

  @Test func `a reader that worked in between begins anew`() {
    var backoff = FingerBackoff()
    for _ in 0..<7 { #expect(backoff.failed() != .giveUp) }
    backoff.worked()
    #expect(backoff.failed() == .pause(FingerBackoff.firstPause))
  }
}
