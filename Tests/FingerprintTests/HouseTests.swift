import Foundation
import LinuxSystem
import Testing

import TestSupport

/// The testbed itself: what the other tests of this room rely on.
@Suite struct HouseTests {
  @Test func `a finger is enrolled, matches, and another one does not`() throws {
    let house = try FingerprintHouse()
    let account = TestAccount(password: nil)
    try house.enrol(as: "f1", for: account.name)
    #expect(house.enrolled(for: account.name).contains("right-index-finger"))
    #expect(try verify(house, account.name) { try house.scan("f1") }.contains("verify-match"))
    #expect(try verify(house, account.name) { try house.scan("f2") }.contains("verify-no-match"))
  }

  @Test func `a reader with storage tells two fingers apart`() throws {
    let house = try FingerprintHouse(.storage)
    let account = TestAccount(password: nil)
    try house.enrol(.rightIndex, as: "f1", for: account.name)
    try house.enrol(.leftThumb, as: "f2", for: account.name)
    for finger in ["f1", "f2"] {
      #expect(try verify(house, account.name) { try house.scan(finger) }.contains("verify-match"))
    }
    #expect(try verify(house, account.name) { try house.scan("f3") }.contains("verify-no-match"))
    try house.remove(.leftThumb, of: account.name)
    #expect(!house.enrolled(for: account.name).contains("left-thumb"))
  }

  @Test func `a bad touch, a fault, an unplugged reader and a crash are what they are called`() throws {
    let house = try FingerprintHouse()
    let account = TestAccount(password: nil)
    try house.enrol(as: "f1", for: account.name)
    let retried = try verify(house, account.name) {
      try house.scanBadly(.tooShort)
      try house.scan("f1")
    }
    #expect(retried.contains("too-short") && retried.contains("verify-match"))
    #expect(try verify(house, account.name) { try house.fail() }.contains("verify-unknown-error"))
    #expect(try !verify(house, account.name) { house.killReader() }.contains("verify-match"))
    try house.startReader()
    #expect(try verify(house, account.name) { try house.unplug() }.contains("removed from the system"))
    try house.startReader()
    #expect(try verify(house, account.name) { try house.scan("f1") }.contains("verify-match"))
  }

  @Test func `nothing of a house stays behind`() throws {
    var house: FingerprintHouse? = try FingerprintHouse()
    let folder = try #require(house?.folder)
    let processes = try #require(house?.running)
    #expect(processes.count == 3)
    house = nil
    #expect(!FileManager.default.fileExists(atPath: folder))
    for process in processes { #expect(kill(process, 0) != 0) }
  }

  private func verify(_ house: FingerprintHouse, _ account: String, touching touch: () throws -> Void) throws -> String
  {
    let printed = try OwnedDescriptor.pipe()
    var plan = SpawnPlan(
      arguments: ["fprintd-verify", "-f", "any", account], environment: house.environment,
      descriptors: [.init(printed.writing, as: 1), .init(printed.writing, as: 2)])
    let process = try Spawn.start("/usr/bin/fprintd-verify", plan)
    plan.descriptors = []
    try touch()
    _ = process.status(within: 30_000)
    var text = [UInt8](repeating: 0, count: 16_384)
    var span = text.mutableSpan
    let count = try Files.read(printed.reading, into: &span)
    return String(decoding: text.prefix(count), as: UTF8.self)
  }
}
