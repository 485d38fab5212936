import Foundation

/// What a program of the tests found out, a line each; the test that runs it reads them.
final class Checks: @unchecked Sendable {
  private let lock = NSLock()
  private var failed = 0
  private var passed = 0

  /// Says whether something held.
  func expect(_ holds: Bool, _ sentence: String, _ found: @autoclosure () -> Any = "") {
    lock.withLock {
      if holds { passed += 1 } else { failed += 1 }
      print(holds ? "ok \(sentence)" : "FAIL \(sentence): \(found())")
    }
  }

  /// Says how many held, and ends the program.
  func finish() -> Never {
    print("passed \(passed) failed \(failed)")
    exit(failed == 0 ? 0 : 1)
  }
}
