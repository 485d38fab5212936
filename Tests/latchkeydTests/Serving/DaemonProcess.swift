import Foundation
import KeychainModel
import KeychainWire
import LinuxSystem
import SecretMemory
import TestSupport

@testable import latchkeyd

/// The built daemon, started as a client or an init system starts it, with everything it keeps in a folder of the test's.
final class DaemonProcess {
  /// What it said when it was ready, or why it is not.
  let word: String
  let process: SpawnedProcess
  let socket: String

  /// A folder that only root can change, all the way up; gone with the test.
  final class Home {
    let path = "/run/latchkey-test-\(UUID().uuidString.prefix(8))"
    var socket: String { path + "/run/socket" }
    var state: String { path + "/state" }
    /// The stack of the tests: as shipped, but nothing waits after a wrong answer.
    var pam: String { path + "/pam" }

    init() throws {
      try Files.makeDirectory(path, mode: 0o755)
      try Files.makeDirectory(pam, mode: 0o755)
      let stack = "auth required pam_unix.so nodelay\naccount required pam_unix.so\n"
      let passcode = pam + "/latchkey-passcode"
      try Files.writeAtomically(Array(stack.utf8).span, to: passcode, mode: 0o644)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func give(to account: UserAccount) { _ = chown(path, account.uid, account.gid) }
  }

  init(
    _ mode: DaemonMode, in home: Home, _ more: [String] = [], as account: UserAccount? = nil,
    through wrapper: [String] = []
  ) throws {
    socket = home.socket
    let program = BuiltPrograms.path(of: "latchkeyd")
    let arguments = [
      "--\(mode.rawValue)", "--socket", home.socket, "--state", home.state, "--pam", home.pam, "--policies",
      home.path + "/policies", "--stretching", "interactive", "--ready-fd", "3",
    ]
    let command = wrapper + [wrapper.isEmpty ? "latchkeyd" : program] + arguments + more
    let (process, reading) = try Self.start(wrapper.first ?? program, command, account)
    self.process = process
    do { word = try Self.read(reading) } catch {
      process.killAndWait()
      throw error
    }
  }

  /// In a function of its own, so that the writing end is closed here before anybody waits for its end.
  private static func start(
    _ program: String, _ command: [String], _ account: UserAccount?
  ) throws -> (SpawnedProcess, OwnedDescriptor) {
    let (reading, writing) = try OwnedDescriptor.pipe()
    let plan = SpawnPlan(
      arguments: command, environment: ["PATH": "/usr/bin:/bin"], descriptors: [.init(writing, as: 3)], asUser: account)
    return (try Spawn.start(program, plan), reading)
  }

  deinit { process.killAndWait() }

  var isReady: Bool { word == "\n" }

  /// What is written until all writers have closed it.
  private static func read(_ pipe: OwnedDescriptor) throws -> String {
    var text: [UInt8] = []
    while try Poll.wait([PollEntry(pipe)], until: soon)[0].isReadable {
      var chunk = [UInt8](repeating: 0, count: 1024)
      var span = chunk.mutableSpan
      let count = try Files.read(pipe, into: &span)
      if count == 0 { return String(decoding: text, as: UTF8.self) }
      text += chunk.prefix(count)
    }
    throw Unexpected.end
  }

  /// How it ended, waited for.
  func ended() throws -> ProcessExit? {
    _ = try Poll.wait([PollEntry(process.pidfd)], until: soon)
    return try process.tryWait()
  }

  func connect(as uid: uid_t = geteuid()) throws -> FrameSocket {
    try FrameSocket(try Self.connect(socket, as: uid), side: .client, blockMilliseconds: 20_000)
  }

  /// Connects with another user's identity: the kernel keeps the credentials of the thread that connects.
  static func connect(_ path: String, as uid: uid_t) throws -> OwnedDescriptor {
    guard uid != geteuid() else { return try UnixSocket.connect(path: path) }
    let answer = Once<Result<OwnedDescriptor, any Error>>()
    try Threads.start {
      guard ThreadIdentity.become(uid) else {
        return answer.set(.failure(POSIXError(.EPERM)))
      }
      answer.set(Result { try UnixSocket.connect(path: path) })
    }
    return try answer.get().get()
  }
}

/// Changes the effective user of the calling thread alone, where setresuid(3) changes all threads.
private enum ThreadIdentity {
  #if arch(x86_64)
    private static let setresuid = 117
  #else
    private static let setresuid = 147
  #endif
  private typealias Call = @convention(c) (Int, uid_t, uid_t, uid_t) -> Int

  static func become(_ uid: uid_t) -> Bool {
    guard let symbol = dlsym(nil, "syscall") else { return false }
    return unsafeBitCast(symbol, to: Call.self)(setresuid, .max, uid, .max) == 0
  }
}

/// A value that one thread sets and another waits for.
final class Once<Value>: @unchecked Sendable {
  private let condition = NSCondition()
  private var value: Value?
  func set(_ new: Value) {
    condition.lock()
    value = new
    condition.signal()
    condition.unlock()
  }
  func get() -> Value {
    condition.lock()
    while value == nil { condition.wait() }
    defer { condition.unlock() }
    return value!
  }
}

/// Requests as tests write them.
enum Ask {
  static func attributes(_ account: String) -> ItemAttributes {
    ItemAttributes([.service: .text("test"), .account: .text(ExactText(account))])
  }

  static func add(_ account: String, _ flags: AccessControlFlags = []) throws -> KeychainRequest {
    .add(
      AddRequest(
        itemClass: .genericPassword, attributes: attributes(account),
        accessControl: try AccessControl(accessibility: .whenUnlocked, flags: flags), value: 0))
  }

  static func read(_ account: String) -> KeychainRequest {
    .find(
      FindRequest(
        query: ItemQuery(itemClass: .genericPassword, attributes: attributes(account), limit: .one), returns: .data))
  }
}

extension FrameSocket {
  /// Adds an item; the reason of a refusal.
  func add(_ account: String, _ value: [UInt8], _ flags: AccessControlFlags = []) throws -> Reason? {
    try ask(try Ask.add(account, flags), secrets: [try SecretBytes(copying: value)]).reply.reason
  }

  /// Reads a value, with a passcode where one is wanted.
  func read(_ account: String, passcode: String? = nil) throws -> Result<[UInt8], Reason> {
    var presenting: (body: Presentation, secrets: [SecretBytes]) = (.none, [])
    if let passcode { presenting = (.passcode(0), [try SecretBytes(copying: Array(passcode.utf8))]) }
    let answer = try ask(Ask.read(account), presenting: presenting)
    if let reason = answer.reply.reason { return .failure(reason) }
    guard answer.secrets.count == 1 else { throw Unexpected.frame }
    return .success(answer.secrets[0].withSpan { span in span.indices.map { span[$0] } })
  }
}
