import Foundation
import LinuxSystem

/// A daemon in system mode with a socket, a state folder and policies of its own.
public final class SystemDaemon {
  /// The programs it runs.
  public let installation: Installation
  /// The folder of its socket, state, policies and stacks.
  public let folder: String
  /// Its process, or `nil` after a crash.
  public private(set) var process: SpawnedProcess?

  /// Where it listens.
  public var socket: String { folder + "/run/socket" }
  /// Its stores.
  public var state: String { folder + "/state" }
  /// The administrator's policies.
  public var policies: String { folder + "/policies" }
  /// The stacks.
  public var pam: String { folder + "/pam" }

  /// The reader it is told of, which lives as long as it does.
  public let reader: FingerprintHouse?

  /// A stack that asks pam_fprintd once, for as short as it can.
  public static let fingerStack =
    "auth required pam_fprintd.so max-tries=1 timeout=10\naccount required pam_unix.so\n"

  /// A stack that asks pam_unix and never sleeps.
  public static let stack = "auth required pam_unix.so nodelay\naccount required pam_unix.so\n"

  /// Makes the folder with one stack and these policies, and starts it.
  public init(
    _ installation: Installation = .shared, stack: String = SystemDaemon.stack, policy: [String: String] = [:],
    reader: FingerprintHouse? = nil
  ) throws {
    self.reader = reader
    self.installation = installation
    // Not under /tmp: the daemon takes no stack from a folder that others may change.
    var template = Array("/var/lib/latchkey-test-XXXXXX".utf8CString)
    folder = String(cString: mkdtemp(&template))
    chmod(folder, 0o755)
    for name in ["run", "policies", "pam"] {
      mkdir("\(folder)/\(name)", 0o755)
      chmod("\(folder)/\(name)", 0o755)
    }
    mkdir(state, 0o700)
    try write(stack, to: "pam/latchkey-passcode")
    if reader != nil { try write(Self.fingerStack, to: "pam/latchkey-biometry") }
    for (name, text) in policy { try write(text, to: "policies/\(name).yaml") }
    try start()
  }

  deinit {
    process?.killAndWait()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Writes a file under its folder that everybody may read.
  public func write(_ text: String, to name: String) throws {
    try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
    chmod("\(folder)/\(name)", 0o644)
  }

  /// Starts it and waits until it serves.
  public func start(_ more: [String] = []) throws {
    let (reading, writing) = try OwnedDescriptor.pipe()
    var arguments = [
      "latchkeyd", "--system", "--socket", socket, "--state", state, "--pam", pam, "--policies", policies,
      "--stretching", "interactive", "--ready-fd", "3",
    ]
    arguments += more + (reader?.daemonOptions ?? [])
    process = try Spawn.start(
      installation.latchkeyd,
      SpawnPlan(arguments: arguments, environment: [:], descriptors: [.init(writing, as: 3)]))
    try Self.waitUntilReady(reading)
  }

  /// Waits for the byte that a daemon writes when it serves.
  public static func waitUntilReady(_ reading: OwnedDescriptor) throws {
    var word = [UInt8](repeating: 0, count: 1024)
    var span = word.mutableSpan
    guard try Poll.wait([PollEntry(reading)], timeoutMilliseconds: 30_000)[0].isReadable else {
      throw NotReady(word: "nothing within 30 s")
    }
    let count = try Files.read(reading, into: &span)
    guard count == 1 else { throw NotReady(word: String(decoding: word.prefix(count), as: UTF8.self)) }
  }

  /// What a daemon said instead of serving.
  public struct NotReady: Error { let word: String }

  /// Kills it as a crash would.
  public func crash() {
    process?.killAndWait()
    process = nil
  }

  /// The command line of an account, served by this daemon.
  public func commandLine(of account: TestAccount) -> CommandLine {
    CommandLine(latchkey: installation.latchkey, account: account.account, environment: ["LATCHKEY_SOCKET": socket])
  }
}
