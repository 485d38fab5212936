import Foundation
import LocalAuthentication
import Security

/// Ways to throw, catch and cast errors of authentication.
var errorShapes: [Idiom] {
  [
    Idiom("an LAError caught by the name of its code") {
      do { throw LAError(.userCancel) } catch LAError.userCancel { return true }
    },
    Idiom("an NSError of the domain caught by the name of the code") {
      do { throw NSError(domain: LAErrorDomain, code: -2) } catch LAError.userCancel { return true }
    },
    Idiom("an NSError of another domain is not caught by that name") {
      do { throw NSError(domain: NSOSStatusErrorDomain, code: -2) } catch LAError.userCancel { return false } catch {
        return true
      }
    },
    Idiom("another code is not caught by that name") {
      do { throw LAError(.userFallback) } catch LAError.userCancel { return false } catch { return true }
    },
    Idiom("an error cast to LAError") {
      let errors: [any Error] = [
        LAError(.passcodeNotSet), NSError(domain: LAErrorDomain, code: LAError.passcodeNotSet.rawValue),
        LAError(.passcodeNotSet) as NSError,
      ]
      return errors.allSatisfy { ($0 as? LAError)?.code == .passcodeNotSet }
        && (NSError(domain: "other", code: -5) as? LAError) == nil
    },
    Idiom("an LAError as an NSError has the domain and the code") {
      let error = LAError(.systemCancel) as NSError
      return error.domain == LAErrorDomain && error.domain == "com.apple.LocalAuthentication" && error.code == -4
        && error.domain == LAError.errorDomain
    },
    Idiom("an error caught as LAError under a condition") {
      do { throw LAError(.biometryNotEnrolled) } catch let error as LAError where error.code == .biometryNotEnrolled {
        return error.errorCode == -7
      }
    },
    Idiom("an error caught as NSError and switched over by raw values") {
      do { throw LAError(.appCancel) } catch let error as NSError {
        switch error.code {
        case LAError.appCancel.rawValue: return true
        default: return false
        }
      }
    },
    Idiom("several codes in one catch") {
      for code in [LAError.userCancel, .appCancel, .systemCancel] {
        do { throw LAError(code) } catch LAError.userCancel, LAError.appCancel, LAError.systemCancel { continue }
      }
      return true
    },
    Idiom("an LAError made from an NSError and from facts") {
      let wrapped = LAError(_nsError: NSError(domain: LAErrorDomain, code: -6))
      let told = LAError(.authenticationFailed, userInfo: [NSLocalizedDescriptionKey: "told"])
      return wrapped.code == .biometryNotAvailable && told.localizedDescription == "told"
        && told.userInfo[NSLocalizedDescriptionKey] as? String == "told"
    },
    Idiom("whatever a callback handed over is wrapped in an LAError and switched over") {
      let errors: [any Error] = [
        NSError(domain: LAErrorDomain, code: -1000), CocoaError(.userCancelled), CancellationError(),
        LAError(.userCancel),
      ]
      let codes = errors.map { LAError(_nsError: $0 as NSError).code }
      let foreign = (NSError(domain: "other", code: -2) as any Error) as? LAError
      return codes.dropLast().allSatisfy { $0 == .authenticationFailed } && codes.last == .userCancel && foreign == nil
    },
    Idiom("an error in a Result is mapped and compared") {
      let result: Result<Data, any Error> = .failure(LAError(.invalidContext))
      let code = result.mapError { ($0 as? LAError)?.code == .invalidContext ? CocoaError(.userCancelled) : $0 }
      guard case .failure(let error) = code else { return false }
      return (error as? CocoaError)?.code == .userCancelled
    },
    Idiom("a code in an enum of the program's own") {
      enum Outcome: Equatable {
        case cancelled, unavailable, failed(Int)
        init(_ error: any Error) {
          switch error {
          case LAError.userCancel, LAError.appCancel: self = .cancelled
          case LAError.biometryNotAvailable: self = .unavailable
          case let error as NSError: self = .failed(error.code)
          }
        }
      }
      return Outcome(LAError(.userCancel)) == .cancelled && Outcome(LAError(.biometryNotAvailable)) == .unavailable
        && Outcome(NSError(domain: "x", code: 9)) == .failed(9)
    },
  ]
}
