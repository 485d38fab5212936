import Foundation
import KeychainModel
import SecretMemory
import Testing

@testable import ItemStore

/// Files of released formats, made once and never again: device key 32 x 07, account 1000 "alice", bound to the stretched
/// passcode 32 x 01; each accessibility is an account of service "s" with its raw value as value and "l" as label. From format
/// 2 on there are three misses of fingers, and an account "bound" with the value 9 and the set of fingers 32 x 05.
@Suite struct FormatTests {
  private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

  private static func folder(of format: Int64) throws -> String {
    let folder = try StoreFixture.makeFolder()
    let kept = fixtures.appending(path: "format-\(format).db")
    try FileManager.default.copyItem(at: kept, to: URL(fileURLWithPath: folder + "/keychain.db"))
    return folder
  }

  @Test(arguments: 1...Schema.format)
  func `A store of every released format opens and reads`(format: Int64) throws {
    let fixture = try StoreFixture(Self.folder(of: format))
    fixture.keys = fixture.keys.merging(try fixture.store.unlock(StoreFixture.passcode(1).key))
    for accessibility in Accessibility.allCases {
      let item = try fixture.one("s", accessibility.name)
      #expect(item.attributes?.text(.label) == "l")
      #expect(try fixture.open(item).value?.unprotectedCopy() == Array(accessibility.rawValue.utf8))
    }
    #expect(try fixture.find(StoreFixture.everything).count == (format == 1 ? 7 : 8))
    #expect(try fixture.store.policies() == [StoredPolicy(pattern: "com.example.*", text: "service: com.example.*\n")])
    #expect(try fixture.store.tally(at: ClockReading(wallSeconds: 0, bootSeconds: 0, bootID: [])).misses == 1)
    #expect(fixture.store.hasRecoveryKey)
    let version = try fixture.store.writer.statement("PRAGMA user_version").first { row in row.integer(0) }
    #expect(version == Schema.format)
  }

  @Test func `Misses of fingers begin at none in a store of format 1, and stand in one of format 2`() throws {
    for (format, misses) in [(Int64(1), UInt32(0)), (2, 3)] {
      let fixture = try StoreFixture(Self.folder(of: format))
      #expect(try fixture.store.biometryMisses() == misses)
      #expect(try fixture.store.recordBiometryMiss() == misses + 1)
    }
  }

  @Test func `An item of format 2 keeps the fingers it was bound to`() throws {
    let fixture = try StoreFixture(Self.folder(of: 2))
    fixture.keys = fixture.keys.merging(try fixture.store.unlock(StoreFixture.passcode(1).key))
    let item = try fixture.one("s", "bound")
    #expect(item.boundEnrolment == [UInt8](repeating: 5, count: 32))
    #expect(try fixture.open(item).value?.unprotectedCopy() == [9])
  }

  @Test func `A store of the newest format is read without a change to its file`() throws {
    let folder = try Self.folder(of: Schema.format)
    let before = try Data(contentsOf: URL(fileURLWithPath: folder + "/keychain.db"))
    do {
      let fixture = try StoreFixture(folder)
      fixture.keepsFolder = true
      #expect(try fixture.store.biometryMisses() == 3)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/keychain.db")) == before)
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func `A store of the next format is refused, and nothing of it is touched`() throws {
    let folder = try Self.folder(of: Schema.format)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Connection(path: StoreLocation(folder: folder).path, access: .readWrite)
      .execute("PRAGMA user_version = \(Schema.format + 1)")
    let before = try StoreFixture.files(folder)
    for _ in 0..<2 {
      #expect(throws: StoreError.newer(format: Schema.format + 1)) { try StoreFixture(folder) }
    }
    #expect(try StoreFixture.files(folder) == before)
  }
}
