import Foundation
import Security

/// A status as an error of the program's own.
nonisolated enum StatusError: Error, Equatable, CustomNSError {
  case missing
  case duplicate
  case other(OSStatus)

  init?(_ status: OSStatus) {
    switch status {
    case errSecSuccess: return nil
    case errSecItemNotFound: self = .missing
    case errSecDuplicateItem: self = .duplicate
    default: self = .other(status)
    }
  }

  static var errorDomain: String { NSOSStatusErrorDomain }
  var errorCode: Int {
    switch self {
    case .missing: Int(errSecItemNotFound)
    case .duplicate: Int(errSecDuplicateItem)
    case .other(let status): Int(status)
    }
  }
}

extension OSStatus {
  nonisolated fileprivate var sentence: String? { SecCopyErrorMessageString(self, nil) as String? }
  nonisolated fileprivate func check() throws {
    if self != noErr { throw NSError(domain: NSOSStatusErrorDomain, code: Int(self)) }
  }
}

/// Ways to handle the status of a call.
var statusShapes: [Idiom] {
  [
    Idiom("a switch over codes that are no cases of an enum") {
      switch SecItemDelete(named("s1") as CFDictionary) {
      case errSecSuccess, errSecDuplicateItem: return false
      case errSecItemNotFound: return true
      case let other where other < 0: return false
      default: return false
      }
    },
    Idiom("a status becomes an error of the program's own") {
      try put("s2")
      let again = named("s2", [kSecAttrAccount as String: "me", kSecValueData as String: Data()])
      return StatusError(SecItemAdd(again as CFDictionary, nil)) == .duplicate
        && StatusError(SecItemCopyMatching(named("s2-not") as CFDictionary, nil)) == .missing
        && StatusError(SecItemCopyMatching([:] as CFDictionary, nil)) == .other(errSecParam)
        && StatusError(SecItemDelete(named("s2") as CFDictionary)) == nil
    },
    Idiom("a status thrown as an NSError and caught by its code") {
      do {
        try SecItemDelete(named("s3") as CFDictionary).check()
        return false
      } catch let error as NSError where error.code == Int(errSecItemNotFound) {
        return error.domain == NSOSStatusErrorDomain
      }
    },
    Idiom("an NSError with the code's sentence as its description") {
      let status = SecItemCopyMatching(named("s4") as CFDictionary, nil)
      let sentence = SecCopyErrorMessageString(status, nil).map { $0 as String }
      let error = NSError(
        domain: NSOSStatusErrorDomain, code: Int(status), userInfo: [NSLocalizedDescriptionKey: sentence ?? "none"])
      return sentence != nil && error.localizedDescription == sentence
    },
    Idiom("the sentence of a status cast, defaulted and interpolated") {
      let cast = SecCopyErrorMessageString(errSecParam, nil) as String? ?? "Unknown"
      let text = "\(SecCopyErrorMessageString(errSecParam, nil) ?? "none" as CFString)"
      return cast == text && errSecParam.sentence == cast
        && cast != (SecCopyErrorMessageString(errSecIO, nil) as String?)
    },
    Idiom("an error with a code of its own bridges to an NSError of the status") {
      let error = StatusError.other(errSecAuthFailed) as NSError
      return error.domain == NSOSStatusErrorDomain && error.code == -25293
    },
    Idiom("an enum whose raw values are the codes") {
      enum Code: OSStatus {
        case success = 0
        case parameter = -50
        case missing = -25300
      }
      return Code(rawValue: SecItemDelete(named("s7") as CFDictionary)) == .missing
        && Code(rawValue: SecItemDelete([:] as CFDictionary)) == .parameter
    },
    Idiom("a set of codes that count as success") {
      let harmless: Set<OSStatus> = [errSecSuccess, errSecItemNotFound]
      return [errSecSuccess, errSecItemNotFound, noErr].contains(SecItemDelete(named("s8") as CFDictionary))
        && harmless.contains(SecItemDelete(named("s8") as CFDictionary))
    },
    Idiom("the status of a call dropped") {
      try put("s9")
      SecItemDelete(named("s9") as CFDictionary)
      SecItemAdd(named("s9b", [kSecValueData as String: Data("v".utf8)]) as CFDictionary, nil)
      SecItemUpdate(named("s9b") as CFDictionary, [kSecValueData as String: Data("w".utf8)] as CFDictionary)
      _ = SecItemCopyMatching(named("s9b") as CFDictionary, nil)
      return value("s9") == nil && value("s9b") == "w"
    },
    Idiom("update, else add, else update again") {
      for text in ["one", "two"] {
        let change = [kSecValueData as String: Data(text.utf8)]
        var status = SecItemUpdate(named("s10") as CFDictionary, change as CFDictionary)
        if status == errSecItemNotFound {
          status = SecItemAdd(named("s10", change) as CFDictionary, nil)
          if status == errSecDuplicateItem {
            status = SecItemUpdate(named("s10") as CFDictionary, change as CFDictionary)
          }
        }
        guard status == errSecSuccess, value("s10") == text else { return false }
      }
      return true
    },
    Idiom("add, else update what is there") {
      for text in ["one", "two"] {
        let item = named("s11", [kSecAttrAccount as String: "me", kSecValueData as String: Data(text.utf8)])
        if SecItemAdd(item as CFDictionary, nil) == errSecDuplicateItem {
          let change = [kSecValueData: Data(text.utf8)] as CFDictionary
          guard SecItemUpdate(named("s11") as CFDictionary, change) == errSecSuccess else { return false }
        }
        guard value("s11") == text else { return false }
      }
      return true
    },
    Idiom("every class deleted, as at a first start") {
      try put("s12")
      for kind in [
        kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate, kSecClassKey, kSecClassIdentity,
      ] {
        let status = SecItemDelete([kSecClass: kind] as NSDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else { return false }
      }
      return value("s12") == nil
    },
  ]
}
