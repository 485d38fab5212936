import KeychainModel
import SecretMemory
import Testing

@testable import KeychainKit

/// How the daemon's reasons become errors.
@Suite struct ErrorTests {
  private static let named: [Int32: KeychainError] = [
    -25299: .duplicateItem, -25308: .interactionNotAllowed, -25300: .itemNotFound, -34018: .missingEntitlement,
  ]

  @Test(arguments: Reason.allCases)
  func `every reason is the error of its result code`(_ reason: Reason) {
    let code = reason.status.rawValue
    #expect(KeychainError(Refusal(reason, detail: "d")) == Self.named[code] ?? .unknownError(code))
  }

  @Test func `a locked keychain and a wanted proof are told from an absent item`() {
    #expect(KeychainError(Refusal(.keybagLocked)) == .interactionNotAllowed)
    #expect(KeychainError(Refusal(.interactionNotAllowed)) == .interactionNotAllowed)
    #expect(KeychainError(Refusal(.itemNotFound)) == .itemNotFound)
    #expect(KeychainError(Refusal(.serviceUnavailable)) == .unknownError(-25291))
  }
}
