import KeychainModel
import KeychainWire
import LinuxSystem
import SecretMemory
import Synchronization
import TestSupport
import Testing

@testable import KeychainClient

@Suite struct PromptTests {
  let folder: ScratchFolder
  init() throws { folder = try ScratchFolder() }
  var path: String { folder.path + "/socket" }

  /// A daemon that wants so many proofs and keeps what it was given.
  func asking(_ times: UInt32, _ kept: @escaping @Sendable (Message) -> Void) throws -> FakeDaemon {
    let asked = Mutex(UInt32(0))
    return try FakeDaemon(path) { socket, message in
      switch message.body {
      case .request: asked.withLock { $0 = 0 }
      case .presentation: kept(message)
      default: return
      }
      let attempt = asked.withLock { asked in
        asked += 1
        return asked
      }
      if attempt <= times { return try socket.send(message.answer(.wanted(.prompt(attempt: attempt)))) }
      try socket.send(message.reply(.done(count: 1)))
    }
  }

  @Test func `a passcode is handed in once for each proof`() throws {
    let got = Mutex<[[UInt8]]>([])
    let daemon = try asking(2) { message in got.withLock { $0.append(bytes(message.secrets[0])) } }
    let source = PromptSource.passcode { (attempt) throws(Refusal) in
      guard let code = try? secret("code \(attempt)") else { throw Refusal(.outOfMemory) }
      return code
    }
    try keychain(at: path, prompt: source).unlock()
    #expect(got.withLock { $0 } == [Array("code 1".utf8), Array("code 2".utf8)])
    withExtendedLifetime(daemon) {}
  }

  @Test func `a passcode from a descriptor serves one proof`() throws {
    let daemon = try asking(2) { _ in }
    let file = try Files.open(try folder.write("passcode", "secret\n"), .reading)
    #expect(reason { try keychain(at: path, prompt: .passcode(from: file)).unlock() } == .passcodeSuppliedTwice)
    #expect(eventually { daemon.received.last == .cancel })
  }

  @Test func `a terminal's descriptor reaches the daemon`() throws {
    let same = Mutex(false)
    let (mine, other) = try UnixSocket.streamPair()
    let inode = try Files.facts(mine).inode
    let daemon = try asking(1) { message in
      guard message.body == .presentation(.terminal), let passed = message.descriptor else { return }
      same.withLock { $0 = (try? Files.facts(passed).inode) == inode }
    }
    try keychain(at: path, prompt: .terminal(mine)).unlock()
    #expect(same.withLock { $0 })
    withExtendedLifetime((daemon, other)) {}
  }

  @Test func `without a way to prompt the client says so`() throws {
    let daemon = try asking(1) { _ in }
    try keychain(at: path, prompt: .none).unlock()
    #expect(daemon.received.last == .presentation(.none))
  }

  @Test func `a call's own prompt goes before the configuration's`() throws {
    let daemon = try asking(1) { _ in }
    var options = CallOptions()
    options.prompt = PromptSource.none
    let source = PromptSource.passcode { (_) throws(Refusal) in throw Refusal(.internalFailure) }
    try keychain(at: path, prompt: source).unlock(options: options)
    #expect(daemon.received.last == .presentation(.none))
  }

  @Test(arguments: [
    (0, "", Reason.emptyPasscode), (0, "\n", .emptyPasscode), (1, "", nil), (510, "", nil), (511, "", nil),
    (511, "\n", nil), (512, "", .answerTooLong), (512, "\n", .answerTooLong), (513, "", .answerTooLong),
    (5000, "", .answerTooLong),
  ])
  func `a passcode is read whole or refused`(count: Int, end: String, expected: Reason?) throws {
    let text = String(repeating: "p", count: count)
    let file = try folder.write("passcode", text + end)
    let descriptor = try Files.open(file, .reading)
    var read: [UInt8] = []
    #expect(reason { read = bytes(try PasscodeDescriptor.read(descriptor)) } == expected)
    if expected == nil { #expect(read == Array(text.utf8)) }
  }

  @Test func `one newline is taken from a passcode and no more`() throws {
    let file = try folder.write("passcode", "a b\n\n")
    #expect(bytes(try PasscodeDescriptor.read(try Files.open(file, .reading))) == Array("a b\n".utf8))
    let writeOnly = try Files.open(file, .writing)
    #expect(reason { _ = try PasscodeDescriptor.read(writeOnly) } == .invalidParameter)
  }
}
