import Foundation

/// Which signals a process handles by itself (SigCgt of /proc/PID/status).
public struct CaughtSignals {
  private let mask: UInt64

  /// Looks at a process, also one that hides from others: needs root or the process's own user.
  public init(of process: pid_t) throws {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
    guard let word = line?.split(separator: "\t").last, let mask = UInt64(word, radix: 16) else {
      throw CocoaError(.fileReadCorruptFile)
    }
    self.mask = mask
  }

  /// Those that a runtime takes over to look into the process when it crashes.
  public var ofACrash: [Int32] {
    [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV].filter { mask & 1 << UInt64($0 - 1) != 0 }
  }
}
