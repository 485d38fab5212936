import Foundation
import KeychainModel
import KeychainService
import LinuxSystem
import Testing

import SystemBus
import TestSupport
@testable import latchkeyd

/// The hash of the enrolled set, on what the real fprintd writes.
@Suite struct TemplateTests {
  private let account = TestAccount(password: nil)

  private func set(_ folder: String, name: String? = nil) -> EnrolmentState {
    TemplateFolder(path: folder).currentSet(of: UserAccountName(uid: account.uid, name: name ?? account.name))
  }

  private func reason(_ state: EnrolmentState) -> Reason? {
    if case .unavailable(let refusal) = state { refusal.reason } else { nil }
  }

  @Test func `the set changes with each finger that comes, goes or takes another's place`() throws {
    let house = try FingerprintHouse(.storage)
    #expect(set(house.templates) == .nothingEnrolled)
    try house.enrol(.rightIndex, as: "f1", for: account.name)
    let one = set(house.templates)
    #expect(one.hash?.count == 32)
    #expect(set(house.templates) == one)
    try house.enrol(.leftThumb, as: "f2", for: account.name)
    let two = set(house.templates)
    #expect(two.hash != nil && two != one)
    try house.remove(.leftThumb, of: account.name)
    #expect(set(house.templates) == one)
    try house.remove(of: account.name)
    #expect(set(house.templates) == .nothingEnrolled)
  }

  @Test func `a finger that takes another's name is another set`() throws {
    let house = try FingerprintHouse()
    try house.enrol(.rightIndex, as: "f1", for: account.name)
    let before = set(house.templates)
    try house.enrol(.rightIndex, as: "f9", for: account.name)
    let after = set(house.templates)
    #expect(before.hash != nil && after.hash != nil && before != after)
  }

  @Test func `restarts and reads leave the set as it is, and each user has a set of their own`() throws {
    let house = try FingerprintHouse()
    let other = TestAccount(password: nil)
    try house.enrol(as: "f1", for: account.name)
    let before = set(house.templates)
    try house.startReader()
    #expect(set(house.templates) == before)
    #expect(set(house.templates, name: other.name) == .nothingEnrolled)
    try house.enrol(as: "f2", for: other.name)
    #expect(set(house.templates) == before)
  }

  @Test func `what others could have written says nothing, and nothing is taken for an empty set`() throws {
    let house = try FingerprintHouse()
    try house.enrol(as: "f1", for: account.name)
    let before = set(house.templates)
    #expect(reason(set(house.templates + "-missing")) == .biometryNotAvailable)
    #expect(reason(set(house.templates, name: "../fprint")) == .enrolmentUnreadable)
    #expect(reason(set(house.templates, name: "..")) == .enrolmentUnreadable)
    chmod(house.templates, 0o777)
    #expect(reason(set(house.templates)) == .enrolmentUnreadable)
    chmod(house.templates, 0o700)
    chown(house.templates, account.uid, 0)
    #expect(reason(set(house.templates)) == .enrolmentUnreadable)
    chown(house.templates, 0, 0)
    #expect(set(house.templates) == before)
    // A link in the place of the user's folder is followed by nobody.
    try Files.rename("\(house.templates)/\(account.name)", to: "\(house.templates)/elsewhere")
    symlink("elsewhere", "\(house.templates)/\(account.name)")
    #expect(reason(set(house.templates)) == .ioFailed)
  }

  @Test func `files that are no fingers do not count, and what cannot be read is not passed over`() throws {
    let house = try FingerprintHouse()
    try house.enrol(as: "f1", for: account.name)
    let before = set(house.templates)
    let device = "\(house.templates)/\(account.name)/virtual_device/0"
    try "x".write(toFile: "\(device)/7.TMP123", atomically: false, encoding: .utf8)
    try "x".write(toFile: "\(house.templates)/\(account.name)/note", atomically: false, encoding: .utf8)
    #expect(set(house.templates) == before)
    mkdir("\(device)/8", 0o700)
    #expect(reason(set(house.templates)) == .ioFailed)
    rmdir("\(device)/8")
    try [UInt8](repeating: 0, count: 1 << 20).withUnsafeBytes {
      try Data($0).write(to: URL(fileURLWithPath: "\(device)/8"))
    }
    #expect(set(house.templates).hash != nil && set(house.templates) != before)
    try Data(count: (1 << 20) + 1).write(to: URL(fileURLWithPath: "\(device)/8"))
    #expect(reason(set(house.templates)) == .ioFailed)
  }

  @Test func `a user's own daemon knows the fingers' names and no set`() throws {
    let house = try FingerprintHouse()
    let fingers = NamedFingers(reader: FingerprintReader(address: try #require(BusAddress(house.busAddress))))
    let name = UserAccountName(uid: account.uid, name: account.name)
    #expect(fingers.currentSet(of: name) == .nothingEnrolled)
    try house.enrol(as: "f1", for: account.name)
    let state = fingers.currentSet(of: name)
    #expect(state.hash?.count == 32)
    #expect {
      try state.knownSet()
    } throws: {
      ($0 as? Refusal)?.reason == .enrolmentUnreadable
    }
    house.killReader()
    #expect(reason(fingers.currentSet(of: name)) == .biometryNotAvailable)
  }
}
