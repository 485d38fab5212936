import LinuxSystem

/// The quickest of some rounds, in milliseconds: what a case bounds from above is the program's time, and a busy machine may
/// add its own to a round or two.
///
/// - Parameters:
///   - bound: no further round is run after one below it.
///   - rounds: the most that are run.
///   - round: answers its own time.
public func quickest(
  below bound: Double, rounds: Int = 5, _ round: () throws -> Double
) rethrows -> Double {
  var best = Double.infinity
  for _ in 0..<rounds where best >= bound { best = min(best, try round()) }
  return best
}

/// How long something takes, in milliseconds of the boot-time clock.
public func milliseconds(_ body: () throws -> Void) rethrows -> Double {
  let start = Clock.boottime
  try body()
  return Double(Clock.boottime - start) / 1e6
}
