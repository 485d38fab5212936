import Foundation
import LocalAuthentication
import Security

/// An access control, or the error that stands in its place, thrown.
nonisolated func control(
  _ flags: SecAccessControlCreateFlags, _ protection: CFString = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
) throws -> SecAccessControl {
  var error: Unmanaged<CFError>?
  guard let made = SecAccessControlCreateWithFlags(kCFAllocatorDefault, protection, flags, &error) else {
    throw error!.takeRetainedValue() as Error
  }
  return made
}

/// Ways to make access controls, to store items under them and to ask for such items.
var accessControlShapes: [Idiom] {
  [
    Idiom("an access control made with an error taken as retained") {
      var error: Unmanaged<CFError>?
      let made = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, [.userPresence], &error)
      if let error = error?.takeRetainedValue() { throw error }
      return made != nil
    },
    Idiom("the error of an access control thrown and caught as NSError") {
      do {
        _ = try control([.or, .and])
        return false
      } catch let error as NSError where error.domain == NSOSStatusErrorDomain {
        return error.code == Int(errSecParam) && !error.localizedDescription.isEmpty
      }
    },
    Idiom("the error read by the functions on it, and released by hand") {
      var error: Unmanaged<CFError>?
      guard SecAccessControlCreateWithFlags(nil, "none" as CFString, [], &error) == nil, let error else { return false }
      defer { error.release() }
      let found = error.takeUnretainedValue()
      return CFErrorGetCode(found) == Int(errSecParam) && CFErrorGetDomain(found) as String == NSOSStatusErrorDomain
        && (CFErrorCopyDescription(found) as String).isEmpty == false
    },
    Idiom("flags gathered by insert, union and contains") {
      var flags: SecAccessControlCreateFlags = .biometryAny
      flags.insert(.or)
      flags.formUnion([.devicePasscode])
      return flags.contains([.biometryAny, .or]) && flags.rawValue == 1 << 1 | 1 << 4 | 1 << 14
        && SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleAfterFirstUnlock, flags, nil) != nil
    },
    Idiom("the older names of the flags") {
      let older: [SecAccessControlCreateFlags] = [.touchIDAny, .touchIDCurrentSet, .watch]
      return older == [.biometryAny, .biometryCurrentSet, .companion]
    },
    Idiom("a protected item is added without a prompt") {
      try put("c6", more: [kSecAttrAccessControl as String: try control(.userPresence)])
      return true
    },
    Idiom("reading it with prompts forbidden answers that one is needed") {
      try put("c7", more: [kSecAttrAccessControl as String: try control(.userPresence)])
      let query = named(
        "c7", [kSecReturnData as String: true, kSecUseAuthenticationUI as String: kSecUseAuthenticationUIFail])
      var result: CFTypeRef?
      return SecItemCopyMatching(query as CFDictionary, &result) == errSecInteractionNotAllowed && result == nil
    },
    Idiom("it exists if asking answers that a prompt is needed") {
      try put("c8", more: [kSecAttrAccessControl as String: try control(.userPresence)])
      func exists(_ service: String) -> Bool {
        let query = named(service, [kSecUseAuthenticationUI as String: kSecUseAuthenticationUIFail])
        let status = SecItemCopyMatching(query as CFDictionary, nil)
        return status == errSecSuccess || status == errSecInteractionNotAllowed
      }
      return exists("c8") && !exists("c8-not")
    },
    Idiom("passed over where prompts are skipped, the plain one beside it is found") {
      try put("c9", account: "guarded", more: [kSecAttrAccessControl as String: try control(.userPresence)])
      try put("c9", account: "plain", "open")
      let query = named(
        "c9",
        [
          kSecReturnData as String: true, kSecMatchLimit as String: kSecMatchLimitAll,
          kSecUseAuthenticationUI as String: kSecUseAuthenticationUISkip,
        ])
      var result: CFTypeRef?
      return SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess
        && (result as? [Data]) == [Data("open".utf8)]
    },
    Idiom("the older key that forbids prompts") {
      try put("c10", more: [kSecAttrAccessControl as String: try control(.userPresence)])
      let query = named("c10", [kSecReturnData as String: true, kSecUseNoAuthenticationUI as String: kCFBooleanTrue!])
      return SecItemCopyMatching(query as CFDictionary, nil) == errSecInteractionNotAllowed
    },
    Idiom("a context that forbids prompts") {
      try put("c11", more: [kSecAttrAccessControl as String: try control(.userPresence)])
      let context = LAContext()
      context.interactionNotAllowed = true
      let query = named("c11", [kSecReturnData as String: true, kSecUseAuthenticationContext as String: context])
      return SecItemCopyMatching(query as CFDictionary, nil) == errSecInteractionNotAllowed
    },
    Idiom("an invalidated context opens nothing and asks nothing") {
      try put("c12", more: [kSecAttrAccessControl as String: try control(.userPresence)])
      let context = LAContext()
      context.invalidate()
      let query = named("c12", [kSecReturnData as String: true, kSecUseAuthenticationContext as String: context])
      return SecItemCopyMatching(query as CFDictionary, nil) == errSecAuthFailed
    },
    Idiom("a plain item opens through a context like any other") {
      try put("c13")
      let context = LAContext()
      context.localizedReason = "to test"
      var result: CFTypeRef?
      let query = named("c13", [kSecReturnData as String: true, kSecUseAuthenticationContext as String: context])
      return SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess && result is Data
    },
    Idiom("accessibility and access control together are refused") {
      let item = named(
        "c14",
        [
          kSecAttrAccessControl as String: try control(.userPresence),
          kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlocked, kSecValueData as String: Data(),
        ])
      return SecItemAdd(item as CFDictionary, nil) == errSecParam
    },
    Idiom("something else in place of an access control is refused") {
      SecItemAdd(named("c15", [kSecAttrAccessControl as String: "userPresence"]) as CFDictionary, nil) == errSecParam
    },
    Idiom("the access control that comes back is cast, compared and described") {
      let made = try control(.userPresence)
      try put("c16", more: [kSecAttrAccessControl as String: made])
      var result: CFTypeRef?
      SecItemCopyMatching(named("c16", [kSecReturnAttributes as String: true]) as CFDictionary, &result)
      guard let found = result as? [String: Any], let object = found[kSecAttrAccessControl as String] as AnyObject?,
        CFGetTypeID(object) == SecAccessControlGetTypeID()
      else { return false }
      let back = found[kSecAttrAccessControl as String] as! SecAccessControl
      return back == made && CFEqual(back, made) && "\(back)" == "\(made)" && Set([back, made]).count == 1
    },
    Idiom("the accessibility that comes back is compared with the constants") {
      try put("c17", more: [kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock])
      var result: CFTypeRef?
      SecItemCopyMatching(named("c17", [kSecReturnAttributes as String: true]) as CFDictionary, &result)
      let found = (result as? [String: Any])?[kSecAttrAccessible as String]
      switch found as? String {
      case String(kSecAttrAccessibleWhenUnlocked): return false
      case let name? where name == kSecAttrAccessibleAfterFirstUnlock as String:
        return (found as! CFString) == kSecAttrAccessibleAfterFirstUnlock
          && CFEqual(found as AnyObject, kSecAttrAccessibleAfterFirstUnlock)
      default: return false
      }
    },
    Idiom("a protected item is deleted without a prompt and added anew") {
      let guarded = [kSecAttrAccessControl as String: try control(.userPresence)]
      try put("c18", more: guarded)
      let query = named("c18", [kSecUseAuthenticationUI as String: kSecUseAuthenticationUIFail])
      guard SecItemDelete(query as CFDictionary) == errSecSuccess else { return false }
      try put("c18", more: guarded)
      return true
    },
    Idiom("a synchronised item under an access control is refused") {
      let item = named(
        "c19",
        [
          kSecAttrAccessControl as String: try control(.userPresence), kSecAttrSynchronizable as String: true,
          kSecValueData as String: Data(),
        ])
      return SecItemAdd(item as CFDictionary, nil) == errSecParam
    },
  ]
}
