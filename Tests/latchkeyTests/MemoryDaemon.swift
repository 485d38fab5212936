import AccessPolicy
import Foundation
import KeychainModel
import KeychainService
import KeychainWire
import LatchkeyTesting
import LinuxSystem
import SecretMemory
import TestSupport

/// A folder that goes away with the test.
final class ScratchFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "latchkey-cli-\(UUID().uuidString.prefix(8))"
    try Files.makeDirectory(path, mode: 0o700)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func path(_ name: String) -> String { path + "/" + name }
}

/// A daemon with a keychain in memory and an authenticator that follows a script, for the built program to talk to.
final class MemoryDaemon: Sendable {
  let folder: ScratchFolder
  let authenticator: MockAuthenticator
  private let server: FakeDaemon

  init(
    _ script: [ScriptedAnswer] = [.passcode("right")], reuse: Reuse = Reuse(windowSeconds: 0, scope: .never),
    enrolment: EnrolmentState = .nothingEnrolled
  ) throws {
    folder = try ScratchFolder()
    let clock = TestClock()
    authenticator = MockAuthenticator(passcode: "right", script: script, clock: clock)
    var policy = ServicePolicy.builtIn
    policy.reuse = reuse
    let keychain = UserKeychain(
      account: UserAccountName(uid: 1000, name: "alice"), store: MemoryStore(),
      ports: ServicePorts(
        cache: MemoryKeyCache(clock: clock), authenticator: authenticator, policies: FixedPolicies(policy),
        enrolment: SetEnrolment(enrolment), log: RecordedDecisions(), clock: clock, host: SilentHost()))
    server = try FakeDaemon(folder.path("socket")) { socket, message in
      guard case .request(let request, let options) = message.body else { return }
      let answer = keychain.answer(
        IncomingRequest(
          request: request, options: options, secrets: message.secrets, peer: Self.peer, channel: TestChannel()))
      try socket.send(message.reply(answer.reply, secrets: answer.secrets))
    }
  }

  private static var peer: PeerFacts {
    let process = ProcessIdentity(pid: 100, startTime: 100)
    let terminal = TerminalIdentity(device: 1, leader: process)
    return PeerFacts(uid: 1000, process: process, terminal: terminal, session: process, origin: .local)
  }

  /// The requests so far.
  var requests: [KeychainRequest] {
    server.received.compactMap { body in
      if case .request(let request, _) = body { return request }
      return nil
    }
  }

  /// Runs the built program against this daemon.
  func latchkey(
    _ words: String..., input: [UInt8] = [], descriptors: [SpawnPlan.Descriptor] = []
  ) -> CommandResult {
    run(
      [BuiltPrograms.path(of: "latchkey")] + words, input: input,
      environment: ["LATCHKEY_SOCKET": folder.path("socket")], descriptors: descriptors)
  }
}

/// Runs the built program against a daemon that answers everything alike.
func latchkey(_ words: [String], answering reply: KeychainReply, secrets: [SecretBytes] = []) throws -> CommandResult {
  let folder = try ScratchFolder()
  let daemon = try FakeDaemon(folder.path("socket")) { socket, message in
    try socket.send(message.reply(reply, secrets: secrets))
  }
  defer { daemon.stop() }
  return run(
    [BuiltPrograms.path(of: "latchkey")] + words, environment: ["LATCHKEY_SOCKET": folder.path("socket")])
}

/// What a program writes on one line of JSON.
func json(_ text: String) throws -> [String: Any] {
  try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
}

/// A descriptor from which `text` can be read.
func handed(_ text: String, as number: Int32) throws -> SpawnPlan.Descriptor {
  let (reading, writing) = try OwnedDescriptor.pipe()
  try Files.writeAll(writing, Array(text.utf8).span)
  return SpawnPlan.Descriptor(reading, as: number)
}
