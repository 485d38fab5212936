import Foundation
import LinuxSystem
import Synchronization

/// Whether the tests run as root: only root makes accounts.
public let isRoot = getuid() == 0

/// A real account that goes away with its owner, and everything that still runs as it; root only.
public final class TestAccount: Sendable {
  /// Whether the account has a home folder.
  public enum Home: Sendable { case none, made }

  /// The login name.
  public let name: String
  /// The user id.
  public let uid: uid_t
  private let home: Home
  /// The kernel knows accounts by their number alone, and two systems that share a kernel do not know of each other's: the
  /// next free number of both would be the same, and each would end the other's processes.
  private static var anyNumber: uid_t { uid_t.random(in: 20_000..<59_000) }
  private static let count = Mutex(0)
  /// useradd and chpasswd lock /etc/passwd: one at a time here, and again where another process holds it.
  private static let turn = Mutex(())

  /// Makes an account; `nil` leaves it without a password.
  public init(password: String?, home: Home = .none) {
    let number = Self.count.withLock { count in
      count += 1
      return count
    }
    let name = "lkp\(getpid())x\(number)"
    self.name = name
    self.home = home
    Self.retry { ["useradd", "-u", "\(Self.anyNumber)", home == .none ? "-M" : "-m", "-s", "/bin/sh", name] }
    uid = getpwnam(name)!.pointee.pw_uid
    if let password { Self.retry(["chpasswd"], input: "\(name):\(password)\n") }
  }

  deinit {
    killEverything()
    Self.retry(home == .none ? ["userdel", name] : ["userdel", "-r", name])
  }

  /// The account as the system knows it.
  public var account: UserAccount { try! Users.account(name)! }

  /// Runs a command of the system with the account's name behind it.
  public func change(_ command: String...) { Self.retry(command + [name]) }

  /// Gives it another password, as root does.
  public func setPassword(_ password: String) { Self.retry(["chpasswd"], input: "\(name):\(password)\n") }

  /// Ends every process of the account but one and waits until they are gone.
  public func killEverything(but spared: pid_t = 0) {
    for _ in 0..<200 {
      let left = processes.filter { $0 != spared }
      if left.isEmpty { return }
      for process in left { kill(process, SIGKILL) }
      usleep(10_000)
    }
  }

  /// The processes that run as the account, those that only wait to be collected left out.
  public var processes: [pid_t] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { pid_t($0) } ?? []
    return all.filter { process in
      guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else { return false }
      return text.contains("\nUid:\t\(uid)\t") && !text.contains("\nState:\tZ")
    }
  }

  private static func retry(_ command: [String], input: String = "") { retry(input: input) { command } }

  private static func retry(input: String = "", _ attempt: () -> [String]) {
    turn.withLock { _ in
      var command: [String] = []
      for _ in 0..<100 {
        command = attempt()
        let result = run(command, input: Array(input.utf8))
        // 12 of userdel -r: the account is gone, its mail folder never was.
        if result.status == 0 || (command[0] == "userdel" && result.status == 12) { return }
        usleep(50_000)
      }
      fatalError("\(command) failed 100 times")
    }
  }
}
