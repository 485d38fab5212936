import AccessPolicy
import Foundation
import KeychainModel
import KeychainService
import LinuxSystem
import SecretMemory
import Synchronization
import TestSupport
import Testing

@testable import latchkeyd

/// Everything that needs a real account, in order: the checks for children left behind look at the whole process.
@Suite(.serialized, .enabled(if: isRoot, "makes accounts")) enum AuthenticationTests {}

func locked(_ text: String) -> SecretBytes { try! SecretBytes(copying: Array(text.utf8).span) }

/// A folder that only root can change, as a daemon of the system has it; it goes away with its owner.
final class RootFolder {
  let path: String

  init() {
    var template = Array("/run/latchkey-test-XXXXXX".utf8CString)
    path = String(cString: mkdtemp(&template))
    chmod(path, 0o755)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  @discardableResult
  func write(_ name: String, _ text: String, mode: mode_t = 0o644) -> String {
    let file = path + "/" + name
    try! text.write(toFile: file, atomically: false, encoding: .utf8)
    chmod(file, mode)
    return file
  }
}

/// A client as the dialogue sees it, with its far end in the test's hands.
final class ClientDouble: PresentingChannel {
  let descriptor: OwnedDescriptor
  private let far: Mutex<OwnedDescriptor?>
  private let answer: Result<ClientPresentation, Refusal>
  private let heard = Mutex<(asked: Int, ended: Reason?, notices: [Notice])>((0, nil, []))

  init(_ answer: Result<ClientPresentation, Refusal>) {
    let (near, far) = try! UnixSocket.streamPair()
    descriptor = near
    self.far = Mutex(far)
    self.answer = answer
  }

  convenience init(_ presentation: ClientPresentation) { self.init(.success(presentation)) }

  var asked: Int { heard.withLock { $0.asked } }
  var notices: [Notice] { heard.withLock { $0.notices } }

  /// The client is killed.
  func leave() { far.withLock { $0 = nil } }

  /// The client says something: "c" takes the request back, all else is no end.
  func say(_ word: String) throws {
    try far.withLock { far in _ = try UnixSocket.send(#require(far), Array(word.utf8).span) }
  }

  func hold(secretBytes: Int) throws(Refusal) {}

  func presentation(until deadline: UInt64) throws(Refusal) -> ClientPresentation {
    heard.withLock { $0.asked += 1 }
    return try answer.get()
  }

  func notify(_ notice: Notice) { heard.withLock { $0.notices.append(notice) } }

  var liveness: ChannelLiveness {
    heard.withLock { heard in
      if let ended = heard.ended { return .ended(ended) }
      var byte: UInt8 = 0
      switch recv(descriptor.number, &byte, 1, Int32(MSG_DONTWAIT)) {
      case 0: heard.ended = .clientGone
      case 1 where byte == UInt8(ascii: "c"): heard.ended = .appCancelled
      default: return .alive
      }
      return .ended(heard.ended!)
    }
  }
}

/// Stands for the keybag, and writes down what it got.
final class TestReceiver: PasscodeKeyReceiving, FingerReceiving {
  let stretching: StretchingParameters?
  private let proved: @Sendable (SecretBytes?) -> PasscodeKeyVerdict
  private let old: @Sendable (SecretBytes) -> PasscodeKeyVerdict
  private let miss: @Sendable (Int) -> MissVerdict
  private let record = Mutex<(keys: [SecretBytes?], oldKeys: [SecretBytes], misses: Int)>(([], [], 0))

  init(
    stretching: StretchingParameters? = nil,
    proved: @escaping @Sendable (SecretBytes?) -> PasscodeKeyVerdict = {
      _ in .accepted
    }, old: @escaping @Sendable (SecretBytes) -> PasscodeKeyVerdict = { _ in .accepted },
    miss: @escaping @Sendable (Int) -> MissVerdict = { _ in .goOn }
  ) {
    self.stretching = stretching
    self.proved = proved
    self.old = old
    self.miss = miss
  }

  var keys: [SecretBytes?] { record.withLock { $0.keys } }
  var oldKeys: [SecretBytes] { record.withLock { $0.oldKeys } }
  var misses: Int { record.withLock { $0.misses } }

  func passcodeProved(stretched: SecretBytes?) -> PasscodeKeyVerdict {
    record.withLock { $0.keys.append(stretched) }
    return proved(stretched)
  }

  func oldPasscode(stretched: SecretBytes) -> PasscodeKeyVerdict {
    record.withLock { $0.oldKeys.append(stretched) }
    return old(stretched)
  }

  func standing() -> MissVerdict { .goOn }

  func matched() -> MatchVerdict { .accepted }

  func missed() -> MissVerdict {
    let count = record.withLock { record in
      record.misses += 1
      return record.misses
    }
    return miss(count)
  }
}

/// Where no reader is asked about: there is none.
struct AbsentReader: ReaderReading {
  func facts(for account: UserAccountName, peer: PeerFacts) -> ReaderFacts {
    .unavailable(Refusal(.biometryNotAvailable, detail: "no reader is asked about"))
  }

  func diagnosis(for account: UserAccountName, peer: PeerFacts) -> ReaderFacts { facts(for: account, peer: peer) }
}

/// A system-mode authenticator with a stack of its own.
final class Scene {
  let folder = RootFolder()
  var places: DaemonPlaces

  static let unix = "auth required pam_unix.so nodelay\naccount required pam_unix.so\n"
  static let cheap = try! StretchingParameters(
    salt: [UInt8](repeating: 7, count: 16), operations: 2, memoryBytes: 67_108_864)

  init(stack: String? = Scene.unix) {
    places = DaemonPlaces(
      mode: .system, socket: "", state: "", pamFolders: [folder.path], systemPolicies: "", shippedPolicies: "",
      helperProgram: BuiltPrograms.path(of: "latchkey-pam-helper"),
      prompterProgram: BuiltPrograms.path(of: "latchkey-prompter"), stretching: .interactive)
    if let stack { folder.write("latchkey-passcode", stack) }
  }

  var authenticator: PAMAuthenticator { PAMAuthenticator(places: places, reader: AbsentReader()) }

  /// A process that asks: the test's own.
  static var peer: PeerFacts {
    let status = try! ProcessStatus.read(ThisProcess.pid)
    return PeerFacts(
      uid: 0, process: ProcessIdentity(pid: status.pid, startTime: status.startTime),
      session: ProcessIdentity(pid: 1, startTime: 1), origin: .local)
  }

  func request(
    _ account: TestAccount, _ receiver: TestReceiver = TestReceiver(), tries: UInt8 = 3, milliseconds: UInt64 = 30_000,
    alternatives: [MethodSet] = [.passcode]
  ) -> ProofRequest {
    let digest = PolicyDigest(bytes: [UInt8](repeating: 9, count: 32))
    let reuse = Reuse(windowSeconds: 60, scope: .process)
    let terms = ["com.example.mail", "com.example.chat"].map {
      EvidenceTerms(
        service: ExactText($0), peer: Self.peer, context: ContextIdentifier(value: 5), policyDigest: digest,
        reuse: reuse, bootID: [UInt8](repeating: 3, count: 16))
    }
    return ProofRequest(
      account: UserAccountName(uid: account.uid, name: account.name),
      requirement: Requirement(
        alternatives: alternatives, unlocksKeybag: false, boundEnrolment: false, tries: tries, deadlineSeconds: 60,
        reuse: reuse, policyDigest: digest),
      texts: PromptTexts(
        program: "/usr/bin/mail", service: ExactText("com.example.mail"), label: ExactText("work"),
        reason: ExactText("send"), purpose: "open"),
      deadline: Instant(nanoseconds: Clock.boottime + milliseconds * 1_000_000), terms: terms, passcodeKey: receiver,
      finger: receiver)
  }

  /// Proves in a thread of its own, as the daemon does.
  func start(_ request: ProofRequest, _ channel: ClientDouble) -> Proving {
    Proving(authenticator, request, channel)
  }

  func prove(
    _ account: TestAccount, passcode: String, _ receiver: TestReceiver = TestReceiver()
  ) -> ProofOutcome {
    start(request(account, receiver), ClientDouble(.passcode(locked(passcode)))).outcome
  }
}

/// A dialogue that is up.
final class Proving: Sendable {
  private let result = Mutex<ProofOutcome?>(nil)
  private let done = DispatchSemaphore(value: 0)

  init(_ authenticator: PAMAuthenticator, _ request: ProofRequest, _ channel: ClientDouble) {
    let thread = Thread { [self] in
      let outcome = authenticator.prove(request, over: channel)
      result.withLock { $0 = outcome }
      done.signal()
    }
    thread.start()
  }

  /// How it ended; waits for that.
  var outcome: ProofOutcome {
    if done.wait(timeout: .now() + 40) == .timedOut { return .refused(Refusal(.unimplemented, detail: "test hangs")) }
    done.signal()
    return result.withLock { $0! }
  }

  var refusal: Refusal? { outcome.refusal }
}

extension ProofOutcome {
  var refusal: Refusal? {
    if case .refused(let refusal) = self { return refusal }
    return nil
  }
  var reason: Reason? { refusal?.reason }
  var evidence: [VerifiedEvidence] {
    if case .proved(let evidence) = self { return evidence }
    return []
  }
}

/// The programs that this process has running (or left uncollected) by the name the kernel knows, 15 bytes.
func children(_ name: String) -> [pid_t] {
  let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { pid_t($0) } ?? []
  return all.filter { pid in
    guard let status = try? ProcessStatus.read(pid) else { return false }
    return status.parent == getpid() && status.name == String(name.prefix(15))
  }
}

/// Every helper and prompter of this process.
var leftovers: [pid_t] { children("latchkey-pam-helper") + children("latchkey-prompter") }

/// Waits until a program of this process runs.
func child(_ name: String) throws -> pid_t {
  for _ in 0..<2000 {
    if let found = children(name).first { return found }
    usleep(5000)
  }
  throw POSIXError(.ESRCH)
}

/// pam_matrix takes its passwords from a file.
let matrixModule: String = {
  let folder = FileManager.default.enumerator(atPath: "/usr/lib")
  while let path = folder?.nextObject() as? String {
    if path.hasSuffix("pam_wrapper/pam_matrix.so") { return "/usr/lib/" + path }
  }
  return "/usr/lib/pam_wrapper/pam_matrix.so"
}()
