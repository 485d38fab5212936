import Foundation
import KeychainModel
import LinuxSystem
import TestSupport
import Testing

@testable import latchkey

@Suite struct ExitStatusTests {
  /// The table of docs/reasons.md: each reason and its exit status.
  static let documented: [(reason: String, exit: Int32)] = {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "../../docs/reasons.md")
    let lines = ((try? String(contentsOf: file.standardized, encoding: .utf8)) ?? "").split(separator: "\n")
    return lines.compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count > 3, cells[0].hasPrefix("`"), let exit = Int32(cells[2]) else { return nil }
      return (cells[0].trimmingCharacters(in: ["`"]), exit)
    }
  }()

  @Test func `every reason ends the program with its documented status and says itself`() throws {
    #expect(Self.documented.count == Reason.allCases.count)
    for (name, exit) in Self.documented {
      let reason = try #require(Reason(rawValue: name))
      let refusal = KeychainReply.refused(Refusal(reason, detail: "why\u{1B}[2J"))
      let plain = try latchkey(["lock"], answering: refusal)
      #expect(plain.status == exit && plain.bytes.isEmpty)
      let explanation = reason.explanation.dropLast()
      #expect(plain.complaint == "latchkey: \(explanation) (why\\u{1B}[2J). \(reason.nextStep)\n")
      let forPrograms = try latchkey(["lock", "--json"], answering: refusal)
      let object = try json(forPrograms.output)
      #expect(forPrograms.status == exit && forPrograms.complaint.isEmpty)
      #expect(object["reason"] as? String == name && object["status"] as? Int == Int(reason.status.rawValue))
      #expect(object["nextStep"] as? String == reason.nextStep && object["detail"] as? String == "why\u{1B}[2J")
    }
  }

  @Test func `a read ends differently for missing, locked, cancelled, refused and unavailable`() throws {
    let reasons: [Reason] = [.itemNotFound, .keybagLocked, .userCancelled, .noMatch, .serviceUnavailable]
    let statuses = try reasons.map {
      try latchkey(["get", "-s", "a", "-a", "b"], answering: .refused(Refusal($0))).status
    }
    #expect(statuses == [44, 36, 128, 51, 53])
  }

  @Test func `doctor ends with 53 where something is broken, and finds a daemon that is not there`() throws {
    let fine = DoctorFinding(level: .warning, check: "a", text: "b")
    #expect(try latchkey(["doctor"], answering: .doctor([fine])).status == 0)
    let broken = DoctorFinding(level: .broken, check: "a", text: "b", command: "c")
    #expect(try latchkey(["doctor"], answering: .doctor([fine, broken])).status == 53)
    let result = run(
      [BuiltPrograms.path(of: "latchkey"), "doctor", "--json"], environment: ["LATCHKEY_SOCKET": "/nonexistent"])
    #expect(result.status == 53)
    let findings = try json(result.output)["findings"] as? [[String: Any]]
    #expect(findings?.first?["check"] as? String == "daemon")
    #expect(findings?.first?["command"] as? String == "unset LATCHKEY_SOCKET")
  }

  @Test(arguments: [[], ["--json"]]) func `a recovery key that nobody saw is not told to be tried again`(
    more: [String]
  ) throws {
    let folder = try ScratchFolder()
    let daemon = try FakeDaemon(folder.path("socket")) { socket, message in
      try socket.send(message.reply(.recoveryKey(0), secrets: [try secret("ABCDE-FGHIJ")]))
    }
    defer { daemon.stop() }
    let (reading, writing) = try OwnedDescriptor.pipe()
    var plan = SpawnPlan(
      arguments: ["latchkey", "recovery-key"] + more, environment: ["LATCHKEY_SOCKET": folder.path("socket")])
    plan.descriptors = [.init(try Files.open("/dev/full", .writing), as: 1), .init(writing, as: 2)]
    let child = try Spawn.start(BuiltPrograms.path(of: "latchkey"), plan)
    #expect(try child.wait() == .exited(195))
    var text = [UInt8](repeating: 0, count: 1000)
    var span = text.mutableSpan
    let count = try Files.read(reading, into: &span)
    let complaint = String(decoding: text.prefix(count), as: UTF8.self)
    #expect(complaint.contains("a recovery key was made and nobody saw it") && complaint.contains("Make another with"))
    #expect(!complaint.contains("ry again") && complaint.contains("no space left"), "\(complaint)")
  }

  @Test func `a usage error ends with 2, also for programs`() throws {
    let result = run([BuiltPrograms.path(of: "latchkey"), "get", "--json"])
    #expect(result.status == 2)
    #expect(try json(result.output)["reason"] as? String == "usage")
  }

  @Test func `a descriptor that is not open is a usage error`() throws {
    let result = run([BuiltPrograms.path(of: "latchkey"), "lock", "--passcode-fd", "77"])
    #expect(result.status == 2 && result.complaint.contains("descriptor 77 is not open"))
  }

  @Test(arguments: ["/dev/full", ""]) func `an answer that cannot be written is an error`(place: String) throws {
    let daemon = try MemoryDaemon()
    #expect(daemon.latchkey("add", "-s", "a", "-a", "b", input: Array("x".utf8)).status == 0)
    let output: OwnedDescriptor
    if place.isEmpty {
      // A pipe that nobody reads any more.
      output = try OwnedDescriptor.pipe().writing
    } else {
      output = try Files.open(place, .writing)
    }
    let (reading, writing) = try OwnedDescriptor.pipe()
    for words in [["get", "-s", "a", "-a", "b"], ["list"], ["status", "--json"], ["--help"]] {
      var plan = SpawnPlan(
        arguments: ["latchkey"] + words, environment: ["LATCHKEY_SOCKET": daemon.folder.path("socket")])
      plan.descriptors = [.init(output, as: 1), .init(writing, as: 2)]
      let child = try Spawn.start(BuiltPrograms.path(of: "latchkey"), plan)
      #expect(try child.wait() == .exited(place.isEmpty ? 220 : 222))
      var text = [UInt8](repeating: 0, count: 1000)
      var span = text.mutableSpan
      let count = try Files.read(reading, into: &span)
      #expect(
        String(decoding: text.prefix(count), as: UTF8.self).hasPrefix("latchkey: standard output cannot be written"))
    }
  }
}
