import Foundation
import KeychainModel
import KeychainWire
import LinuxSystem
import LocalAuthentication
import Synchronization
import TestSupport
import Testing

/// A daemon that answers as it is told, with a reader that no machine of the tests has.
final class ScriptedDaemon: Sendable {
  struct Script: Sendable {
    /// Why each method cannot be asked for.
    var obstacles: [UInt8: Reason] = [:]
    /// Why an evaluation fails.
    var refusal: Reason?
    /// What stands for the enrolled fingers.
    var enrolment: [UInt8]?
  }

  private final class Shared: Sendable {
    let script = Mutex(Script())
  }

  private let shared = Shared()
  private let daemon: FakeDaemon
  private let folder: String

  init() throws {
    let shared = shared
    folder = "/tmp/latchkey-la-\(UUID().uuidString.prefix(8))"
    try Files.makeDirectory(folder, mode: 0o700)
    daemon = try FakeDaemon(folder + "/socket") { socket, message in
      guard case .request(let request, _) = message.body else { return }
      try socket.send(message.reply(Self.answer(request, shared.script.withLock { $0 })))
    }
    setenv("LATCHKEY_SOCKET", folder + "/socket", 1)
  }

  // The variable stays: a test that finds no daemon must not start one of the tester's own.
  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func play(_ change: (inout Script) -> Void) { shared.script.withLock { change(&$0) } }

  /// What was asked of it, with the options of each request.
  var asked: [(request: KeychainRequest, options: RequestOptions)] {
    daemon.received.compactMap { body in
      if case .request(let request, let options) = body { return (request, options) }
      return nil
    }
  }

  private static func answer(_ request: KeychainRequest, _ script: Script) -> KeychainReply {
    switch request {
    case .context(.create): return .context(.random(in: 1 ... .max))
    case .context(.canEvaluate(let alternatives)):
      let obstacles = alternatives.map { script.obstacles[$0] }
      if let last = obstacles.last, let reason = last, !obstacles.contains(nil) { return .refused(Refusal(reason)) }
      return .done(count: 1)
    case .context(.enrolment):
      return script.enrolment.map(KeychainReply.enrolment) ?? .refused(Refusal(.biometryNotEnrolled))
    case .context(.evaluate), .context(.evaluateAccessControl):
      return script.refusal.map { .refused(Refusal($0)) } ?? .done(count: 1)
    default: return .done(count: 1)
    }
  }
}

/// What `LAContext` makes of a daemon's answers.
@Suite(.serialized) struct FakeReaderTests {
  let daemon: ScriptedDaemon
  init() throws { daemon = try ScriptedDaemon() }

  private func outcome(_ context: LAContext, _ policy: LAPolicy) async -> (success: Bool, error: NSError?) {
    await withCheckedContinuation { continuation in
      context.evaluatePolicy(policy, localizedReason: "see you") { success, error in
        continuation.resume(returning: (success, error.map { $0 as NSError }))
      }
    }
  }

  /// The number of the context that evaluated last. Other suites' contexts may ask the same daemon meanwhile, but evaluate
  /// nothing.
  private var lastContext: UInt64? {
    get throws {
      try #require(daemon.asked.last { if case .context(.evaluate) = $0.request { true } else { false } })
        .options.context
    }
  }

  /// What was asked in that context.
  private var askedInLastContext: [KeychainRequest] {
    get throws {
      let number = try lastContext
      return daemon.asked.filter { $0.options.context == number }.map(\.request)
    }
  }

  @Test(arguments: ErrorTableTests.outcomes)
  func `each outcome reaches a callback and a task`(outcome: (reason: Reason, code: LAError.Code, status: Int32)) async
  {
    daemon.play { $0.refusal = outcome.reason }
    let context = LAContext()
    let called = await self.outcome(context, .deviceOwnerAuthentication)
    #expect(!called.success)
    #expect(called.error?.domain == LAErrorDomain && called.error?.code == outcome.code.rawValue)
    do {
      try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "see you")
      Issue.record("nothing was thrown")
    } catch {
      #expect((error as? LAError)?.code == outcome.code)
      #expect((error as NSError).userInfo[LatchkeyReasonErrorKey] as? String == outcome.reason.rawValue)
    }
  }

  @Test func `what the ways out are called goes with every evaluation`() async throws {
    let context = LAContext()
    context.localizedFallbackTitle = ""
    context.localizedCancelTitle = "Not now"
    _ = await outcome(context, .deviceOwnerAuthenticationWithBiometrics)
    let asked = daemon.asked.last { if case .context(.evaluate) = $0.request { true } else { false } }
    #expect(asked?.options.titles == PromptTitles(fallback: .hidden, cancel: "Not now"))
  }

  @Test func `the fallback is an error of its own with fingers alone, and no passcode is asked for`() async {
    daemon.play { $0.refusal = .userFallback }
    let called = await outcome(LAContext(), .deviceOwnerAuthenticationWithBiometrics)
    #expect(called.error?.code == LAError.userFallback.rawValue)
    #expect(daemon.asked.map(\.request).contains(.context(.evaluate(alternatives: [2]))))
  }

  @Test(arguments: [
    (LAPolicy.deviceOwnerAuthenticationWithBiometrics, [UInt8(2)]), (.deviceOwnerAuthentication, [2, 1]),
    (.deviceOwnerAuthenticationWithBiometricsOrCompanion, [2]),
  ])
  func `a policy is asked for by its methods, with reason and context`(policy: LAPolicy, methods: [UInt8]) async {
    let context = LAContext()
    context.interactionNotAllowed = true
    #expect(await outcome(context, policy).success)
    let evaluation = daemon.asked.first { $0.request == .context(.evaluate(alternatives: methods)) }
    #expect(evaluation?.options.reason == "see you")
    #expect(evaluation?.options.interaction == .fail)
    #expect(evaluation?.options.context != nil)
  }

  @Test func `an access control travels with its operation`() async throws {
    let control = try #require(
      SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, [.biometryAny, .or, .devicePasscode], nil))
    #expect(
      try await LAContext().evaluateAccessControl(control, operation: .useKeySign, localizedReason: "sign it"))
    #expect(daemon.asked.map(\.request).contains(.context(.evaluateAccessControl(control.control, .sign))))
  }

  static let readers: [(Reason?, LABiometryType)] = [
    (nil, .touchID), (.biometryNotAvailable, .none), (.biometryNotEnrolled, .touchID), (.biometryLockout, .touchID),
    (.lidClosed, .touchID), (.readerBusy, .touchID), (.readerBroken, .none), (.serviceUnavailable, .none),
  ]

  @Test(arguments: readers)
  func `the reader's kind is told also where it is of no use now`(obstacle: Reason?, type: LABiometryType) {
    daemon.play { $0.obstacles[2] = obstacle }
    #expect(LAContext().biometryType == type)
  }

  @Test func `the domain state is there after fingers counted, and changes with them`() async {
    daemon.play {
      $0.enrolment = [1, 2, 3]
      $0.obstacles[2] = .biometryLockout
    }
    let context = LAContext()
    #expect(!context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil))
    #expect(context.evaluatedPolicyDomainState == nil)
    daemon.play { $0.obstacles = [:] }
    #expect(context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil))
    #expect(context.evaluatedPolicyDomainState == Data([1, 2, 3]))
    daemon.play { $0.enrolment = [4] }
    #expect(context.evaluatedPolicyDomainState == Data([1, 2, 3]))
    #expect(await outcome(context, .deviceOwnerAuthentication).success)
    #expect(context.evaluatedPolicyDomainState == Data([4]))
    let state = context.domainState
    #expect(state.biometry.stateHash == Data([4]) && state.stateHash == Data([4]))
    #expect(state.biometry.biometryType == .touchID)
    #expect(state.companion.stateHash == nil && state.companion.stateHash(for: .watch) == nil)
  }

  @Test func `a reuse duration is told to the daemon in whole seconds, at most 300`() async throws {
    for (seconds, told) in [(5.9, UInt32(5)), (300, 300), (301, 300), (.infinity, 300)] {
      let context = LAContext()
      context.touchIDAuthenticationAllowableReuseDuration = seconds
      _ = await outcome(context, .deviceOwnerAuthentication)
      #expect(try askedInLastContext.contains(.context(.allowReuse(seconds: told))), "\(seconds)")
    }
    let context = LAContext()
    context.touchIDAuthenticationAllowableReuseDuration = -1
    _ = await outcome(context, .deviceOwnerAuthentication)
    #expect(try !askedInLastContext.contains { if case .context(.allowReuse) = $0 { true } else { false } })
  }

  @Test func `a context that goes away is ended at the daemon, and one that asks lives until it has its answer`()
    async throws
  {
    var context: LAContext? = LAContext()
    weak let watched = context
    let called = await outcome(context!, .deviceOwnerAuthentication)
    #expect(called.success)
    let number = try lastContext
    context = nil
    for _ in 0..<10_000 where watched != nil { try await Task.sleep(nanoseconds: 3_000_000) }
    #expect(watched == nil)
    #expect(
      eventually { daemon.asked.contains { $0.request == .context(.invalidate) && $0.options.context == number } })
  }

  @Test func `the environment tells of the reader and of the passcode, and observers of a change`() {
    final class Observer: LAEnvironmentObserver {
      var old: LAEnvironmentState?
      func environment(_ environment: LAEnvironment, stateDidChangeFromOldState oldState: LAEnvironmentState) {
        old = oldState
      }
    }
    daemon.play { $0.enrolment = [7] }
    let environment = LAEnvironment.currentUser
    let first = environment.state
    let observer = Observer()
    environment.addObserver(observer)
    #expect(first.biometry?.isEnrolled == true && first.biometry?.stateHash == Data([7]))
    #expect(first.userPassword?.isUsable == true && first.allMechanisms.count == 2)
    #expect(environment.state.isEqual(first))
    #expect(observer.old == nil)
    daemon.play { $0.obstacles[2] = .biometryLockout }
    #expect(environment.state.biometry?.isLockedOut == true)
    #expect(observer.old === first || observer.old?.isEqual(first) == true)
    environment.removeObserver(observer)
    observer.old = nil
    daemon.play { $0.obstacles[2] = .biometryNotAvailable }
    #expect(environment.state.biometry == nil)
    #expect(observer.old == nil)
  }
}
