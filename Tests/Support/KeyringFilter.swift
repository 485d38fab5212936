import Glibc

/// Makes the kernel's keyring calls fail, as a sandbox does.
public enum KeyringFilter {
  /// Whether the thread gives up the way to more rights first; only root can do without.
  public enum Privileges: Sendable { case given, kept }

  /// Makes add_key, request_key and keyctl of this thread, and of the threads and programs it starts from now on, fail with
  /// the errno (seccomp(2)). There is no way back.
  public static func block(errno: Int32, privileges: Privileges = .given) {
    #if arch(x86_64)
      let first: UInt32 = 248
    #else
      let first: UInt32 = 217
    #endif
    var filter = [
      Instruction(code: 0x20, value: 0),  // load the call's number
      Instruction(code: 0x35, ifFalse: 2, value: first),  // below add_key: allow
      Instruction(code: 0x25, ifTrue: 1, value: first + 2),  // above the three: allow
      Instruction(code: 0x06, value: 0x0005_0000 | UInt32(errno)),
      Instruction(code: 0x06, value: 0x7fff_0000),
    ]
    typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
    let control = unsafeBitCast(dlsym(nil, "prctl"), to: Control.self)
    filter.withUnsafeMutableBufferPointer { filter in
      var program = Program(count: UInt16(filter.count), instructions: filter.baseAddress!)
      if privileges == .given { precondition(control(38, 1, 0, 0, 0) == 0, "PR_SET_NO_NEW_PRIVS") }
      precondition(
        control(22, 2, UInt(bitPattern: withUnsafeMutablePointer(to: &program) { $0 }), 0, 0) == 0, "seccomp")
    }
  }
}

/// One instruction of a seccomp filter (linux/filter.h).
private struct Instruction {
  var code: UInt16
  var ifTrue: UInt8 = 0
  var ifFalse: UInt8 = 0
  var value: UInt32
}

private struct Program {
  var count: UInt16
  var instructions: UnsafeMutablePointer<Instruction>
}
