import Foundation
import LinuxSystem

extension FingerprintHouse {
  /// What a virtual reader can say of a bad touch (libfprint, FpDeviceRetry).
  public enum Retry: Int, Sendable { case general = 0, tooShort, centre, removeFinger }
  /// What can be wrong with it (libfprint, FpDeviceError).
  public enum DeviceFault: Int, Sendable { case general = 0, unsupported, unopened, alreadyOpen, busy, proto }

  /// How often a finger is laid on to be enrolled.
  private static let stages = 5

  // MARK: Touching

  /// Lays a finger on, as soon as the reader wants one. On a virtual device the finger is a word.
  public func scan(_ finger: String) throws {
    try waitUntilAsked()
    try say("SCAN \(finger)")
  }

  /// Lays a finger on in a way that must be done again.
  public func scanBadly(_ retry: Retry = .tooShort) throws {
    try waitUntilAsked()
    try say("RETRY \(retry.rawValue)")
  }

  /// The reader fails where it should scan.
  public func fail(_ fault: DeviceFault = .general) throws {
    try waitUntilAsked()
    try say("ERROR \(fault.rawValue)")
  }

  /// Takes the reader away; ``startReader(_:)`` brings one back.
  public func unplug() throws { try say("UNPLUG") }

  /// Gives the device a command; it listens while somebody has claimed it.
  public func say(_ command: String) throws { try send(Array(command.utf8)) }

  func send(_ bytes: [UInt8]) throws {
    var connection: OwnedDescriptor?
    try wait("for the reader's socket") {
      connection = try? UnixSocket.connect(path: socket, timeoutMilliseconds: 1000)
      return connection != nil
    }
    guard let connection else { return }
    try Files.writeAll(connection, bytes.span)
    shutdown(connection.number, Int32(SHUT_WR))
    // It closes once the command is taken.
    var end = [UInt8](repeating: 0, count: 64)
    var span = end.mutableSpan
    _ = try Poll.wait([PollEntry(connection)], timeoutMilliseconds: 5000)
    _ = try? Files.read(connection, into: &span)
  }

  // MARK: Enrolling

  /// Enrols a finger of an account, or replaces what is enrolled under its name.
  public func enrol(_ finger: Finger = .rightIndex, as word: String, for account: String) throws {
    try enrol(finger, for: account, touches: 0..<Self.stages) { stage in
      if driver == .storage, stage == 0 {
        // The first touch looks for the finger among those that are stored.
        try scan(word)
        Thread.sleep(forTimeInterval: 0.2)
      }
      try scan(word)
    }
  }

  /// Enrols a finger that is laid on once for each number.
  public func enrol(
    _ finger: Finger = .rightIndex, for account: String, touches: Range<Int>, touching touch: (Int) throws -> Void
  ) throws {
    let process = try startEnrolling(finger, for: account)
    do {
      for number in touches { try touch(number) }
    } catch {
      process.killAndWait()
      throw error
    }
    guard process.status(within: 30_000) == 0 else { throw Fault("fprintd-enroll of \(finger) failed") }
  }

  /// Starts it when the reader is free: fprintd takes a moment to see that whoever had it has gone.
  private func startEnrolling(_ finger: Finger, for account: String) throws -> SpawnedProcess {
    try wait("for the reader to be free") { !isTrue("finger-needed") }
    let words = ["fprintd-enroll", "-f", finger.rawValue, account]
    var process: SpawnedProcess?
    try wait("for the reader to enrol a finger") {
      let attempt = try Spawn.start(
        "/usr/bin/fprintd-enroll",
        SpawnPlan(arguments: words, environment: ["LC_ALL": "C"].merging(environment) { $1 }, descriptors: []))
      process = attempt
      while try attempt.tryWait() == nil {
        if isTrue("finger-needed") { return true }
      }
      return false
    }
    guard let process else { throw Fault("fprintd-enroll was not started") }
    return process
  }

  /// Takes a finger of an account away, or all of them.
  public func remove(_ finger: Finger? = nil, of account: String) throws {
    let words = finger.map { ["-f", $0.rawValue] } ?? []
    let result = run(["/usr/bin/fprintd-delete", account] + words, environment: environment)
    guard result.status == 0 else { throw Fault("fprintd-delete: \(result.output)\(result.complaint)") }
  }

  /// What is enrolled for an account.
  public func enrolled(for account: String) -> String {
    call(
      "net.reactivated.Fprint", "/net/reactivated/Fprint/Device/0",
      "net.reactivated.Fprint.Device.ListEnrolledFingers", "string:\(account)"
    ).output
  }

  /// Claims the reader for an account and holds it until what is answered goes away.
  public func occupy(for account: String) throws -> Occupant {
    var plan = SpawnPlan(
      arguments: ["fprintd-verify", account], environment: ["LC_ALL": "C"].merging(environment) { $1 })
    plan.asUser = nil
    let process = try Spawn.start("/usr/bin/fprintd-verify", plan)
    try waitUntilAsked()
    return Occupant(process)
  }

  /// Somebody who has the reader.
  public final class Occupant {
    private let process: SpawnedProcess
    init(_ process: SpawnedProcess) { self.process = process }
    /// Gives it back.
    public func leave() { process.killAndWait() }
    deinit { leave() }
  }
}
