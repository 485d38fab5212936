import Foundation
import KeychainModel
import SecretMemory
import Testing

@testable import ItemStore

/// Files of released formats, made once and never again: device key 32 x 07, account 1000 "alice", bound to the stretched
/// passcode 32 x 01; each accessibility is an account of service "s" with its raw value as value and "l" as label.
@Suite struct FormatTests {
  private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

  @Test(arguments: [1])
  func `A store of every released format opens and reads`(format: Int) throws {
    let folder = try StoreFixture.makeFolder()
    let kept = Self.fixtures.appending(path: "format-\(format).db")
    try FileManager.default.copyItem(at: kept, to: URL(fileURLWithPath: folder + "/keychain.db"))
    let fixture = try StoreFixture(folder)
    fixture.keys = fixture.keys.merging(try fixture.store.unlock(StoreFixture.passcode(1).key))
    for accessibility in Accessibility.allCases {
      let item = try fixture.one("s", accessibility.name)
      #expect(item.attributes?.text(.label) == "l")
      #expect(try fixture.open(item).value?.unprotectedCopy() == Array(accessibility.rawValue.utf8))
    }
    #expect(try fixture.find(StoreFixture.everything).count == 7)
    #expect(try fixture.store.policies() == [StoredPolicy(pattern: "com.example.*", text: "service: com.example.*\n")])
    #expect(try fixture.store.tally(at: ClockReading(wallSeconds: 0, bootSeconds: 0, bootID: [])).misses == 1)
    #expect(try fixture.store.biometryMisses() == 0)
    #expect(fixture.store.hasRecoveryKey)
    let version = try fixture.store.writer.statement("PRAGMA user_version").first { row in row.integer(0) }
    #expect(version == Schema.format)
  }
}
