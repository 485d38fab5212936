import Foundation
import TestSupport
import Testing

/// The articles' code, compiled as it stands and run by a throw-away user against a real daemon.
@Suite(
  .enabled(if: isRoot, "makes accounts"),
  .enabled(if: SeedDocument.folder != nil, "the articles' folder is absent; LATCHKEY_SEEDS names it"))
struct SeedTests {
  let account = TestAccount(password: "horse-\(UInt64.random(in: 0 ... .max))", home: .made)

  private func lines(_ result: CommandResult) -> [String] {
    #expect(result.status == 0, "\(result.output)\(result.complaint)")
    return result.output.split(separator: "\n").map(String.init)
  }

  private func expectAllHeld(_ result: CommandResult, _ count: Int) {
    #expect(lines(result).last == "passed \(count) failed 0", "\(result.output)\(result.complaint)")
  }

  @Test func `every article has the pieces of code that are compiled here`() throws {
    let kinds = try ["credential-store", "keychain-guide", "storing-secrets", "keychainkit-readme"].map {
      try SeedDocument(named: $0).blocks.map(\.kind)
    }
    #expect(kinds[0] == [.declarations])
    #expect(kinds[1] == [.declarations, .statements, .declarations, .declarations])
    #expect(kinds[2] == [.declarations, .declarations, .statements])
    #expect(kinds[3] == [.statements, .statements, .statements, .userInterface, .statements, .listing])
  }

  @Test(arguments: SeedPrograms.modes)
  func `the credential store saves, replaces, reads and deletes`(mode: String) throws {
    let daemon = try SystemDaemon()
    let program = try SeedPrograms(mode: mode).driven("credential-store", by: "CredentialStoreDriver")
    expectAllHeld(program.commandLine(of: account, servedBy: daemon).run(), 8)
  }

  @Test(arguments: SeedPrograms.modes)
  func `the guide's wrapper adds, refuses a duplicate, updates, saves, reads and deletes`(mode: String) throws {
    let daemon = try SystemDaemon()
    let program = try SeedPrograms(mode: mode).driven("keychain-guide", by: "KeychainGuideDriver")
    expectAllHeld(program.commandLine(of: account, servedBy: daemon).run("plain"), 12)
  }

  @Test(arguments: SeedPrograms.modes)
  func `the guide's lines save, read and delete a token and print nothing`(mode: String) throws {
    let daemon = try SystemDaemon()
    let program = try SeedPrograms(mode: mode).usage("keychain-guide", names: "GuideNames")
    #expect(lines(program.commandLine(of: account, servedBy: daemon).run()) == [])
    let left = daemon.commandLine(of: account).run("list", "--json")
    #expect(left.status == 0 && !left.output.contains("refreshToken"), "\(left.output)")
  }

  @Test(arguments: SeedPrograms.modes)
  func `the guide's protected item is refused without a reader, before and after the keychain is bound`(
    mode: String
  ) throws {
    let daemon = try SystemDaemon()
    let password = "horse-\(UInt64.random(in: 0 ... .max))"
    account.setPassword(password)
    let program = try SeedPrograms(mode: mode).driven("keychain-guide", by: "KeychainGuideDriver")
    expectAllHeld(program.commandLine(of: account, servedBy: daemon).run("protected"), 3)
    let bound = daemon.commandLine(of: account).run("unlock", passcode: password)
    #expect(bound.status == 0, "\(bound.complaint)")
    expectAllHeld(program.commandLine(of: account, servedBy: daemon).run("protected"), 3)
  }

  @Test(arguments: SeedPrograms.modes)
  func `the guide's protected read prompts at the terminal and opens what wants presence`(mode: String) throws {
    let daemon = try SystemDaemon()
    let password = "horse-\(UInt64.random(in: 0 ... .max))"
    account.setPassword(password)
    let program = try SeedPrograms(mode: mode).driven("keychain-guide", by: "KeychainGuideDriver")
    let line = program.commandLine(of: account, servedBy: daemon)
    expectAllHeld(line.run("add"), 1)
    let person = try Person(owner: account.account)
    let process = try line.start("read", at: person)
    try person.see("to test the article")
    try person.see("Passcode for")
    try person.type(password + "\n")
    try person.see("passed 1 failed 0")
    #expect(process.status() == 0)
    // Dismissed, it answers the code of that and nothing opens.
    let second = try line.start("read", at: person)
    try person.see("Passcode for")
    try person.type("\u{3}")
    try person.see("-128")
    #expect(second.status() == 1)
    #expect(line.run("read").output.contains("-25308"), "without a terminal there is no way to ask")
  }

  @Test(arguments: SeedPrograms.modes)
  func `the guide's protected pair saves, opens for a finger, and ends with the set of fingers`(mode: String) throws {
    let reader = try FingerprintHouse()
    try reader.enrol(as: "f1", for: account.name)
    // Sessions of a test are of unknown origin.
    let daemon = try SystemDaemon(
      policy: ["com.example.any": "service: com.example.*\nremote: any\n"], reader: reader)
    let password = "horse-\(UInt64.random(in: 0 ... .max))"
    account.setPassword(password)
    // The class of the article's item is there once the keychain is bound to a passcode.
    let bound = daemon.commandLine(of: account).run("unlock", passcode: password)
    #expect(bound.status == 0, "\(bound.complaint)")
    let program = try SeedPrograms(mode: mode).driven("keychain-guide", by: "KeychainGuideDriver")
    let line = program.commandLine(of: account, servedBy: daemon)
    expectAllHeld(line.run("save-finger"), 1)
    let person = try Person(owner: account.account)
    let process = try line.start("read-finger", at: person)
    try person.see("to test the article")
    try person.see("Touch the fingerprint reader")
    try reader.scan("f1")
    try person.see("passed 1 failed 0")
    #expect(process.status() == 0)
    // Its own finger no longer opens it once another is enrolled.
    try reader.enrol(.leftThumb, as: "f2", for: account.name)
    expectAllHeld(line.run("read-gone"), 2)
  }

  @Test(arguments: SeedPrograms.modes)
  func `the service's wrapper saves, replaces, updates, deletes and clears all`(mode: String) throws {
    let daemon = try SystemDaemon()
    let program = try SeedPrograms(mode: mode).driven("storing-secrets", by: "StoringSecretsDriver")
    expectAllHeld(program.commandLine(of: account, servedBy: daemon).run(), 18)
  }

  @Test(arguments: SeedPrograms.modes)
  func `the service's lines print what the article says they print`(mode: String) throws {
    let daemon = try SystemDaemon()
    let document = try SeedDocument(named: "storing-secrets")
    let printed = lines(
      try SeedPrograms(mode: mode).usage("storing-secrets").commandLine(of: account, servedBy: daemon).run())
    let wanted = try document.printedWhenAllGoesWell()
    #expect(printed.count == wanted.count && wanted.count > 5, "\(printed)")
    for (line, pattern) in zip(printed, wanted) { #expect(line.wholeMatch(of: pattern) != nil, "\(line)") }
  }
}

extension SeedDocument {
  /// The lines its statements print on the way without a failure: all but those of an else, a catch or what it calls
  /// unexpected. An interpolated value may be anything but nothing.
  func printedWhenAllGoesWell() throws -> [Regex<AnyRegexOutput>] {
    let lines = statements.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    var wanted: [Regex<AnyRegexOutput>] = []
    for (index, line) in lines.enumerated() {
      guard line.hasPrefix("print(\""), !line.contains("unexpected") else { continue }
      let before = lines[index - 1]
      if before.hasPrefix("} catch") { continue }
      if before.hasPrefix("} else"), !line.contains("expected") { continue }
      let literal = line.dropFirst("print(\"".count).dropLast("\")".count)
      let parts = String(literal).split(separator: /\\\([^)]*\)/, omittingEmptySubsequences: false)
      let pattern = parts.map { NSRegularExpression.escapedPattern(for: String($0)) }.joined(separator: ".+")
      wanted.append(try Regex(pattern))
    }
    return wanted
  }
}
