internal import CLinux

/// The arguments of this program.
public enum ProcessArguments {
  /// Their exact bytes, argv[0] first: an argument need not be UTF-8.
  public static var bytes: [[UInt8]] {
    var all: [[UInt8]] = []
    for index in 0..<Int(CommandLine.argc) {
      guard let argument = unsafe CommandLine.unsafeArgv[index] else { break }
      unsafe all.append(Array(UnsafeRawBufferPointer(start: argument, count: strlen(argument))))
    }
    return all
  }
}

/// The environment of this program.
public enum Environment {
  /// The value of a variable, or `nil`; invalid UTF-8 is repaired. To be read before other threads start.
  public static func value(_ name: String) -> String? {
    guard !name.utf8.contains(0), let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// Throws the whole environment away and sets these variables (clearenv(3), setenv(3)). Only before other threads start.
  ///
  /// - Throws: ``Errno``: EINVAL (a name that is empty or holds `=`, or a NUL), ENOMEM.
  public static func replace(with variables: [String: String]) throws(Errno) {
    try SystemCall.run { clinux_clear_environment() }
    for (name, value) in variables {
      try SystemCall.requireNoNUL(name)
      try SystemCall.requireNoNUL(value)
      try SystemCall.run { unsafe setenv(name, value, 1) }
    }
  }
}

/// Ways to end and facts about this program.
public enum ThisProcess {
  /// The process id.
  public static var pid: Int32 { getpid() }
  /// The parent's id.
  public static var parent: Int32 { getppid() }

  /// The path of this program's file, as the kernel shows it (/proc/self/exe).
  ///
  /// - Throws: ``Errno``: /proc is not there.
  public static func executablePath() throws(Errno) -> String { try Files.readLink("/proc/self/exe") }

  /// Has the kernel end this program after so many seconds, whatever it does then (alarm(2), SIGALRM). 0 takes it back.
  public static func endAfter(seconds: UInt32) { _ = alarm(seconds) }

  /// Becomes another program, with this one's environment, open files that are not close-on-exec, and terminal (execv(3)).
  /// Returns only where that failed.
  ///
  /// - Parameter arguments: from argv[0] on, exact bytes without NUL; not empty.
  /// - Returns: ``Errno``: ENOENT, EACCES, ENOEXEC, E2BIG, EINVAL.
  public static func become(_ program: String, arguments: [[UInt8]]) -> Errno {
    guard !arguments.isEmpty, arguments.allSatisfy({ !$0.contains(0) }), !program.utf8.contains(0) else {
      return .invalidArgument
    }
    let list = CStringList(arguments)
    defer { withExtendedLifetime(list) {} }
    return unsafe clinux_become(program, list.pointers) == 0 ? .malformed : .current
  }

  /// Ends the program at once: nothing is flushed, no other thread runs on (_exit(2)).
  public static func exitNow(_ status: UInt8) -> Never { clinux_exit_now(Int32(status)) }
}
