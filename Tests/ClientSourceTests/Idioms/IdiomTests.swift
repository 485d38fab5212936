import Foundation
import TestSupport
import Testing

/// The call shapes of real code under Tests/Idioms, compiled as a program of another package and run by a throw-away user
/// against a real daemon. `scripts/check-idioms` runs them in release and under the sanitizers too.
@Suite(.serialized, .enabled(if: isRoot, "makes accounts"))
struct IdiomTests {
  /// A language mode, with or without everything on the main actor unless it says otherwise.
  struct Mode: CustomTestStringConvertible {
    let version: String
    let options: [String]
    var testDescription: String { (["Swift \(version)"] + options).joined(separator: " ") }
  }

  static let modes = [
    Mode(version: "5", options: []),
    Mode(version: "6", options: []),
    Mode(version: "6", options: ["-default-isolation", "MainActor"]),
  ]

  static func files() throws -> [(name: String, text: String)] {
    let folder = "\(Installation.project)/Tests/Idioms"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }.sorted()
    return try names.map { ($0, try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)) }
      + [("Checks.swift", try SeedPrograms.own("Checks"))]
  }

  @Test(arguments: modes)
  func `every call shape compiles and does what it does on Apple's systems`(mode: Mode) throws {
    let program = try ClientProgram.shared(
      "idioms", mode: mode.version,
      // A result that Apple lets code drop must be dropped here without a warning.
      options: mode.options + ["-warnings-as-errors"], try Self.files())
    let daemon = try SystemDaemon()
    let account = TestAccount(password: "horse", home: .made)
    let result = program.commandLine(of: account, servedBy: daemon).run([], timeout: 300)
    for line in result.output.split(separator: "\n") where line.hasPrefix("FAIL") { Issue.record("\(line)") }
    #expect(result.status == 0, "\(result.complaint)\(result.output.suffix(2000))")
    let passed = result.output.firstMatch(of: /\npassed (\d+) failed 0\n$/).flatMap { Int($0.1) } ?? 0
    #expect(passed >= 120, "\(passed) shapes ran")
  }

  @Test(arguments: modes)
  func `the names of CoreFoundation and of Security are the same names`(mode: Mode) throws {
    let text = """
      import CoreFoundation
      import Foundation
      import Security

      let item: CFDictionary = [kSecClass: kSecClassKey, kSecAttrLabel: "x" as CFString] as CFDictionary
      var error: Unmanaged<CFError>?
      let made = SecAccessControlCreateWithFlags(kCFAllocatorDefault, kSecAttrAccessibleAlways, [.or, .and], &error)
      let code: CFIndex = CFErrorGetCode(error!.takeRetainedValue())
      print(item.count, CFGetTypeID(item) == CFDictionaryGetTypeID(), made == nil, code)

      """
    let program = try ClientProgram.shared("names", mode: mode.version, options: mode.options, [("main.swift", text)])
    let result = run([program.path])
    #expect(result.output == "2 true true -50\n", "\(result.complaint)")
  }
}
