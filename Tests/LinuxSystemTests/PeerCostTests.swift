import LinuxSystem
import Testing

@Test func `looking at a peer again costs microseconds`() throws {
  let (near, far) = try UnixSocket.streamPair()
  let peer = try PeerProcess.identify(near, acceptedAt: Clock.boottime)
  var best = UInt64.max
  for _ in 0..<10 {
    let start = Clock.monotonic
    for _ in 0..<2000 { _ = try peer.executable() }
    best = min(best, (Clock.monotonic - start) / 2000)
  }
  // A bound far above what it takes; what it catches is a walk over paths or a read of a text on the way of every
  // request.
  #expect(best < 50_000, "\(best) ns")
  withExtendedLifetime(far) {}
}
