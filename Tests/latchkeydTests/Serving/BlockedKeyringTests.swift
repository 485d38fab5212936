import Foundation
import KernelKeyring
import KeychainModel
import KeychainWire
import LinuxSystem
import SecretMemory
import TestSupport
import Testing

@testable import latchkeyd

/// Everything of the daemon but its start checks, in this process, on threads whose keyring calls the kernel refuses. The
/// program itself never serves under a filter: no passcode could be verified in one that an ordinary user sets.
private final class FilteredDaemon {
  let path: String
  private let over = WakeUp.made()
  private let home: DaemonProcess.Home

  init(_ home: DaemonProcess.Home, errno: Int32) throws {
    self.home = home
    try Files.makeDirectory(home.path + "/run", mode: 0o755)
    try Files.makeDirectory(home.state, mode: 0o700)
    path = home.socket
    let places = DaemonPlaces(
      mode: .system, socket: home.socket, state: home.state, pamFolders: [home.pam],
      systemPolicies: home.path + "/policies", shippedPolicies: home.path + "/shipped",
      helperProgram: BuiltPrograms.path(of: "latchkey-pam-helper"),
      prompterProgram: BuiltPrograms.path(of: "latchkey-prompter"), stretching: .interactive)
    let listener = try UnixSocket.listen(path: path, mode: 0o666, backlog: 16)
    let over = over
    try Threads.start {
      KeyringFilter.block(errno: errno, privileges: .kept)
      // On this thread, so that the threads of its connections are born under the filter.
      let composition = DaemonComposition(
        places: places, keyring: KernelKeyring.join(), program: BuiltPrograms.path(of: "latchkeyd"))
      let doorkeeper = Doorkeeper(clientele: .everyone, shared: composition.servingState())
      while let events = try? Poll.wait([PollEntry(listener), PollEntry(over.descriptor)], timeoutMilliseconds: 1000) {
        if events[1].isReadable { return }
        if events[0].isReadable { doorkeeper.takeNext(listener) }
      }
    }
  }

  deinit { over.raise() }

  func connect(as account: TestAccount) throws -> FrameSocket {
    try FrameSocket(
      try DaemonProcess.connect(path, as: account.uid), side: .client, blockMilliseconds: 20_000)
  }
}

@Suite(.serialized, .enabled(if: isRoot)) struct `Where the kernel refuses the keyring calls` {
  private let home: DaemonProcess.Home
  private let alice = TestAccount(password: "alice-pass")
  private let value = (0...255).map { UInt8($0) }

  init() throws { home = try DaemonProcess.Home() }

  /// As the command line reads: it lets a plain item's prompt unlock the keybag.
  private func readUnlocking(_ client: FrameSocket, _ account: String) throws -> [UInt8]? {
    let passcode = try SecretBytes(copying: Array("alice-pass".utf8))
    let answer = try client.ask(
      Ask.read(account), options: RequestOptions(mayUnlock: true), presenting: (.passcode(0), [passcode]))
    return answer.secrets.first.map { $0.withSpan { span in span.indices.map { span[$0] } } }
  }

  @Test(arguments: [
    (EPERM, "EPERM"), (ENOSYS, "ENOSYS"), (EDQUOT, "quota"),
  ])
  func `each protected read takes a passcode and works, and a plain one asks where it may`(
    _ errno: Int32, _ word: String
  ) throws {
    let daemon = try FilteredDaemon(home, errno: errno)
    let client = try daemon.connect(as: alice)
    #expect(try client.status().cache.hasPrefix("off: "))
    #expect(try client.add("plain", value) == nil)
    #expect(try client.add("guarded", value, .userPresence) == nil)
    #expect(try client.read("plain") == .success(value))
    for _ in 0..<2 {
      #expect(try client.read("guarded", passcode: "alice-pass") == .success(value))
      #expect(try client.read("guarded") == .failure(.noWayToPrompt))
    }
    #expect(try client.read("guarded", passcode: "wrong") == .failure(.wrongPasscode))
    // Bound by the first proof: nothing keeps the class open.
    #expect(try client.status().keybag == .beforeFirstUnlock && client.status().cached.isEmpty)
    #expect(try client.read("plain") == .failure(.beforeFirstUnlock))
    #expect(try readUnlocking(client, "plain") == value)
    #expect(try client.read("plain") == .failure(.beforeFirstUnlock))
    guard case .doctor(let findings) = try client.ask(.doctor).reply else { throw Unexpected.frame }
    #expect(
      findings.contains { $0.check == "keyring" && $0.level == .warning && $0.text.contains(word) }, "\(findings)")
  }

  @Test(arguments: [EPERM, ENOSYS])
  func `by a filter, the program itself does not start, and says so`(_ errno: Int32) throws {
    nonisolated(unsafe) let home = home
    let word = Once<Result<String, any Error>>()
    try Threads.start {
      KeyringFilter.block(errno: errno, privileges: .kept)
      word.set(Result { try DaemonProcess(.system, in: home).word })
    }
    #expect(try word.get().get().hasPrefix("cannotVerifyPasscodes a seccomp filter is set"))
    #expect(throws: Errno.self) { try Files.factsNoFollow(home.socket) }
  }
}
