internal import KeychainModel
internal import KeychainService
internal import LinuxSystem

/// A user's decision log: one line for each decision on a protected item, in a file of the store's folder and in the system's
/// log where one listens.
final class DecisionLog: DecisionRecording {
  /// Most bytes of the file and of the one before it: 4 MiB each.
  static let maximumBytes: Int64 = 4 * 1024 * 1024
  /// The file's name.
  static let fileName = "decisions.log"
  /// Most bytes of a page's lines: what a reply holds, less the frame's own needs.
  static let pageBytes = 56 * 1024
  /// Most lines of a page.
  static let pageLines = 200

  private struct State {
    var file: DecisionFile
    var next: UInt64?
    var health = Health.writing
    var syslogRests: UInt64 = 0
  }

  /// Whether the last line was written: a fault is told once, not with every line.
  private enum Health { case writing, failing }

  private let account: UserAccountName
  private let syslog: Syslog
  private let state: BriefLock<State>

  /// How long the system's log is left alone after nobody listened there: a minute of the boot-time clock.
  private static let syslogRest: UInt64 = 60_000_000_000

  /// The log in a store's folder.
  ///
  /// - Parameters:
  ///   - maximumBytes: the bound of each of the two files.
  ///   - syslog: the socket of the system's log.
  init(
    folder: String, account: UserAccountName, maximumBytes: Int64 = DecisionLog.maximumBytes,
    syslog: String = "/dev/log"
  ) {
    self.account = account
    self.syslog = Syslog(identifier: "latchkeyd", path: syslog)
    state = BriefLock(State(file: DecisionFile(path: "\(folder)/\(Self.fileName)", maximumBytes: maximumBytes)))
  }

  func record(_ record: DecisionRecord) {
    let rest = DecisionLine.rest(of: record)
    state.withLock { state in
      let number = state.next ?? Self.nextNumber(of: state.file)
      state.next = number + 1
      let line = DecisionLine.bytes(number: number, then: rest)
      do throws(Errno) {
        try state.file.append(line)
        state.health = .writing
      } catch {
        complain(error, &state)
      }
      tell(.info, &state) { String(decoding: line.dropLast(), as: UTF8.self) }
    }
  }

  /// The newest lines in front of `before`. A line that was cut off or altered is passed over.
  func page(_ request: LogRequest) throws(Refusal) -> LogReply {
    let file = state.withLock { $0.file }
    do throws(Errno) {
      var page = DecisionPage(before: request.before, lines: min(max(Int(request.limit), 1), Self.pageLines))
      for readable in try state.withLock({ (_) throws(Errno) in try file.readable() }) {
        try page.read(readable)
      }
      return page.reply
    } catch {
      throw Refusal(.ioFailed, detail: "\(file.path): \(error)")
    }
  }

  /// Goes on behind the last whole line. What cannot be read counts as nothing: numbers may then begin again.
  private static func nextNumber(of file: DecisionFile) -> UInt64 {
    for readable in (try? file.readable()) ?? [] {
      guard var lines = try? BackwardLines(readable) else { continue }
      while let line = try? lines.next() {
        if let number = DecisionLine.number(of: line), number < .max { return number + 1 }
      }
    }
    return 1
  }

  private func complain(_ error: Errno, _ state: inout State) {
    guard state.health == .writing else { return }
    state.health = .failing
    // Worth an attempt whenever it happens.
    state.syslogRests = 0
    let text = "\(state.file.path) of \(account.name) cannot be written (\(error)); decisions are lost until it can"
    tell(.error, &state) { text }
  }

  private func tell(_ severity: Syslog.Severity, _ state: inout State, _ text: () -> String) {
    let now = Clock.boottime
    guard now >= state.syslogRests else { return }
    if (try? syslog.log(severity, text())) == nil { state.syslogRests = now + Self.syslogRest }
  }
}

/// A page of the log while it is gathered, from the newest line on.
private struct DecisionPage {
  private let before: UInt64
  private let most: Int
  private var newestFirst: [(number: UInt64, text: String)] = []
  private var bytes = 0
  private var isFull = false

  init(before: UInt64?, lines: Int) {
    self.before = before ?? .max
    most = lines
  }

  mutating func read(_ file: OwnedDescriptor) throws(Errno) {
    var lines = try BackwardLines(file)
    while !isFull, let line = try lines.next() {
      guard let number = DecisionLine.number(of: line), number < newestFirst.last?.number ?? before,
        let text = String(validating: line, as: UTF8.self)
      else { continue }
      guard newestFirst.count < most, bytes + line.count <= DecisionLog.pageBytes else {
        isFull = true
        return
      }
      bytes += line.count + 8
      newestFirst.append((number, text))
    }
  }

  /// The lines, oldest first.
  var reply: LogReply {
    LogReply(lines: newestFirst.reversed().map(\.text), next: isFull ? newestFirst.last?.number : nil)
  }
}
