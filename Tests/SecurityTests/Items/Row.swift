import Foundation
import Security
import TestSupport
import Testing

/// One row of the behaviours that every keychain like this must have, by its number.
struct Row: Sendable, CustomTestStringConvertible {
  let number: Int
  let what: String
  /// Why it cannot hold yet or does not hold here; `nil` where it must.
  let gap: Comment?
  private let body: @Sendable (RowHouse) throws -> Void

  init(_ number: Int, _ what: String, gap: Comment? = nil, _ body: @escaping @Sendable (RowHouse) throws -> Void) {
    self.number = number
    self.what = what
    self.gap = gap
    self.body = body
  }

  var testDescription: String { "\(number): \(what)" }

  func run(in house: RowHouse) throws {
    guard let gap else { return try body(house) }
    withKnownIssue(gap) { try body(house) }
  }

  static let all = names + groupsAndControls + prompts + storage

  static var itemClasses: [CFString] {
    [kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate, kSecClassKey, kSecClassIdentity]
  }

  static var protections: [CFString] {
    [
      kSecAttrAccessibleWhenUnlocked, kSecAttrAccessibleAfterFirstUnlock, kSecAttrAccessibleAlways,
      kSecAttrAccessibleWhenUnlockedThisDeviceOnly, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
      kSecAttrAccessibleAlwaysThisDeviceOnly, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
    ]
  }
}

/// The verbs of Apple's API against the real daemon, as a real user at a real terminal.
@Suite(.serialized, .enabled(if: isRoot, "makes accounts"))
struct RowTests {
  @Test(arguments: Row.all)
  func `each behaviour of the reference holds`(row: Row) throws { try row.run(in: RowHouse.shared) }

  @Test func `all 70 rows are here, once each, and fewer than five are gaps`() {
    #expect(Row.all.map(\.number).sorted() == Array(1...70))
    #expect(Row.all.filter { $0.gap != nil }.count < 5)
  }
}
