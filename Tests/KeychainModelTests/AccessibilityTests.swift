import KeychainModel
import Testing

struct AccessibilityTests {
  /// Number, Apple's string, Apple's spelling, class of the keybag, whether it stays on this machine.
  static let table: [(number: UInt8, raw: String, name: String, protection: ProtectionClass, stays: Bool)] = [
    (1, "ak", "whenUnlocked", .whenUnlocked, false),
    (2, "ck", "afterFirstUnlock", .afterFirstUnlock, false),
    (3, "dk", "always", .always, false),
    (4, "aku", "whenUnlockedThisDeviceOnly", .whenUnlocked, true),
    (5, "cku", "afterFirstUnlockThisDeviceOnly", .afterFirstUnlock, true),
    (6, "dku", "alwaysThisDeviceOnly", .always, true),
    (7, "akpu", "whenPasscodeSetThisDeviceOnly", .whenPasscodeSet, true),
  ]

  @Test func `names, numbers, strings and classes are these and stay these`() throws {
    #expect(Accessibility.allCases.count == Self.table.count)
    for row in Self.table {
      let one = try #require(Accessibility(rawValue: row.raw))
      #expect(one.number == row.number && one.name == row.name)
      #expect(one.protectionClass == row.protection && one.isThisDeviceOnly == row.stays)
      #expect(Accessibility(number: row.number) == one && Accessibility(name: row.name) == one)
    }
  }

  @Test func `what is no accessibility is none`() {
    #expect(Accessibility(number: 0) == nil)
    #expect(Accessibility(number: 8) == nil)
    #expect(Accessibility(number: 255) == nil)
    #expect(Accessibility(name: "WhenUnlocked") == nil)
    #expect(Accessibility(name: "ak") == nil)
    #expect(Accessibility(name: "") == nil)
  }

  @Test func `the classes of the keybag keep their numbers`() {
    let numbers: [ProtectionClass: UInt8] = [
      .always: 1, .afterFirstUnlock: 2, .whenUnlocked: 3, .whenPasscodeSet: 4,
    ]
    #expect(ProtectionClass.allCases.count == numbers.count)
    for (protection, number) in numbers { #expect(protection.rawValue == number) }
  }

  @Test func `the keybag has the eight states of the design`() {
    let names = [
      "none", "unbound", "beforeFirstUnlock", "unlocked", "locked", "passcodeChanged", "akpuDestroyed", "damaged",
    ]
    #expect(KeybagState.allCases.map(\.rawValue) == names)
  }

  @Test func `operations are spelled as in Apple's table`() {
    #expect(ItemOperation.allCases.map(\.rawValue) == ["od", "oe", "odel", "osgn", "ock", "oa"])
  }
}
