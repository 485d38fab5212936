import Foundation
import TestSupport
import Testing

/// The lines of the observable keychain's page, compiled as they stand and run against a real daemon.
@Suite(
  .enabled(if: isRoot, "makes accounts"),
  .enabled(if: SeedDocument.folder != nil, "the articles' folder is absent; LATCHKEY_SEEDS names it"))
struct KeychainKitSeedTests {
  @Test(arguments: SeedPrograms.modes)
  func `the page's lines write, read and delete, and leave what they say`(mode: String) throws {
    let document = try SeedDocument(named: "keychainkit-readme")
    let pieces = document.blocks.filter { $0.kind == .statements }.map(\.text)
    let daemon = try SystemDaemon()
    let account = TestAccount(password: nil, home: .made)
    // The last piece makes another keychain of the same name: a program of its own, below.
    let usage = try ClientProgram.shared(
      "page", mode: mode, [("main.swift", pieces.dropLast().joined(separator: "\n\n") + "\n")])
    let ran = usage.commandLine(of: account, servedBy: daemon).run()
    #expect(ran.status == 0 && ran.output.isEmpty, "\(ran.output)\(ran.complaint)")
    let reader = try ClientProgram.shared(
      "page", mode: mode,
      [("main.swift", try SeedPrograms.own("KeychainKitReader")), ("Checks.swift", try SeedPrograms.own("Checks"))])
    let named = try #require(pieces[1].firstMatch(of: /account: "([^"]+)", service: "([^"]+)"/))
    let value = try #require(pieces[1].firstMatch(of: /\] = "([^"]+)"/))
    let looked = reader.commandLine(of: account, servedBy: daemon)
      .run(String(named.2), String(named.1), String(value.1))
    #expect(looked.output.hasSuffix("passed 6 failed 0\n"), "\(looked.output)\(looked.complaint)")
  }

  @Test(arguments: SeedPrograms.modes)
  func `the page's mock is injected and no daemon is asked`(mode: String) throws {
    let document = try SeedDocument(named: "keychainkit-readme")
    let pieces = document.blocks.filter { $0.kind == .statements }.map(\.text)
    let account = TestAccount(password: nil, home: .made)
    let program = try ClientProgram.shared(
      "mock", mode: mode,
      [
        ("main.swift", "import KeychainKit\n" + pieces.last! + "\n" + (try SeedPrograms.own("KeychainKitMockUse"))),
        ("Mock.swift", try SeedPrograms.own("KeychainKitMock")), ("Checks.swift", try SeedPrograms.own("Checks")),
      ])
    let line = program.commandLine(of: account, socket: "/nonexistent/socket")
    let ran = line.run()
    #expect(ran.output.hasSuffix("passed 4 failed 0\n"), "\(ran.output)\(ran.complaint)")
  }
}
