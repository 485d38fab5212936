internal import LinuxSystem

/// Whether programs of the same user could replace Latchkey's own programs, or trace them from their first instruction.
enum Installation: Hashable, Sendable {
  /// Root alone can change the programs, and nobody but root can read them: an unreadable program cannot be traced (ptrace(2)).
  case protected
  /// Somebody else can; the first thing found.
  case unprotected(String)

  /// Looks at the programs.
  init(programs: [String]) {
    for program in programs {
      if let objection = Self.objection(to: program) {
        self = .unprotected(objection)
        return
      }
    }
    self = .protected
  }

  private static func objection(to program: String) -> String? {
    switch TrustedPath.check(program) {
    case .trusted(let facts):
      facts.mode & 0o044 == 0 ? nil : "\(program) can be read, so that it can be traced before it shields itself"
    case .refused(let component, .owner(let uid)): "\(component) belongs to user \(uid)"
    case .refused(let component, .writable): "\(component) can be written by others"
    case .refused(let component, .unreadable(let failure)): "\(component) cannot be looked at (\(failure))"
    case .refused(let component, .notAbsolute), .refused(let component, .tooManyLinks):
      "\(component) does not lead to a program"
    }
  }

  /// The line of `status`.
  var line: String {
    switch self {
    case .protected: "protected"
    case .unprotected(let why): "unprotected installation: \(why)"
    }
  }
}
