import Foundation
import LinuxSystem
import TestSupport
import Testing

/// A program of the same user that tries to trace daemon, helper and prompter from their first instruction on.
@Suite(.serialized, .enabled(if: isRoot, "makes accounts"))
struct TracerTests {
  static let names = ["latchkeyd", "latchkey-pam-helper", "latchkey-prompter"]

  /// What the tracer found out.
  struct Catch {
    var seen = 0
    var traced = 0
    /// Reads that did not answer the value.
    var spoilt = 0
  }

  /// Races so many daemons, helpers and prompters of an installation; ends early once one was traced, where asked to.
  private func race(_ runs: Int, _ installation: Installation, untilTraced: Bool = false) throws -> Catch {
    let account = TestAccount(password: "right horse", home: .made)
    let commandLine = UserDaemon(installation, account: account).commandLine
    #expect(
      commandLine.run(["add", "-s", "mail", "-a", "me", "--require", "userPresence"], input: Array("value".utf8)).status
        == 0)
    var caught = Catch()
    let tracer = try Tracer(as: account.account)
    for number in 0..<runs {
      account.killEverything(but: tracer.process.pid)
      caught.spoilt += try Self.read(number, account, commandLine) ? 0 : 1
      if untilTraced, caught.spoilt > 0 { break }
    }
    (caught.seen, caught.traced) = try tracer.result()
    return caught
  }

  /// One read with a daemon, a helper and a prompter of its own, every tenth to its end; says whether it went as it should.
  private static func read(_ number: Int, _ account: TestAccount, _ commandLine: CommandLine) throws -> Bool {
    let output = "\(account.account.home)/value\(number)"
    let person = try Person(owner: account.account)
    let process = try commandLine.start("get", "-s", "mail", "-a", "me", at: person, output: output)
    guard (try? person.see("Passcode for", within: 20)) != nil else { return false }
    let isWhole = number % 10 == 0
    try person.type(isWhole ? "right horse\n" : "\u{3}")
    let status = process.status()
    let value = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
    return isWhole ? (status, value) == (0, "value") : (status, value) == (128, "")
  }

  @Test func `two hundred daemons, helpers and prompters of a root-owned installation are never traced`() throws {
    let caught = try race(200, .shared)
    #expect(caught.traced == 0)
    #expect(caught.seen >= 400, "the tracer saw \(caught.seen) processes")
    #expect(caught.spoilt == 0)
  }

  @Test func `the same race succeeds against readable copies of the programs`() throws {
    let readable = Installation(mode: 0o755)
    defer { readable.remove() }
    #expect(try race(40, readable).traced > 0)
  }
}

/// The tracer, running as an account.
private final class Tracer {
  let process: SpawnedProcess
  private var input: OwnedDescriptor?
  private let output: OwnedDescriptor

  init(as account: UserAccount) throws {
    // The build folder may be closed to the account; a copy beside nothing else is not.
    let place = "/tmp/latchkey-tracer-\(getpid())"
    try? FileManager.default.removeItem(atPath: place)
    try FileManager.default.copyItem(atPath: BuiltPrograms.path(of: "latchkey-tracer"), toPath: place)
    chmod(place, 0o755)
    defer { try? FileManager.default.removeItem(atPath: place) }
    let feed = try OwnedDescriptor.pipe()
    let printed = try OwnedDescriptor.pipe()
    var plan = SpawnPlan(arguments: ["latchkey-tracer"] + TracerTests.names)
    plan.asUser = account
    plan.descriptors = [.init(feed.reading, as: 0), .init(printed.writing, as: 1)]
    process = try Spawn.start(place, plan)
    input = feed.writing
    output = printed.reading
  }

  deinit { process.killAndWait() }

  func result() throws -> (seen: Int, traced: Int) {
    input = nil
    guard try Poll.wait([PollEntry(output)], timeoutMilliseconds: 10_000)[0].isReadable else { return (0, 0) }
    var line = [UInt8](repeating: 0, count: 256)
    var span = line.mutableSpan
    let count = try Files.read(output, into: &span)
    let words = String(decoding: line.prefix(count), as: UTF8.self).split(separator: " ")
    return (Int(words[1])!, Int(words[3])!)
  }
}
