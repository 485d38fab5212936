import KeychainModel
import Testing

struct KeychainStatusTests {
  @Test func `codes are Apple's`() {
    let table: [(KeychainStatus, Int32)] = [
      (.success, 0), (.diskFull, -34), (.io, -36), (.param, -50), (.allocate, -108), (.userCanceled, -128),
      (.missingEntitlement, -34018), (.notAvailable, -25291), (.readOnly, -25292), (.authFailed, -25293),
      (.duplicateItem, -25299), (.itemNotFound, -25300), (.dataTooLarge, -25302), (.noSuchAttribute, -25303),
      (.noSuchClass, -25306), (.interactionNotAllowed, -25308), (.wrongVersion, -25310), (.interactionRequired, -25315),
    ]
    for (status, code) in table { #expect(status.rawValue == code) }
  }

  @Test(arguments: [
    (KeychainStatus.success, UInt8(0)), (.itemNotFound, 44), (.duplicateItem, 45), (.interactionNotAllowed, 36),
    (.authFailed, 51), (.userCanceled, 128), (.notAvailable, 53), (.param, 206),
  ])
  func `exit statuses are the low byte`(_ status: KeychainStatus, _ exit: UInt8) {
    #expect(status.exitStatus == exit)
  }

  @Test func `bounds of an item are these`() {
    #expect(ItemLimits.valueBytes == 1024 * 1024)
    #expect(ItemLimits.attributeBytes == 4 * 1024)
    #expect(ItemLimits.attributesBytes == 32 * 1024)
    #expect(ItemLimits.dictionaryKeys == 128)
    #expect(ItemLimits.passcodeBytes == 512)
    #expect(ItemLimits.policyServiceBytes == 255)
  }
}
