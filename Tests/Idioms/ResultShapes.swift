import Foundation
import Security

/// Ways to take a result and to look at it.
var resultShapes: [Idiom] {
  [
    Idiom("a result variable of CFTypeRef, of AnyObject and with a nil of its own") {
      try put("r1")
      let query = named("r1", [kSecReturnData as String: true]) as CFDictionary
      var first: CFTypeRef?
      var second: AnyObject?
      var third: AnyObject? = nil
      SecItemCopyMatching(query, &first)
      SecItemCopyMatching(query, &second)
      SecItemCopyMatching(query, &third)
      return [first, second, third].allSatisfy { $0 as? Data == Data("value".utf8) }
    },
    Idiom("a result through withUnsafeMutablePointer") {
      try put("r2")
      var result: AnyObject?
      let status = withUnsafeMutablePointer(to: &result) {
        SecItemCopyMatching(named("r2", [kSecReturnData as String: true]) as CFDictionary, UnsafeMutablePointer($0))
      }
      return status == noErr && result as? Data == Data("value".utf8)
    },
    Idiom("a result through memory of one's own") {
      try put("r3")
      let place = UnsafeMutablePointer<CFTypeRef?>.allocate(capacity: 1)
      place.initialize(to: nil)
      defer {
        place.deinitialize(count: 1)
        place.deallocate()
      }
      let status = SecItemCopyMatching(named("r3", [kSecReturnData as String: true]) as CFDictionary, place)
      return status == errSecSuccess && place.pointee is Data
    },
    Idiom("a result handed back by a closure") {
      try put("r4")
      let (status, data): (OSStatus, Data?) = {
        var result: CFTypeRef?
        let status = SecItemCopyMatching(named("r4", [kSecReturnData as String: true]) as CFDictionary, &result)
        return (status, result as? Data)
      }()
      return status == errSecSuccess && data == Data("value".utf8)
    },
    Idiom("data cast as Data, forced, as NSData and in a switch") {
      try put("r5")
      var result: CFTypeRef?
      SecItemCopyMatching(named("r5", [kSecReturnData as String: kCFBooleanTrue!]) as CFDictionary, &result)
      let forced = result as! Data
      let object = result as? NSData
      switch result {
      case let data as Data: return data == forced && object?.length == 5 && !(result is String)
      default: return false
      }
    },
    Idiom("attributes cast to a dictionary of each kind") {
      try put("r6", more: [kSecAttrLabel as String: "label"])
      var result: CFTypeRef?
      SecItemCopyMatching(named("r6", [kSecReturnAttributes as String: true]) as CFDictionary, &result)
      let label = kSecAttrLabel
      return (result as? [String: Any])?[label as String] as? String == "label"
        && (result as? [CFString: Any])?[label] as? String == "label"
        && (result as? [NSString: Any])?[label] as? NSString == "label"
        && (result as? [AnyHashable: Any])?[label] as? String == "label"
        && (result as? [String: AnyObject])?[label as String] as? String == "label"
        && (result as? NSDictionary)?[label] as? String == "label"
        && (result as! CFDictionary).value(forKey: label as String) as? String == "label"
    },
    Idiom("data and attributes together come as a dictionary") {
      try put("r7")
      var item: CFTypeRef?
      let query = named("r7", [kSecReturnAttributes as String: true, kSecReturnData as String: true])
      guard SecItemCopyMatching(query as CFDictionary, &item) == errSecSuccess, let existing = item as? [String: Any],
        let data = existing[kSecValueData as String] as? Data, let text = String(data: data, encoding: .utf8),
        let account = existing[kSecAttrAccount as String] as? String
      else { return false }
      return text == "value" && account == "me"
    },
    Idiom("all values as an array of Data") {
      for account in ["x", "y"] { try put("r8", account: account, account) }
      var result: CFTypeRef?
      let query = named("r8", [kSecReturnData as String: true, kSecMatchLimit as String: kSecMatchLimitAll])
      SecItemCopyMatching(query as CFDictionary, &result)
      return (result as? [Data]).map { $0.map { String(decoding: $0, as: UTF8.self) } } == ["x", "y"]
    },
    Idiom("all items as an array of dictionaries of each kind") {
      for account in ["x", "y"] { try put("r9", account: account) }
      var result: AnyObject?
      let query = named(
        "r9",
        [
          kSecReturnAttributes as String: true, kSecReturnData as String: true,
          kSecMatchLimit as String: kSecMatchLimitAll,
        ])
      SecItemCopyMatching(query as CFDictionary, &result)
      let swift = (result as? [[String: Any]])?.compactMap { $0[kSecAttrAccount as String] as? String }
      let objects = (result as? [NSDictionary])?.compactMap { $0[kSecAttrAccount] as? String }
      let array = (result as? NSArray)?.count
      let bridged = (result as? [[CFString: Any]])?.allSatisfy { $0[kSecValueData] is Data }
      return swift == ["x", "y"] && objects == ["x", "y"] && array == 2 && bridged == true
    },
    Idiom("one item with a limit of all is still an array") {
      try put("r10")
      var result: CFTypeRef?
      let query = named("r10", [kSecReturnAttributes as String: true, kSecMatchLimit as String: kSecMatchLimitAll])
      return SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess && result as? [String: Any] == nil
        && (result as? [[String: Any]])?.count == 1
    },
    Idiom("the dates of an item are dates, and an update moves one of them") {
      try put("r11")
      func dates() -> (Date, Date)? {
        var result: CFTypeRef?
        SecItemCopyMatching(named("r11", [kSecReturnAttributes as String: true]) as CFDictionary, &result)
        guard let found = result as? [String: Any], let made = found[kSecAttrCreationDate as String] as? Date,
          let changed = found[kSecAttrModificationDate as String] as? Date
        else { return nil }
        return (made, changed)
      }
      guard let before = dates(), abs(before.0.timeIntervalSinceNow) < 600 else { return false }
      SecItemUpdate(named("r11") as CFDictionary, [kSecAttrLabel as String: "new"] as CFDictionary)
      guard let after = dates() else { return false }
      return before.0 == after.0 && before.1 < after.1
    },
    Idiom("a persistent reference is stored and leads back alone") {
      try put("r12")
      var result: CFTypeRef?
      SecItemCopyMatching(named("r12", [kSecReturnPersistentRef as String: true]) as CFDictionary, &result)
      guard let reference = result as? Data, reference.count == 20 else { return false }
      var found: CFTypeRef?
      let query: [String: Any] = [
        kSecValuePersistentRef as String: reference, kSecReturnData as String: kCFBooleanTrue as Any,
      ]
      return SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess && found as? Data == Data("value".utf8)
    },
    Idiom("an add that asks for a result gets the one it asks for") {
      var result: CFTypeRef?
      let item = named("r13", [kSecValueData as String: Data("value".utf8), kSecReturnPersistentRef as String: true])
      guard SecItemAdd(item as CFDictionary, &result) == errSecSuccess, result is Data else { return false }
      var none: CFTypeRef?
      return SecItemAdd(named("r13b", [kSecValueData as String: Data()]) as CFDictionary, &none) == errSecSuccess
        && none == nil
    },
    Idiom("a missing item leaves the result as it was") {
      var result: CFTypeRef? = "before" as NSString
      let status = SecItemCopyMatching(named("r14", [kSecReturnData as String: true]) as CFDictionary, &result)
      return status == errSecItemNotFound && (result == nil || result as? String == "before")
    },
    Idiom("existence asked with no result at all") {
      try put("r15")
      return SecItemCopyMatching(named("r15") as CFDictionary, nil) == errSecSuccess
        && SecItemCopyMatching(named("r15-not") as CFDictionary, nil) == errSecItemNotFound
    },
    Idiom("attributes of a result are the query of the next call") {
      try put("r16", more: [kSecAttrComment as String: "remark"])
      var result: CFTypeRef?
      SecItemCopyMatching(named("r16", [kSecReturnAttributes as String: true]) as CFDictionary, &result)
      guard let found = result as? [String: Any] else { return false }
      let keys = [kSecAttrAccount, kSecAttrService, kSecAttrAccessGroup].map { $0 as String }
      var query = found.filter { keys.contains($0.key) }
      query[kSecClass as String] = found[kSecClass as String]
      return SecItemDelete(query as CFDictionary) == errSecSuccess && value("r16") == nil
    },
    Idiom("the type number of a result tells what it is") {
      try put("r17")
      var data: CFTypeRef?
      var attributes: CFTypeRef?
      SecItemCopyMatching(named("r17", [kSecReturnData as String: true]) as CFDictionary, &data)
      SecItemCopyMatching(named("r17", [kSecReturnAttributes as String: true]) as CFDictionary, &attributes)
      return CFGetTypeID(data!) == CFDataGetTypeID() && CFGetTypeID(attributes!) == CFDictionaryGetTypeID()
    },
  ]
}
