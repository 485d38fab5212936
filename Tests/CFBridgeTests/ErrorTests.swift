import CFBridge
import Testing

@Suite struct ErrorTests {
  let error = NSError(
    domain: NSOSStatusErrorDomain, code: -50,
    userInfo: [NSLocalizedDescriptionKey: "Said.", NSLocalizedFailureReasonErrorKey: "Why."])

  @Test func `the functions read what an error carries`() {
    #expect(CFErrorGetDomain(error) as String == NSOSStatusErrorDomain)
    #expect(CFErrorGetCode(error) == -50)
    #expect(CFErrorCopyDescription(error) as String == "Said.")
    #expect(CFErrorCopyFailureReason(error) as String == "Why.")
    #expect(CFErrorCopyUserInfo(error)[kCFErrorLocalizedDescriptionKey as String] as? String == "Said.")
  }

  @Test func `an error that states no reason has none`() {
    #expect(CFErrorCopyFailureReason(NSError(domain: "d", code: 1)) == nil)
  }

  @Test func `an error that is made equals one made by Foundation`() throws {
    let facts = error.userInfo as CFDictionary
    let made = try #require(CFErrorCreate(kCFAllocatorDefault, kCFErrorDomainOSStatus, -50, facts))
    #expect(CFEqual(made, error))
    #expect(CFErrorCreate(nil, kCFErrorDomainPOSIX, 2, nil)?.userInfo.isEmpty == true)
    #expect(CFErrorGetDomain(CFErrorCreate(nil, kCFErrorDomainPOSIX, 2, nil)) as String == NSPOSIXErrorDomain)
  }

  @Test func `an error is thrown, caught and cast`() {
    #expect(throws: NSError.self) { throw error as Error }
    let retained = Unmanaged<CFError>.passRetained(error)
    #expect((retained.takeRetainedValue() as Error as NSError).code == -50)
  }
}
