import AccessPolicy
import Foundation
import KeychainModel
import KeychainService
import SecretMemory

@testable import latchkeyd

/// A folder of a test's own, removed with it.
final class ScratchFolder: Sendable {
  let path: String

  init() {
    path = NSTemporaryDirectory() + "latchkey-adapters-" + UUID().uuidString
    try! FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    chmod(path, 0o700)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// A path in it.
  func callAsFunction(_ name: String) -> String { path + "/" + name }

  /// Writes a file and gives it exactly this mode.
  func write(_ text: String, to name: String, mode: mode_t = 0o644) {
    try! Data(text.utf8).write(to: URL(fileURLWithPath: self(name)))
    chmod(self(name), mode)
  }

  func bytes(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: self(name)).map(Array.init) }

  func mode(_ name: String) -> mode_t {
    var facts = stat()
    guard lstat(self(name), &facts) == 0 else { return 0 }
    return facts.st_mode & 0o7777
  }

  /// Places with the policy folders in this one.
  var places: DaemonPlaces {
    for name in ["system", "shipped"] where !FileManager.default.fileExists(atPath: self(name)) {
      mkdir(self(name), 0o755)
    }
    return DaemonPlaces(
      mode: .user, socket: self("socket"), state: self("store"), pamFolders: [], systemPolicies: self("system"),
      shippedPolicies: self("shipped"), helperProgram: "", prompterProgram: "", stretching: .interactive)
  }

  /// The store in this folder.
  func store(_ name: String = "store", account: UserAccountName = ScratchFolder.alice) throws(Refusal) -> UserStore {
    try UserStore.open(
      folder: self(name), deviceKeyFile: self("device.key"), account: account, stretching: .interactive)
  }

  static let alice = UserAccountName(uid: 1000, name: "alice")
}

func secret(_ text: String) -> SecretBytes { try! SecretBytes(copying: Array(text.utf8)) }

func text(_ secret: SecretBytes?) -> String? { secret.map { String(decoding: $0.unprotectedCopy(), as: UTF8.self) } }

/// What a call was refused with, or `nil`.
func refusal<Result>(_ body: () throws -> Result) -> Refusal? {
  do {
    _ = try body()
    return nil
  } catch { return error as? Refusal }
}

/// Polls until the condition holds or the seconds are over; whether it held.
func becomesTrue(within seconds: Double, _ condition: () -> Bool) -> Bool {
  let end = Date().addingTimeInterval(seconds)
  while Date() < end {
    if condition() { return true }
    usleep(20_000)
  }
  return condition()
}

/// All classes of an unbound keybag, from the store itself.
struct StoreOwnKeys: ClassKeySource {
  let store: UserStore
  func key(for protection: ProtectionClass, use: ClassKeyUse) -> SecretBytes? {
    store.deviceKey(for: protection, use: use)
  }
}

/// A grant, as the evaluator makes it for an item without conditions.
func grant(_ item: ItemIdentifier, _ operation: ItemOperation) -> Grant {
  let request = AccessRequest(
    item: item, service: "", operation: operation, accessControl: .unconstrained(.whenUnlocked), policy: .builtIn,
    policyDigest: PolicyDigest(bytes: []), keybag: .unbound,
    peer: PeerFacts(uid: 1000, process: ProcessIdentity(pid: 1, startTime: 1), origin: .local),
    now: Instant(nanoseconds: 1), bootID: [])
  var trace = DecisionTrace.off
  switch AccessEvaluator.evaluate(request, trace: &trace) {
  case .allow(let grant): return grant
  default: preconditionFailure("an item without conditions is allowed")
  }
}
