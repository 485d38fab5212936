/// What passwd(1) tells a user about the own passcode: the only word there is without root.
public enum PasscodeReport {
  /// The most bytes of its answer that are read.
  static let limit = 1024

  /// Asks `passwd -S` about the user of this process. An answer that is not plainly one is `.unknown`.
  ///
  /// `.notSet` should be believed only when it is heard twice: the account database may be just being written.
  /// - Parameters:
  ///   - program: The path of passwd(1).
  ///   - deadline: When to give up, on the boot-time clock.
  public static func ask(program: String = "/usr/bin/passwd", until deadline: UInt64) -> PasscodeState {
    guard let account = try? Users.account(Users.realUserID), let text = try? answer(program, until: deadline) else {
      return .unknown
    }
    return parse(text, name: account.name)
  }

  private static func answer(_ program: String, until deadline: UInt64) throws(Errno) -> [UInt8] {
    let (reading, child) = try start(program)
    defer { child.killAndWait() }
    var text: [UInt8] = []
    while text.count <= limit {
      let results = try Poll.wait([PollEntry(reading)], until: deadline)
      guard results[0].isReadable else { throw .timedOut }
      var chunk = [UInt8](repeating: 0, count: 256)
      var span = chunk.mutableSpan
      let count = try Files.read(reading, into: &span)
      guard count > 0 else { return try child.wait() == .exited(0) ? text : [] }
      text += chunk.prefix(count)
    }
    throw .fileTooLarge
  }

  /// The writing end is closed here before the answer is read, else its end would never come.
  private static func start(_ program: String) throws(Errno) -> (OwnedDescriptor, SpawnedProcess) {
    let (reading, writing) = try OwnedDescriptor.pipe()
    let plan = SpawnPlan(
      arguments: ["passwd", "-S"], environment: ["LC_ALL": "C"], descriptors: [.init(writing, as: 1)])
    return (reading, try Spawn.start(program, plan))
  }

  /// Reads `name STATE date ...`: P, NP or L.
  static func parse(_ text: [UInt8], name: String) -> PasscodeState {
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    guard lines.count == 1 else { return .unknown }
    let fields = lines[0].split(separator: " ")
    guard fields.count >= 2, fields[0] == name else { return .unknown }
    switch fields[1] {
    case "P": return .set
    case "NP": return .notSet
    case "L": return .locked
    default: return .unknown
    }
  }
}
