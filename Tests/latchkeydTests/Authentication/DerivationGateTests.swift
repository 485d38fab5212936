import Dispatch
import Foundation
import KeychainModel
import Synchronization
import Testing

@testable import latchkeyd

/// How many derivations run at once.
@Suite struct DerivationGateTests {
  @Test func `one user has one at a time, and the next one starts when it ends`() throws {
    let gate = DerivationGate()
    let waited = DispatchSemaphore(value: 0)
    let finished = DispatchSemaphore(value: 0)
    let running = Mutex(1)
    gate.run(1) { _ in
      Issue.record("it waits")
    } _: {
      Thread {
        gate.run(1) { round in
          if round == 0 { waited.signal() }
          usleep(1000)
        } _: {
          #expect(running.withLock { $0 } == 0)
        }
        finished.signal()
      }.start()
      #expect(waited.wait(timeout: .now() + 10) == .success)
      running.withLock { $0 = 0 }
    }
    #expect(finished.wait(timeout: .now() + 10) == .success)
  }

  @Test func `the machine has two at a time`() throws {
    let gate = DerivationGate()
    struct Full: Error {}
    let full: (Int) throws -> Void = { _ in throw Full() }
    try gate.run(1, waiting: full) {
      try gate.run(2, waiting: full) {
        #expect(throws: Full.self) { try gate.run(3, waiting: full) {} }
        #expect(throws: Full.self) { try gate.run(1, waiting: full) {} }
      }
      #expect(throws: Full.self) { try gate.run(1, waiting: full) {} }
      try gate.run(3, waiting: full) {}
    }
    try gate.run(1, waiting: full) {}
  }

  @Test func `a turn is had at once or not at all, and makes room at its end, once`() throws {
    let gate = DerivationGate()
    let first = try #require(gate.turn(of: 1))
    #expect(gate.turn(of: 1) == nil)
    var second = gate.turn(of: 2)
    #expect(second != nil && gate.turn(of: 3) == nil)
    first.end()
    let again = try #require(gate.turn(of: 1))
    // What has ended already takes nobody else's turn away.
    first.end()
    #expect(gate.turn(of: 1) == nil)
    second = nil
    #expect(gate.turn(of: 3) != nil)
    again.end()
  }

  @Test func `a derivation that fails gives its turn back`() throws {
    let gate = DerivationGate()
    struct Broken: Error {}
    for _ in 0..<3 {
      #expect(throws: Broken.self) {
        try gate.run(1) { _ in
          Issue.record("it waits")
        } _: {
          throw Broken()
        }
      }
    }
  }
}
