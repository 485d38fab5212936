import Foundation
import LinuxSystem
import Synchronization
import Testing

import SystemBus
import TestSupport

/// A logind that says what a test wants, on a reader's bus: the lid, where sessions come from, and sleep.
final class MockLogin: Sendable {
  private struct State {
    var lidIsClosed = false
    var session: Session?
    /// The ends that stand for locks that were given to Latchkey.
    var locks: [OwnedDescriptor] = []
    /// Who asked for them.
    var holders: Set<String> = []
    var signals: [Bool] = []
    var isOver = false
    var questions = 0
    var hangs = false
    var failure: String?
  }

  /// What it tells of a session, as org.freedesktop.login1(5) has it.
  struct Session {
    var uid: UInt32 = 0
    var isRemote = false
    var host = ""
    var terminal = ""
  }

  private let state = Mutex(State())
  private static let name = "org.freedesktop.login1"

  /// Takes logind's name on the bus.
  init(on house: FingerprintHouse) throws {
    let address = try #require(BusAddress(house.busAddress))
    let bus = try BusConnection(address, until: Clock.boottime + 10_000_000_000)
    let answer = try bus.callBus(
      "RequestName", [.text(Self.name), .number(4)], until: Clock.boottime + 10_000_000_000)
    guard case .number(1)? = answer.first else { throw BusError.refused("RequestName") }
    // A connection belongs to one thread at a time: from here on to this one.
    nonisolated(unsafe) let mine = bus
    try Threads.start { [self] in
      do { try serve(mine) } catch { state.withLock { $0.failure = "\(error)" } }
    }
  }

  /// Why it serves no more, where it did not leave by itself.
  var failure: String? { state.withLock { $0.failure } }

  /// Leaves the bus.
  func stop() { state.withLock { $0.isOver = true } }

  /// Shuts or opens the lid.
  func setLid(closed: Bool) { state.withLock { $0.lidIsClosed = closed } }

  /// Says of every process that its session is so; `nil` knows none.
  func setSession(_ session: Session?) { state.withLock { $0.session = session } }

  /// How often it was asked for a session.
  var timesAskedForSession: Int { state.withLock { $0.questions } }

  /// Answers nothing from now on.
  func hang() { state.withLock { $0.hangs = true } }

  /// Says that the machine is about to sleep, or that it woke up.
  func announceSleep(_ begins: Bool) { state.withLock { $0.signals.append(begins) } }

  /// Locks that were given out and not given back.
  var locksHeld: Int {
    state.withLock { state in
      state.locks.filter { lock in
        let events = try? Poll.wait([PollEntry(lock, [])], timeoutMilliseconds: 0)
        return events?.first?.isGone != true
      }.count
    }
  }

  /// How many locks were asked for so far.
  var locksGiven: Int { state.withLock { $0.locks.count } }

  private func serve(_ bus: BusConnection) throws {
    while !state.withLock({ $0.isOver }) {
      for begins in state.withLock({ state in
        defer { state.signals = [] }
        return state.signals
      }) {
        // To Latchkey alone: fprintd 1.94 does not give a virtual reader back that it suspends in the middle of a finger.
        for holder in state.withLock({ $0.holders }) {
          var signal = BusMessage.signal(
            "/org/freedesktop/login1", Self.name + ".Manager", "PrepareForSleep", [.boolean(begins)])
          signal.destination = holder
          try bus.send(signal)
        }
      }
      guard let message = try wait(bus), message.kind == .call, !state.withLock({ $0.hangs }) else { continue }
      try bus.send(.answer(message, try answer(message)))
    }
  }

  private func wait(_ bus: BusConnection) throws -> BusMessage? {
    do { return try bus.next(until: Clock.boottime + 5_000_000) } catch BusError.timedOut { return nil }
  }

  private func answer(_ message: BusMessage) throws -> [BusValue] {
    let session = state.withLock { $0.session ?? Session() }
    switch (message.member, message.body.last?.string) {
    case ("Get", "LidClosed"): return [.variant(.boolean(state.withLock { $0.lidIsClosed }))]
    case ("Get", "Remote"): return [.variant(.boolean(session.isRemote))]
    case ("Get", "RemoteHost"): return [.variant(.text(session.host))]
    case ("Get", "TTY"): return [.variant(.text(session.terminal))]
    case ("Get", "User"):
      return [.variant(.structure([.number(session.uid), .objectPath("/org/freedesktop/login1/user/_1")]))]
    case ("GetSessionByPID", _):
      // Without a session the answer is no path, which is not taken for one.
      return state.withLock { state in
        state.questions += 1
        return state.session == nil ? [] : [.objectPath("/org/freedesktop/login1/session/c1")]
      }
    case ("Inhibit", _):
      let ends = try OwnedDescriptor.pipe()
      // fprintd asks for a lock of its own.
      if message.body.dropFirst().first?.string == "Latchkey" {
        state.withLock { state in
          state.locks.append(ends.writing)
          state.holders.insert(message.sender ?? "")
        }
      }
      // The watcher's end is the reading one: it is gone when the writing end sees nobody.
      return [.descriptor(ends.reading)]
    default: return []
    }
  }
}
