import Foundation
import KeychainModel
import SecretMemory
import Testing

@testable import AccessPolicy
@testable import ItemStore

@Suite struct KeybagTests {
  private static func filled() throws -> StoreFixture {
    let fixture = try StoreFixture()
    for accessibility in Accessibility.allCases where accessibility != .whenPasscodeSetThisDeviceOnly {
      try fixture.add(
        "s", accessibility.name, value: Array(accessibility.rawValue.utf8), label: "l", access: access(accessibility))
    }
    try fixture.add("none", value: nil)
    return fixture
  }

  private static func expectWhole(_ fixture: StoreFixture) throws {
    for accessibility in Accessibility.allCases where accessibility != .whenPasscodeSetThisDeviceOnly {
      #expect(try fixture.value("s", accessibility.name) == Array(accessibility.rawValue.utf8))
      #expect(try fixture.one("s", accessibility.name).attributes?.text(.label) == "l")
    }
    #expect(try fixture.value("none") == nil)
  }

  @Test func `An unbound keybag opens by the device key, and has no class for passcodes`() throws {
    let fixture = try Self.filled()
    #expect(fixture.store.keybagState(holding: []) == .unbound)
    #expect(fixture.keys.classes == [.always, .afterFirstUnlock, .whenUnlocked])
    #expect(throws: StoreError.passcodeNotBound) {
      try fixture.add("p", access: access(.whenPasscodeSetThisDeviceOnly))
    }
    #expect(throws: StoreError.passcodeNotBound) { try fixture.store.unlock(.random(count: 32)) }
    #expect(throws: StoreError.passcodeNotBound) { try fixture.store.makeRecoveryKey(keys: fixture.keys) }
    #expect(throws: StoreError.passcodeNotBound) { try fixture.store.destroyAkpu() }
    #expect(fixture.store.stretching == nil)
    try fixture.reopen()
    fixture.keys = try fixture.store.deviceWrappedKeys()
    try Self.expectWhole(fixture)
  }

  @Test func `Binding makes every key new and keeps every item`() throws {
    let fixture = try Self.filled()
    let oldKeys = fixture.keys
    let before = try fixture.find(StoreFixture.everything)
    let itemKey = try fixture.open(fixture.one("s", "always")).itemKey
    let passcode = try fixture.bind()
    #expect(fixture.store.stretching == passcode.parameters)
    try Self.expectWhole(fixture)
    let after = try fixture.find(StoreFixture.everything)
    #expect(after.map(\.identifier) == before.map(\.identifier))
    #expect(after.map(\.attributes) == before.map(\.attributes))
    #expect(try #require(fixture.open(fixture.one("s", "always")).itemKey).equals(#require(itemKey)) == false)
    for (name, key) in oldKeys.keys { #expect(fixture.keys.keys[name]?.equals(key) == false) }
    let files = try fixture.files()
    for row in before.map(\.row) {
      for part in [row.wrappedKey ?? [], row.sealedMetadata] {
        for (name, content) in files { #expect(content.range(of: Data(part)) == nil, "\(name)") }
      }
    }
    #expect(throws: StoreError.alreadyBound) { try fixture.bind(2) }
    try fixture.reopen()
    fixture.keys = try fixture.store.deviceWrappedKeys()
    #expect(fixture.keys.classes == [.always])
    fixture.keys = fixture.keys.merging(try fixture.store.unlock(passcode.key))
    #expect(fixture.keys.classes == Set(ProtectionClass.allCases))
    try Self.expectWhole(fixture)
  }

  @Test func `Keys from before a binding count as locked and never seal anything`() throws {
    let fixture = try Self.filled()
    let old = fixture.keys
    try fixture.bind()
    fixture.keys = old
    #expect(
      try fixture.pages(StoreFixture.everything).map { [$0.items.count, $0.hidden, $0.unreadable.count] } == [
        [0, 7, 0]
      ])
    #expect(throws: StoreError.locked(.whenUnlocked)) { try fixture.add("new") }
    #expect(throws: StoreError.locked(.always)) { try fixture.open(fixture.one("s", "always")) }
    #expect(throws: StoreError.locked(.always)) { try fixture.add("s", "whenUnlocked", access: access(.always)) }
  }

  @Test func `Only the passcode opens a bound keybag, and only with this device key`() throws {
    let fixture = try StoreFixture()
    let passcode = try fixture.bind()
    for wrong in [0, 2, 255] as [UInt8] {
      #expect(throws: StoreError.passcodeDoesNotOpen) { try fixture.store.unlock(StoreFixture.passcode(wrong).key) }
    }
    #expect(try fixture.store.unlock(passcode.key).classes == [.afterFirstUnlock, .whenUnlocked, .whenPasscodeSet])
    let other = try DeviceKeys(device: .random(count: 32))
    #expect(try fixture.store.keybag.passcodeKeys(passcode.key, other) == nil)
  }

  @Test func `The state follows the record and the keys at hand`() throws {
    let fixture = try StoreFixture()
    let passcode = try fixture.bind()
    let store = fixture.store
    #expect(store.keybagState(holding: []) == .beforeFirstUnlock)
    #expect(store.keybagState(holding: [.always]) == .beforeFirstUnlock)
    #expect(store.keybagState(holding: [.afterFirstUnlock]) == .locked)
    #expect(store.keybagState(holding: Set(ProtectionClass.allCases)) == .unlocked)
    try store.notePasscodeChanged()
    #expect(store.keybagState(holding: Set(ProtectionClass.allCases)) == .passcodeChanged)
    try fixture.reopen()
    #expect(fixture.store.keybagState(holding: []) == .passcodeChanged)
    _ = try fixture.store.unlock(passcode.key)
    #expect(fixture.store.keybagState(holding: []) == .beforeFirstUnlock)
    try fixture.store.destroyAkpu()
    #expect(fixture.store.keybagState(holding: [.whenUnlocked]) == .akpuDestroyed)
  }

  @Test func `A new passcode takes over with the old one, and the old one is done`() throws {
    let fixture = try Self.filled()
    let old = try fixture.bind(1)
    let new = try StoreFixture.passcode(2)
    let third = try StoreFixture.passcode(3)
    #expect(throws: StoreError.passcodeDoesNotOpen) { try fixture.store.rebind(from: .passcode(third.key), to: new) }
    #expect(throws: StoreError.noRecoveryKey) { try fixture.store.rebind(from: .recoveryKey(third.key), to: new) }
    try fixture.store.notePasscodeChanged()
    _ = try fixture.store.rebind(from: .passcode(old.key), to: new)
    #expect(throws: StoreError.passcodeDoesNotOpen) { try fixture.store.unlock(old.key) }
    #expect(fixture.store.stretching == new.parameters)
    try fixture.reopen()
    #expect(fixture.store.keybagState(holding: []) == .beforeFirstUnlock)
    fixture.keys = try fixture.store.deviceWrappedKeys().merging(fixture.store.unlock(new.key))
    try Self.expectWhole(fixture)
  }

  @Test func `A recovery key opens every class, survives passcode changes, and is replaced by the next`() throws {
    let fixture = try Self.filled()
    let passcode = try fixture.bind(1)
    try fixture.add("p", access: access(.whenPasscodeSetThisDeviceOnly))
    let first = try fixture.store.makeRecoveryKey(keys: fixture.keys)
    #expect(throws: StoreError.locked(.whenUnlocked)) {
      try fixture.store.makeRecoveryKey(keys: fixture.keys.only([.afterFirstUnlock, .whenPasscodeSet]))
    }
    let text = String(decoding: first.unprotectedCopy(), as: UTF8.self)
    #expect(text.count == 44)
    #expect(text.split(separator: "-").map(\.count) == [Int](repeating: 4, count: 9))
    _ = try fixture.store.rebind(from: .passcode(passcode.key), to: StoreFixture.passcode(2))
    try fixture.reopen()
    #expect(fixture.store.hasRecoveryKey)
    let typed = try StoreFixture.secret(Array(text.lowercased().replacingOccurrences(of: "-", with: " ").utf8))
    let keys = try fixture.store.rebind(from: .recoveryKey(typed), to: StoreFixture.passcode(3))
    fixture.keys = try fixture.store.deviceWrappedKeys().merging(keys)
    try Self.expectWhole(fixture)
    #expect(try fixture.value("p") == [1, 2, 3])
    _ = try fixture.store.unlock(StoreFixture.passcode(3).key)
    let second = try fixture.store.makeRecoveryKey(keys: fixture.keys)
    #expect(throws: StoreError.recoveryKeyWrong) {
      try fixture.store.rebind(from: .recoveryKey(first), to: StoreFixture.passcode(4))
    }
    _ = try fixture.store.rebind(from: .recoveryKey(second), to: StoreFixture.passcode(4))
  }

  @Test func `A mistyped recovery key is told by its check`() throws {
    let fixture = try StoreFixture()
    try fixture.bind()
    let text = try fixture.store.makeRecoveryKey(keys: fixture.keys).unprotectedCopy()
    #expect(try RecoveryKey(text: StoreFixture.secret(text)) != nil)
    var accepted = 0
    for place in text.indices where text[place] != UInt8(ascii: "-") {
      var typed = text
      typed[place] = typed[place] == UInt8(ascii: "7") ? UInt8(ascii: "8") : UInt8(ascii: "7")
      if try RecoveryKey(text: StoreFixture.secret(typed)) != nil { accepted += 1 }
    }
    #expect(accepted == 0)
    for wrong in [
      [], Array(text.dropLast()), text + [UInt8(ascii: "A")], [UInt8](repeating: UInt8(ascii: "-"), count: 200),
    ] {
      #expect(throws: StoreError.recoveryKeyWrong) {
        try fixture.store.rebind(from: .recoveryKey(StoreFixture.secret(wrong)), to: StoreFixture.passcode(2))
      }
    }
  }

  @Test func `A removed passcode ends its items for good and leaves the others`() throws {
    let fixture = try Self.filled()
    let passcode = try fixture.bind()
    _ = try fixture.store.makeRecoveryKey(keys: fixture.keys)
    let added = try fixture.add("p", access: access(.whenPasscodeSetThisDeviceOnly))
    let oldKeys = fixture.keys
    try fixture.store.destroyAkpu()
    try fixture.reopen()
    let page = try fixture.pages(StoreFixture.everything)
    #expect(
      page.flatMap(\.unreadable).map(\.reason) == [.passcodeRemoved]
        || page.flatMap(\.items).contains { $0.dead != nil })
    let dead = try fixture.one("p")
    #expect(dead.dead == .passcodeRemoved)
    #expect(throws: StoreError.dead(.passcodeRemoved)) { try fixture.open(dead) }
    #expect(throws: StoreError.passcodeNotBound) {
      try fixture.add("q", access: access(.whenPasscodeSetThisDeviceOnly))
    }
    try Self.expectWhole(fixture)
    fixture.keys = try fixture.store.deviceWrappedKeys().merging(fixture.store.unlock(passcode.key))
    #expect(
      fixture.keys.key(for: .whenPasscodeSet, use: .values)?.equals(oldKeys.key(for: .whenPasscodeSet, use: .values)!)
        == false)
    #expect(throws: StoreError.dead(.passcodeRemoved)) { try fixture.open(fixture.one("p")) }
    let again = try fixture.add("p", value: [9], access: access(.whenPasscodeSetThisDeviceOnly))
    #expect(again.outcome == .replacedUnreadable && again.identifier != added.identifier)
    #expect(try fixture.value("p") == [9])
  }

  @Test func `A dead row can be deleted`() throws {
    let fixture = try StoreFixture()
    try fixture.bind()
    try fixture.add("p", access: access(.whenPasscodeSetThisDeviceOnly))
    try fixture.store.destroyAkpu()
    fixture.keys = fixture.keys.only([.always])
    #expect(try fixture.store.delete(StoreFixture.query("p", "me"), keys: fixture.keys) == 1)
    #expect(try fixture.store.count() == 0)
  }

  @Test func `Stored stretching parameters outside their bounds make the keybag damaged`() throws {
    let fixture = try StoreFixture()
    try fixture.bind()
    let record = fixture.store.keybag
    let stored = try #require(record.stretching?.stored)
    for (memory, fits) in [
      (67_108_863, false), (67_108_864, true), (67_108_865, true), (268_435_455, true), (268_435_456, true),
      (268_435_457, false),
    ] as [(UInt64, Bool)] {
      var writer = ByteWriter()
      writer.raw(Array(stored[..<24]))
      writer.fixed(memory)
      #expect((StretchingParameters(stored: writer.bytes) != nil) == fits)
      var bytes = record.encoded
      let place = try #require(Data(bytes).range(of: Data(stored)))
      bytes.replaceSubrange(place.lowerBound..<place.upperBound, with: writer.bytes)
      #expect((KeybagRecord(encoded: bytes) != nil) == fits)
    }
    #expect(KeybagRecord(encoded: record.encoded) == record)
  }
}
