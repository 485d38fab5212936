import AccessPolicy
import Dispatch
import Foundation
import KeychainModel
import KeychainService
import Testing

@testable import latchkeyd

@Suite struct DecisionLogTests {
  private func log(_ folder: ScratchFolder, maximumBytes: Int64 = DecisionLog.maximumBytes, syslog: String? = nil)
    -> DecisionLog
  {
    DecisionLog(
      folder: folder.path, account: ScratchFolder.alice, maximumBytes: maximumBytes, syslog: syslog ?? folder("no-log"))
  }

  private func decision(_ service: ExactText = "mail", program: String = "/usr/bin/mail", refusal: Refusal? = nil)
    -> DecisionRecord
  {
    let peer = PeerFacts(
      uid: 1000, process: ProcessIdentity(pid: 42, startTime: 1),
      executable: ExecutableIdentity(device: 1, inode: 1, displayPath: program), origin: .local)
    return DecisionRecord(
      time: 1_700_000_000.25, peer: peer, service: service, item: ItemIdentifier(high: 1, low: 255), action: "read",
      method: "passcode", refusal: refusal)
  }

  private func object(_ line: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }

  private func lines(_ log: DecisionLog, limit: UInt32 = 200) throws -> [String] {
    var lines: [String] = []
    var request = LogRequest(limit: limit)
    repeat {
      let page = try log.page(request)
      #expect(page.lines.count <= Int(limit))
      lines = page.lines + lines
      request.before = page.next
    } while request.before != nil
    return lines
  }

  private func numbers(_ lines: [String]) -> [UInt64] {
    lines.compactMap { DecisionLine.number(of: Array($0.utf8)[...]) }
  }

  @Test func `a decision is one line of JSON with all that is known of it`() throws {
    let folder = ScratchFolder()
    let log = log(folder)
    log.record(decision())
    log.record(decision(refusal: Refusal(.wrongPasscode, detail: "once")))
    let page = try log.page(LogRequest())
    #expect(page.lines.count == 2 && page.next == nil)
    #expect(
      page.lines[0]
        == #"{"n":1,"time":1700000000.250,"pid":42,"uid":1000,"program":"/usr/bin/mail","service":"mail","#
        + #""item":"000000000000000100000000000000ff","action":"read","method":"passcode","outcome":"allow","#
        + #""reason":"","detail":""}"#)
    let second = try object(page.lines[1])
    #expect(second["outcome"] as? String == "refuse" && second["reason"] as? String == "wrongPasscode")
    #expect(second["detail"] as? String == "once")
    #expect(folder.mode("decisions.log") == 0o600)
  }

  @Test(arguments: [
    "\u{1B}[2J", "a\nb", "quote\"back\\slash", "brace}", "\"}", "\u{202E}dne", "\u{2028}", "\u{E0001}tag",
    "\u{7F}\u{85}",
  ])
  func `no text breaks its line, moves a cursor or is lost`(hostile: String) throws {
    let folder = ScratchFolder()
    let log = log(folder)
    log.record(decision(ExactText(hostile), program: hostile, refusal: Refusal(.noMatch, detail: hostile)))
    let line = try #require(try log.page(LogRequest()).lines.first)
    #expect(
      line.unicodeScalars.allSatisfy { ![.control, .format, .lineSeparator].contains($0.properties.generalCategory) })
    let fields = try object(line)
    for name in ["service", "program", "detail"] { #expect(fields[name] as? String == hostile) }
  }

  @Test(arguments: [332, 333, 334, 4096])
  func `a line stays within its bound however long its texts are`(length: Int) throws {
    let folder = ScratchFolder()
    let log = log(folder)
    let long = String(repeating: "é", count: length)
    let controls = String(repeating: "\u{1}", count: length)
    log.record(decision(ExactText(long), program: controls, refusal: Refusal(.noMatch, detail: controls)))
    let line = try #require(try log.page(LogRequest()).lines.first)
    #expect(line.utf8.count <= DecisionLine.mostBytes)
    let service = try #require(try object(line)["service"] as? String)
    #expect(service == (length * 2 <= DecisionLine.textBytes ? long : String(repeating: "é", count: 500) + "..."))
  }

  @Test(arguments: [-1, 0, 1])
  func `a file is full at its bound and not a byte before`(extra: Int) throws {
    let folder = ScratchFolder()
    let size = DecisionLine.bytes(of: decision(), number: 1).count
    let log = log(folder, maximumBytes: Int64(3 * size + extra))
    for _ in 0..<3 { log.record(decision()) }
    let rotates = extra < 0
    #expect(folder.bytes("decisions.log")?.count == (rotates ? size : 3 * size))
    #expect(folder.bytes("decisions.log.1")?.count == (rotates ? 2 * size : nil))
    #expect(numbers(try lines(log)) == [1, 2, 3])
  }

  @Test func `two files of bounded size hold the newest decisions, and pages go through both`() throws {
    let folder = ScratchFolder()
    let log = log(folder, maximumBytes: 20_000)
    for _ in 0..<1000 { log.record(decision()) }
    for name in ["decisions.log", "decisions.log.1"] { #expect((folder.bytes(name)?.count ?? .max) <= 20_000) }
    let kept = numbers(try lines(log, limit: 7))
    #expect(kept.count > 90 && kept.last == 1000)
    #expect(kept == Array((kept.first ?? 0)...1000))
    #expect(folder.mode("decisions.log.1") == 0o600)
  }

  @Test(arguments: [(0, 1), (1, 1), (199, 199), (200, 200), (201, 200), (UInt32.max, 200)] as [(UInt32, Int)])
  func `a page holds as many lines as were asked for, at most 200`(limit: UInt32, count: Int) throws {
    let folder = ScratchFolder()
    let log = log(folder)
    for _ in 0..<250 { log.record(decision("m")) }
    let page = try log.page(LogRequest(limit: limit))
    #expect(page.lines.count == count)
    #expect(numbers(page.lines) == Array(UInt64(251 - count)...250))
    #expect(page.next == UInt64(251 - count))
  }

  @Test func `a page of long lines fits a reply and goes on where it ended`() throws {
    let folder = ScratchFolder()
    let log = log(folder)
    let long = String(repeating: "x", count: 3000)
    for _ in 0..<60 { log.record(decision(ExactText(long), program: long, refusal: Refusal(.noMatch, detail: long))) }
    let page = try log.page(LogRequest())
    #expect(page.lines.reduce(0) { $0 + $1.utf8.count } <= DecisionLog.pageBytes)
    #expect(numbers(try lines(log)) == Array(1...60))
  }

  @Test func `a line that was cut off anywhere is passed over and damages no other`() throws {
    let whole = DecisionLine.bytes(of: decision("}\"}", refusal: Refusal(.noMatch, detail: "}")), number: 2)
    for length in 1..<whole.count - 1 {
      let folder = ScratchFolder()
      let first = DecisionLine.bytes(of: decision(), number: 1)
      try Data(first + whole.prefix(length)).write(to: URL(fileURLWithPath: folder("decisions.log")))
      let log = log(folder)
      log.record(decision())
      let lines = try lines(log)
      #expect(numbers(lines) == [1, 2], "cut at \(length)")
      for line in lines { #expect(try object(line)["service"] as? String == "mail", "cut at \(length)") }
    }
  }

  @Test func `numbers go on after a new start`() throws {
    let folder = ScratchFolder()
    for _ in 0..<3 { log(folder).record(decision()) }
    #expect(numbers(try lines(log(folder))) == [1, 2, 3])
  }

  @Test func `a symbolic link, a foreign file and a pipe are never written`() throws {
    let spoilers: [(ScratchFolder) -> Void] = [
      { symlink($0("target"), $0("decisions.log")) }, { mkfifo($0("decisions.log"), 0o600) },
      {
        $0.write("", to: "decisions.log", mode: 0o600)
        chown($0("decisions.log"), 65_534, 65_534)
      },
    ]
    for spoil in spoilers {
      let folder = ScratchFolder()
      folder.write("untouched", to: "target")
      spoil(folder)
      log(folder).record(decision())
      #expect(folder.bytes("target").map { String(decoding: $0, as: UTF8.self) } == "untouched")
      var facts = stat()
      lstat(folder("decisions.log"), &facts)
      #expect(facts.st_mode & S_IFMT != S_IFREG || facts.st_size == 0)
    }
  }

  @Test func `a fault of writing is told once to the system's log, and the log goes on once it is gone`() throws {
    let folder = ScratchFolder()
    let syslog = try SyslogSocket(path: folder("log"))
    symlink("/dev/full", folder("decisions.log"))
    let log = log(folder, syslog: folder("log"))
    for _ in 0..<3 { log.record(decision()) }
    unlink(folder("decisions.log"))
    for _ in 0..<2 { log.record(decision()) }
    let messages = syslog.messages()
    #expect(messages.count == 6)
    #expect(messages.filter { $0.contains("cannot be written") }.count == 1)
    #expect(messages.filter { $0.contains(#""action":"read""#) }.count == 5)
    #expect(numbers(try lines(log)) == [4, 5])
  }

  @Test func `many threads write whole lines`() throws {
    let folder = ScratchFolder()
    let log = log(folder)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in for _ in 0..<50 { log.record(decision()) } }
    #expect(numbers(try lines(log)) == Array(1...400))
  }

  @Test func `a log that was taken away is begun anew`() throws {
    let folder = ScratchFolder()
    let log = log(folder)
    log.record(decision())
    unlink(folder("decisions.log"))
    log.record(decision())
    #expect(numbers(try lines(log)) == [2])
  }
}

/// A socket that the system's log would listen on.
private final class SyslogSocket {
  private let number: Int32

  init(path: String) throws {
    number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0)
  }

  deinit { close(number) }

  /// What arrived.
  func messages() -> [String] {
    var messages: [String] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(number, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      guard count > 0 else { return messages }
      messages.append(String(decoding: buffer.prefix(count), as: UTF8.self))
    }
  }
}
