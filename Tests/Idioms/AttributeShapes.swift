import Foundation
import Security

/// Ways to write numbers, truth values, dates and data, and what becomes of them.
var attributeShapes: [Idiom] {
  [
    Idiom("true is written seven ways") {
      try put("a1")
      let ways: [Any] = [
        true, kCFBooleanTrue!, kCFBooleanTrue as Any, NSNumber(value: true), true as CFBoolean, true as NSNumber, 1,
      ]
      return ways.allSatisfy { way in
        var result: AnyObject?
        let status = SecItemCopyMatching(named("a1", [kSecReturnData as String: way]) as CFDictionary, &result)
        return status == errSecSuccess && result as? Data == Data("value".utf8)
      }
    },
    Idiom("false is written five ways") {
      try put("a2")
      let ways: [Any] = [false, kCFBooleanFalse!, kCFBooleanFalse as Any, NSNumber(value: false), 0]
      return ways.allSatisfy { way in
        var result: AnyObject?
        let status = SecItemCopyMatching(named("a2", [kSecReturnData as String: way]) as CFDictionary, &result)
        return status == errSecSuccess && result == nil
      }
    },
    Idiom("a choice of two truth values") {
      let wants = Int("1") == 1
      try put("a3")
      var result: AnyObject?
      let query = named("a3", [kSecReturnAttributes as String: wants ? kCFBooleanTrue! : kCFBooleanFalse!])
      return SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess && result is NSDictionary
    },
    Idiom("a limit is a constant, an Int, an NSNumber or an Int32") {
      for account in ["x", "y", "z"] { try put("a4", account: account) }
      let limits: [(Any, Int)] = [
        (kSecMatchLimitAll, 3), (2, 2), (NSNumber(value: 2), 2), (Int32(3), 3), (UInt(9), 3),
        (kSecMatchLimitAll as String, 3),
      ]
      return limits.allSatisfy { limit, count in
        var result: CFTypeRef?
        let query = named("a4", [kSecReturnAttributes as String: true, kSecMatchLimit as String: limit])
        return SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess
          && (result as? [Any])?.count == count
      }
    },
    Idiom("a port is an Int, an NSNumber or its digits") {
      let ports: [Any] = [443, NSNumber(value: 443), UInt16(443), "443"]
      for (index, port) in ports.enumerated() {
        let item: [CFString: Any] = [
          kSecClass: kSecClassInternetPassword, kSecAttrServer: "a5-\(index)", kSecAttrPort: port,
          kSecAttrProtocol: kSecAttrProtocolHTTPS, kSecValueData: Data("value".utf8),
        ]
        guard SecItemAdd(item as CFDictionary, nil) == errSecSuccess else { return false }
        var result: CFTypeRef?
        let query: [CFString: Any] = [
          kSecClass: kSecClassInternetPassword, kSecAttrServer: "a5-\(index)", kSecAttrPort: 443,
          kSecReturnAttributes: true,
        ]
        guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess,
          let found = result as? [CFString: Any], found[kSecAttrPort] as? Int == 443,
          found[kSecAttrProtocol] as? String == kSecAttrProtocolHTTPS as String
        else { return false }
      }
      return true
    },
    Idiom("an account of bytes comes back as bytes") {
      let account = Data([0xDE, 0xAD, 0x00, 0xFF])
      try put("a6", more: [kSecAttrAccount as String: account])
      var result: CFTypeRef?
      let query = named("a6", [kSecAttrAccount as String: account, kSecReturnAttributes as String: true])
      return SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess
        && (result as? [String: Any])?[kSecAttrAccount as String] as? Data == account
    },
    Idiom("what a program keeps beside the value is data") {
      let tag = Data("tag".utf8)
      try put("a7", more: [kSecAttrGeneric as String: tag])
      var result: CFTypeRef?
      let status = SecItemCopyMatching(
        named("a7", [kSecAttrGeneric as String: tag, kSecReturnAttributes as String: true]) as CFDictionary, &result)
      return status == errSecSuccess && (result as? NSDictionary)?[kSecAttrGeneric] as? Data == tag
    },
    Idiom("a four-character code is a number of any width") {
      let code: UInt32 = 0x6E6F_7465
      try put("a8", more: [kSecAttrType as String: code, kSecAttrCreator as String: NSNumber(value: code)])
      var result: CFTypeRef?
      let query = named("a8", [kSecAttrType as String: Int(code), kSecReturnAttributes as String: true])
      guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess else { return false }
      let found = result as? [String: Any]
      return (found?[kSecAttrCreator as String] as? NSNumber)?.uint32Value == code
        && found?["type"] as? Int == Int(code)
    },
    Idiom("a flag stored as a truth value reads as one and as a number") {
      try put("a9", more: [kSecAttrIsInvisible as String: true, kSecAttrIsNegative as String: kCFBooleanFalse!])
      var result: CFTypeRef?
      guard
        SecItemCopyMatching(named("a9", [kSecReturnAttributes as String: true]) as CFDictionary, &result)
          == errSecSuccess,
        let found = result as? [String: Any]
      else { return false }
      return found[kSecAttrIsInvisible as String] as? Bool == true && found[kSecAttrIsInvisible as String] as? Int == 1
        && found[kSecAttrIsNegative as String] as? Bool == false
    },
    Idiom("synchronised and local twins are told apart by a truth value or any") {
      try put("a10")
      try put("a10", more: [kSecAttrSynchronizable as String: true])
      let counts = [false as Any, kCFBooleanTrue!, kSecAttrSynchronizableAny].map { sync -> Int in
        var result: CFTypeRef?
        let query = named(
          "a10",
          [
            kSecAttrSynchronizable as String: sync, kSecMatchLimit as String: kSecMatchLimitAll,
            kSecReturnAttributes as String: true,
          ])
        return SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess
          ? (result as? [Any])?.count ?? -1 : 0
      }
      return counts == [1, 1, 2]
    },
    Idiom("text with any letters is found by exactly that text") {
      let text = "\u{0}Straße \u{1F511} e\u{301}"
      try put("a11", account: text)
      return SecItemCopyMatching(named("a11", [kSecAttrAccount as String: text]) as CFDictionary, nil) == errSecSuccess
        && SecItemCopyMatching(named("a11", [kSecAttrAccount as String: "STRASSE"]) as CFDictionary, nil)
          == errSecItemNotFound
    },
    Idiom("the value must be data: a string is refused") {
      SecItemAdd(named("a12", [kSecValueData as String: "text"]) as CFDictionary, nil) == errSecParam
    },
    Idiom("an empty value, an NSMutableData and a slice of data are values") {
      let whole = Data("xvaluex".utf8)
      let values: [(String, Any, Int)] = [
        ("a13-1", Data(), 0), ("a13-2", NSMutableData(data: Data("value".utf8)), 5),
        ("a13-3", whole.dropFirst().dropLast(), 5),
      ]
      return try values.allSatisfy { service, value, count in
        try put(service, more: [kSecValueData as String: value])
        var result: CFTypeRef?
        let status = SecItemCopyMatching(named(service, [kSecReturnData as String: true]) as CFDictionary, &result)
        return status == errSecSuccess && (result as? Data)?.count == count
      }
    },
  ]
}
