import Foundation
import LocalAuthentication
import Testing

/// What programs do with an error.
@Suite struct LAErrorTests {
  /// Apple's numbers.
  static let numbers: [(LAError.Code, Int)] = [
    (.authenticationFailed, -1), (.userCancel, -2), (.userFallback, -3), (.systemCancel, -4), (.passcodeNotSet, -5),
    (.biometryNotAvailable, -6), (.biometryNotEnrolled, -7), (.biometryLockout, -8), (.appCancel, -9),
    (.invalidContext, -10), (.companionNotAvailable, -11), (.biometryNotPaired, -12), (.biometryDisconnected, -13),
    (.invalidDimensions, -14), (.notInteractive, -1004),
  ]

  func object(_ code: Int, domain: String = LAErrorDomain) -> NSError {
    NSError(domain: domain, code: code, userInfo: [NSLocalizedDescriptionKey: "a sentence"])
  }

  @Test(arguments: numbers)
  func `a code has Apple's number and comes back from an object`(row: (code: LAError.Code, number: Int)) throws {
    #expect(row.code.rawValue == row.number)
    let thrown: any Error = object(row.number)
    let error = try #require(thrown as? LAError)
    #expect(error.code == row.code)
    #expect(error.errorCode == row.number)
    #expect(error.localizedDescription == "a sentence")
    #expect((error as NSError).domain == "com.apple.LocalAuthentication")
    #expect((error as NSError).code == row.number)
    #expect(Self.numbers.count == LAError.Code.allCases.count)
  }

  @Test func `what is no error of this module is none, and wrapped all the same it is a failure`() {
    let foreign: any Error = object(-2, domain: NSCocoaErrorDomain)
    #expect(foreign as? LAError == nil)
    #expect(LAError(_nsError: foreign as NSError).code == .authenticationFailed)
  }

  @Test func `a number this module does not know is a failure`() {
    let unknown: any Error = object(-99)
    #expect((unknown as? LAError)?.code == .authenticationFailed)
    #expect((unknown as? LAError)?.errorCode == -99)
  }

  @Test func `a clause catches its own code, of an object and of a value`() {
    func clause(_ error: any Error) -> String {
      do { throw error } catch LAError.userCancel { return "cancel" } catch LAError.appCancel { return "app" } catch let
        error as LAError
      { return "other \(error.code.rawValue)" } catch { return "foreign" }
    }
    #expect(clause(object(-2)) == "cancel")
    #expect(clause(LAError(.userCancel)) == "cancel")
    #expect(clause(object(-9)) == "app")
    #expect(clause(object(-1)) == "other -1")
    #expect(clause(LAError(.biometryLockout)) == "other -8")
    #expect(clause(object(-2, domain: NSPOSIXErrorDomain)) == "foreign")
  }

  @Test func `a code is compared, switched over and made`() {
    let error = LAError(.biometryNotEnrolled, userInfo: ["key": "value"])
    #expect(error.code == .biometryNotEnrolled)
    #expect(error.userInfo["key"] as? String == "value")
    #expect(LAError.touchIDNotEnrolled == .biometryNotEnrolled)
    #expect(LAError.Code.touchIDLockout == .biometryLockout)
    #expect(LAError.watchNotAvailable == .companionNotAvailable)
    #expect(Int(kLAErrorBiometryNotEnrolled) == error.errorCode)
    #expect(LAError(.userCancel) == LAError(.userCancel))
    #expect(LAError(.userCancel) != LAError(.appCancel))
  }

  @Test func `the numbers under C names are those of the types`() {
    #expect(Int(kLAPolicyDeviceOwnerAuthentication) == LAPolicy.deviceOwnerAuthentication.rawValue)
    #expect(
      Int(kLAPolicyDeviceOwnerAuthenticationWithBiometrics)
        == LAPolicy.deviceOwnerAuthenticationWithBiometrics.rawValue)
    #expect(LAPolicy.allCases.map(\.rawValue) == [1, 2, 3, 4, 5])
    #expect(LABiometryType.allCases.map(\.rawValue) == [0, 1, 2, 4])
    #expect(LACredentialType.allCases.map(\.rawValue) == [0, -3])
    #expect(LAAccessControlOperation.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
    #expect(LACompanionType.allCases.map(\.rawValue) == [1, 2, 4])
    #expect(Int(kLAErrorNotInteractive) == -1004 && Int(kLACredentialTypeSmartCardPIN) == -3)
    #expect(LATouchIDAuthenticationMaximumAllowableReuseDuration == 300)
  }
}
