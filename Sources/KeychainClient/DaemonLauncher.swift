internal import KeychainModel
internal import LinuxSystem

/// Starts the user's own daemon and waits until it serves.
struct DaemonLauncher: Sendable {
  /// Where the program may be.
  let programs: [String]

  /// The variables the daemon is started with; all others stay here.
  static let variables = [
    "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_NUMERIC", "LC_TIME",
    "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_STATE_HOME",
  ]
  /// Most bytes of the line in which a daemon says why it does not serve.
  static let lineBytes = 1024
  /// The word of a daemon that found another one running.
  static let alreadyRunning = "alreadyRunning"

  /// Starts a daemon and waits for its word; returns also where another one runs already.
  ///
  /// - Throws: `Refusal`: `serviceUnavailable`, `serviceTimedOut`, `appCancelled`, or the reason the daemon gave.
  func start(until deadline: UInt64, _ cancellations: CancellationSet) throws(Refusal) {
    guard let program = DaemonProgram.find(in: programs) else {
      throw Refusal(.serviceUnavailable, detail: "latchkeyd is not installed")
    }
    let readiness: OwnedDescriptor
    do throws(Errno) { readiness = try spawn(program) } catch {
      throw Refusal(.serviceUnavailable, detail: "\(program) cannot be started: \(error)")
    }
    try DaemonWord(try readWord(readiness, until: deadline, cancellations)).check()
  }

  private func spawn(_ program: String) throws(Errno) -> OwnedDescriptor {
    let (reading, writing) = try OwnedDescriptor.pipe()
    var environment: [String: String] = [:]
    for name in Self.variables { environment[name] = Environment.value(name) }
    environment[ProcessHardening.noBacktrace.name] = ProcessHardening.noBacktrace.value
    let plan = SpawnPlan(
      arguments: ["latchkeyd", "--user", "--ready-fd", "3"], environment: environment,
      descriptors: [.init(writing, as: 3)], newSession: true)
    // No child: the program that uses the client may wait for children of its own.
    try Spawn.startDetached(program, plan)
    return reading
  }

  /// What the daemon wrote before it closed its end.
  private func readWord(
    _ readiness: OwnedDescriptor, until deadline: UInt64, _ cancellations: CancellationSet
  ) throws(Refusal) -> [UInt8] {
    var word: [UInt8] = []
    while word.count <= Self.lineBytes {
      try cancellations.check()
      let slice = min(deadline, Clock.boottime + 50_000_000)
      let answer = try? Poll.wait([PollEntry(readiness)], until: slice)
      guard answer?.first?.isReadable == true else {
        if Clock.boottime < deadline { continue }
        throw Refusal(.serviceTimedOut, detail: "latchkeyd did not get ready")
      }
      var piece = [UInt8](repeating: 0, count: 256)
      var span = piece.mutableSpan
      guard let count = try? Files.read(readiness, into: &span), count > 0 else { break }
      word += piece.prefix(count)
    }
    return word
  }
}

/// What a daemon says on its readiness pipe: one byte where it serves, else a line that begins with a reason's code.
struct DaemonWord: Hashable {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns where a daemon serves or is about to.
  ///
  /// - Throws: `Refusal`: the daemon's reason, or `serviceUnavailable`.
  func check() throws(Refusal) {
    if bytes.count == 1 { return }
    guard bytes.count > 1 else { throw Refusal(.serviceUnavailable, detail: "latchkeyd ended before it was ready") }
    let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    let parts = line.split(separator: " ", maxSplits: 1)
    let code = parts.first.map(String.init) ?? ""
    if code == DaemonLauncher.alreadyRunning { return }
    guard let reason = Reason(rawValue: code) else { throw Refusal(.serviceUnavailable, detail: line) }
    throw Refusal(reason, detail: parts.count > 1 ? String(parts[1]) : "")
  }
}
