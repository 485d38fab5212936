import Foundation
import LinuxSystem
import TestSupport

/// The test program, run as an account against a daemon: takes lines and answers with lines.
final class KeychainKitProgram {
  let process: SpawnedProcess
  private let input: OwnedDescriptor
  private let output: OwnedDescriptor
  private var text = ""

  /// The program where every account may run it.
  private static let path: String = {
    let place = Installation.shared.prefix + "/bin/keychainkit-client"
    try! FileManager.default.copyItem(atPath: BuiltPrograms.path(of: "keychainkit-client"), toPath: place)
    chmod(place, 0o755)
    return place
  }()

  /// Starts it. `socket` is the daemon's; without one it finds its user's own.
  init(_ account: TestAccount, socket: String?) throws {
    let (reading, writing) = try OwnedDescriptor.pipe()
    let (printed, printing) = try OwnedDescriptor.pipe()
    input = writing
    output = printed
    let user = account.account
    var environment = ["HOME": user.home, "USER": user.name, "LOGNAME": user.name]
    environment["LATCHKEY_SOCKET"] = socket
    var plan = SpawnPlan(arguments: ["keychainkit-client"], environment: environment)
    plan.descriptors = [.init(reading, as: 0), .init(printing, as: 1)]
    plan.asUser = user
    process = try Spawn.start(Self.path, plan)
  }

  deinit { process.killAndWait() }

  func say(_ line: String) throws { try Files.writeAll(input, Array((line + "\n").utf8).span) }

  /// The next line; throws where none comes in time.
  func line(within seconds: Double = 10) throws -> String {
    let deadline = Clock.boottime + UInt64(seconds * 1e9)
    while true {
      if let end = text.firstIndex(of: "\n") {
        let line = String(text[..<end])
        text = String(text[text.index(after: end)...])
        return line
      }
      guard try Poll.wait([PollEntry(output)], until: deadline)[0].isReadable else { throw Silence() }
      var bytes = [UInt8](repeating: 0, count: 4096)
      var span = bytes.mutableSpan
      let count = try Files.read(output, into: &span)
      guard count > 0 else { throw Silence() }
      text += String(decoding: bytes.prefix(count), as: UTF8.self)
    }
  }

  /// What it answers.
  func ask(_ line: String, within seconds: Double = 10) throws -> String {
    try say(line)
    return try self.line(within: seconds)
  }

  /// Reads lines until this one comes.
  func waitFor(_ wanted: String, within seconds: Double = 10) throws {
    let deadline = Clock.boottime + UInt64(seconds * 1e9)
    while try line(within: Double(deadline - min(deadline, Clock.boottime)) / 1e9) != wanted {}
  }

  /// Whether it says nothing for a while.
  func isSilent(for seconds: Double) -> Bool { (try? line(within: seconds)) == nil }

  /// It did not say what it should.
  struct Silence: Error {}
}
