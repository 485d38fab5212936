import Foundation
import Synchronization

/// A program that is not of this package: Swift files compiled against the modules of the build, as a user's would be.
public final class ClientProgram: Sendable {
  /// Where it lies; every account may run it.
  public let path: String
  private let folder: String

  /// What the compiler said instead.
  public struct NotCompiled: Error, CustomStringConvertible {
    /// Its own words.
    public let complaint: String
    /// As ``complaint``.
    public var description: String { complaint }
  }

  /// Compiles files, given by name and text, in a language mode ("5" or "6").
  ///
  /// `LATCHKEY_CLIENT_BUILD` names another build than the test's own to compile against, and `LATCHKEY_CLIENT_OPTIONS`
  /// more options of the compiler: `scripts/check-idioms` checks release and the sanitizers with them.
  public init(_ name: String, mode: String, options: [String] = [], _ files: [(name: String, text: String)]) throws {
    var template = Array("/var/lib/latchkey-client-XXXXXX".utf8CString)
    folder = String(cString: mkdtemp(&template))
    chmod(folder, 0o755)
    path = "\(folder)/\(name)"
    for file in files {
      try file.text.write(toFile: "\(folder)/\(file.name)", atomically: true, encoding: .utf8)
    }
    let environment = ProcessInfo.processInfo.environment
    let build = environment["LATCHKEY_CLIENT_BUILD"] ?? BuiltPrograms.folder
    let more = environment["LATCHKEY_CLIENT_OPTIONS"]?.split(separator: " ").map(String.init) ?? []
    let result = run(
      ["\(Installation.project)/scripts/compile-client", build, path, "-swift-version", mode] + options + more
        + files.map { "\(folder)/\($0.name)" },
      environment: ["PATH": environment["PATH"] ?? "/usr/bin:/bin", "HOME": folder, "TMPDIR": folder], timeout: 600)
    guard result.status == 0 else { throw NotCompiled(complaint: result.output + result.complaint) }
    chmod(path, 0o755)
  }

  deinit { remove() }

  private func remove() { try? FileManager.default.removeItem(atPath: folder) }

  /// One program for all tests of this process that ask for the same, compiled once and one at a time: a compiler takes a
  /// core and half a gigabyte.
  public static func shared(
    _ name: String, mode: String, options: [String] = [], _ files: [(name: String, text: String)]
  ) throws -> ClientProgram {
    let key = ([name, mode] + options + files.flatMap { [$0.name, $0.text] }).joined(separator: "\0")
    return try made.withLock { made in
      if let program = made[key] { return program }
      let program = try ClientProgram(name, mode: mode, options: options, files)
      if made.isEmpty { atexit { ClientProgram.made.withLock { $0.values.forEach { $0.remove() } } } }
      made[key] = program
      return program
    }
  }

  private static let made = Mutex<[String: ClientProgram]>([:])

  /// The program as an account runs it, served by a daemon in system mode.
  public func commandLine(of account: TestAccount, servedBy daemon: SystemDaemon) -> CommandLine {
    commandLine(of: account, socket: daemon.socket)
  }

  /// The program as an account runs it, with the socket it is told of.
  public func commandLine(of account: TestAccount, socket: String) -> CommandLine {
    CommandLine(
      latchkey: path, account: account.account,
      environment: ["LATCHKEY_SOCKET": socket, "SWIFT_BACKTRACE": "enable=no"])
  }
}
