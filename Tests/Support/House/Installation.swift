import Foundation
import LinuxSystem

/// The programs as a package installs them: owned by root, mode 0711, with stacks and policies beside them.
public final class Installation: Sendable {
  /// The folder that holds everything; a user may pass through it and read nothing by listing it.
  public let prefix: String

  /// One for all tests of this process.
  public static let shared = Installation()

  /// Installs the built programs. `mode` is theirs.
  public init(mode: mode_t = 0o711) {
    // Not under /tmp: the daemon takes no stack from a folder that others may change.
    var template = Array("/var/lib/latchkey-installed-XXXXXX".utf8CString)
    prefix = String(cString: mkdtemp(&template))
    chmod(prefix, 0o755)
    for folder in ["bin", "libexec", "libexec/latchkey", "share", "share/latchkey"] {
      mkdir("\(prefix)/\(folder)", 0o755)
      chmod("\(prefix)/\(folder)", 0o755)
    }
    let files = FileManager.default
    for (program, folder) in Self.programs {
      let place = "\(prefix)/\(folder)/\(program)"
      try! files.copyItem(atPath: BuiltPrograms.path(of: program), toPath: place)
      chmod(place, mode)
    }
    for folder in ["pam", "policies"] {
      try! files.copyItem(atPath: "\(Self.project)/\(folder)", toPath: "\(prefix)/share/latchkey/\(folder)")
      run(["chmod", "-R", "a+rX,go-w", "\(prefix)/share/latchkey/\(folder)"])
      run(["chown", "-R", "root:root", "\(prefix)/share/latchkey/\(folder)"])
    }
    atexit { Installation.removeAll() }
    Self.made.append(prefix)
  }

  /// Takes it away again.
  public func remove() { try? FileManager.default.removeItem(atPath: prefix) }

  /// The command line's program.
  public var latchkey: String { prefix + "/bin/latchkey" }
  /// The daemon's program.
  public var latchkeyd: String { prefix + "/libexec/latchkey/latchkeyd" }

  /// The project's folder.
  public static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().path

  private static let programs = [
    ("latchkey", "bin"), ("latchkeyd", "libexec/latchkey"), ("latchkey-pam-helper", "libexec/latchkey"),
    ("latchkey-prompter", "libexec/latchkey"), ("latchkey-policy", "libexec/latchkey"),
  ]

  private final class Made: @unchecked Sendable {
    private let lock = NSLock()
    private var paths: [String] = []
    func append(_ path: String) { lock.withLock { paths.append(path) } }
    func all() -> [String] { lock.withLock { paths } }
  }

  private static let made = Made()
  private static func removeAll() {
    for path in made.all() { try? FileManager.default.removeItem(atPath: path) }
  }
}
