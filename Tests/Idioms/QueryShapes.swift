import Foundation
import Security

/// Ways to write the dictionary of a call.
var queryShapes: [Idiom] {
  [
    Idiom("a literal of String keys, bridged in the call") {
      let status = SecItemAdd(
        [
          kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "q1",
          kSecAttrAccount as String: "me", kSecValueData as String: Data("value".utf8),
        ] as CFDictionary, nil)
      return status == errSecSuccess && value("q1") == "value"
    },
    Idiom("a literal of CFString keys") {
      let item: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: "q2", kSecAttrAccount: "me",
        kSecValueData: "value".data(using: .utf8)!,
      ]
      return SecItemAdd(item as CFDictionary, nil) == errSecSuccess && value("q2") == "value"
    },
    Idiom("a CFDictionary made in place") {
      let item =
        [
          kSecClass: kSecClassGenericPassword, kSecAttrService: "q3" as CFString, kSecAttrAccount: "me" as NSString,
          kSecValueData: Data("value".utf8) as CFData,
        ] as CFDictionary
      return SecItemAdd(item, nil) == errSecSuccess && value("q3") == "value"
    },
    Idiom("an NSDictionary of objects and keys") {
      let item = NSDictionary(
        objects: [kSecClassGenericPassword, "q4", "me", Data("value".utf8) as NSData],
        forKeys: [kSecClass, kSecAttrService, kSecAttrAccount, kSecValueData])
      return SecItemAdd(item as CFDictionary, nil) == errSecSuccess && value("q4") == "value"
    },
    Idiom("an NSMutableDictionary filled by subscript") {
      let item = NSMutableDictionary()
      item[kSecClass] = kSecClassGenericPassword
      item[kSecAttrService as String] = "q5"
      item[kSecAttrAccount] = "me"
      item[kSecValueData] = Data("value".utf8)
      return SecItemAdd(item, nil) == errSecSuccess && value("q5") == "value"
    },
    Idiom("an NSMutableDictionary filled by setValue") {
      let item = NSMutableDictionary()
      item.setValue(kSecClassGenericPassword as NSString, forKey: kSecClass as String)
      item.setValue("q6", forKey: kSecAttrService as String)
      item.setValue("me", forKey: kSecAttrAccount as String)
      item.setValue(Data("value".utf8), forKey: kSecValueData as String)
      return SecItemAdd(item as CFDictionary, nil) == errSecSuccess && value("q6") == "value"
    },
    Idiom("an NSMutableDictionary filled by setObject") {
      let item = NSMutableDictionary()
      item.setObject(kSecClassGenericPassword, forKey: kSecClass)
      item.setObject("q7", forKey: kSecAttrService)
      item.setObject("me", forKey: kSecAttrAccount)
      return SecItemAdd(item, nil) == errSecSuccess
    },
    Idiom("keys cast to NSCopying, as Xcode once wrote them") {
      let item = NSMutableDictionary(
        objects: [kSecClassGenericPassword, "wrong"], forKeys: [kSecClass as NSCopying, kSecAttrService as NSCopying])
      let service: Any = kSecAttrService
      item.setObject("q7b", forKey: service as! NSCopying)
      item[kSecAttrAccount as NSCopying] = "me"
      item[kSecAttrLabel as NSCopying] = "gone"
      item[kSecAttrLabel as NSCopying] = nil
      item[kSecAttrComment as NSCopying] = "gone"
      item.removeObject(forKey: kSecAttrComment as NSCopying)
      item.setObject(Data("value".utf8), forKey: kSecValueData as NSCopying)
      return item.count == 4 && item[kSecAttrAccount as NSCopying] as? String == "me"
        && SecItemAdd(item, nil) == errSecSuccess && value("q7b") == "value"
    },
    Idiom("a dictionary of String and AnyObject") {
      let item: [String: AnyObject] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "q8" as AnyObject,
        kSecAttrAccount as String: "me" as NSString, kSecValueData as String: Data("value".utf8) as AnyObject,
      ]
      return SecItemAdd(item as CFDictionary, nil) == errSecSuccess && value("q8") == "value"
    },
    Idiom("a dictionary of NSString and AnyObject") {
      let item: [NSString: AnyObject] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: "q9" as NSString, kSecAttrAccount: "me" as NSString,
        kSecValueData: NSData(data: Data("value".utf8)),
      ]
      return SecItemAdd(item as CFDictionary, nil) == errSecSuccess && value("q9") == "value"
    },
    Idiom("a dictionary of AnyHashable") {
      let item: [AnyHashable: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: "q10", kSecAttrAccount as String: "me",
        kSecValueData: Data("value".utf8),
      ]
      return SecItemAdd(item as CFDictionary, nil) == errSecSuccess && value("q10") == "value"
    },
    Idiom("a dictionary of String and AnyHashable, compared with another") {
      let item: [String: AnyHashable] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "q11",
        kSecAttrAccount as String: "me", kSecValueData as String: Data("value".utf8),
      ]
      guard item == item.merging([kSecClass as String: "genp"], uniquingKeysWith: { $1 }) else { return false }
      return SecItemAdd(item as CFDictionary, nil) == errSecSuccess && value("q11") == "value"
    },
    Idiom("a dictionary whose values are optional") {
      let label: String? = "label"
      let item: [String: Any?] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "q12",
        kSecAttrLabel as String: label, kSecValueData as String: "value".data(using: .utf8),
      ]
      return SecItemAdd(item as CFDictionary, nil) == errSecSuccess && value("q12") == "value"
    },
    Idiom("an optional that holds something, put in as Any") {
      let data = "value".data(using: .utf8)
      let item = named("q13", [kSecValueData as String: data as Any, kSecAttrAccount as String: Optional("me") as Any])
      return SecItemAdd(item as CFDictionary, nil) == errSecSuccess && value("q13") == "value"
    },
    Idiom("an optional that holds nothing, put in as Any, is a wrong argument") {
      let nothing: String? = nil
      let item = named("q14", [kSecAttrAccount as String: nothing as Any])
      return SecItemAdd(item as CFDictionary, nil) == errSecParam && value("q14") == nil
    },
    Idiom("optional values left out by compactMapValues") {
      let account: String? = nil
      let item = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "q15",
        kSecAttrAccount as String: account as Any?, kSecValueData as String: Data("value".utf8),
      ].compactMapValues { $0 }
      return SecItemAdd(item as CFDictionary, nil) == errSecSuccess && value("q15") == "value"
    },
    Idiom("a query built up by subscript, with and without conditions") {
      var query = [String: Any]()
      query[kSecClass as String] = kSecClassGenericPassword
      query[kSecAttrService as String] = "q16"
      let group: String? = nil
      if let group { query[kSecAttrAccessGroup as String] = group }
      query[kSecValueData as String] = Data("value".utf8)
      guard SecItemAdd(query as CFDictionary, nil) == errSecSuccess else { return false }
      query.removeValue(forKey: kSecValueData as String)
      query[kSecReturnData as String] = kCFBooleanTrue
      query[kSecMatchLimit as String] = kSecMatchLimitOne
      var item: CFTypeRef?
      return SecItemCopyMatching(query as CFDictionary, &item) == errSecSuccess && item is Data
    },
    Idiom("keys made by String(...) and interpolation") {
      let item = [
        String(kSecClass): kSecClassGenericPassword as Any, "\(kSecAttrService)": "q17",
        String(describing: kSecValueData): Data("value".utf8),
      ]
      return SecItemAdd(item as CFDictionary, nil) == errSecSuccess && value("q17") == "value"
    },
    Idiom("raw keys and values in place of the constants") {
      let item: [String: Any] = ["class": "genp", "svce": "q18", "v_Data": Data("value".utf8)]
      return SecItemAdd(item as CFDictionary, nil) == errSecSuccess && value("q18") == "value"
    },
    Idiom("two dictionaries merged, the later one winning") {
      let base = named("q19", [kSecAttrAccount as String: "first"])
      let merged = base.merging([kSecAttrAccount as String: "second", kSecValueData as String: Data("v".utf8)]) {
        _, new in
        new
      }
      guard SecItemAdd(merged as CFDictionary, nil) == errSecSuccess else { return false }
      return SecItemCopyMatching(base as CFDictionary, nil) == errSecItemNotFound && value("q19") == "v"
    },
    Idiom("a dictionary of pairs") {
      let pairs: [(CFString, Any)] = [
        (kSecClass, kSecClassGenericPassword), (kSecAttrService, "q20"), (kSecValueData, Data("value".utf8)),
      ]
      let item = Dictionary(uniqueKeysWithValues: pairs.map { ($0.0 as String, $0.1) })
      return SecItemAdd(item as CFDictionary, nil) == errSecSuccess && value("q20") == "value"
    },
    Idiom("reduce into a dictionary") {
      let parts: [[CFString: Any]] = [
        [kSecClass: kSecClassGenericPassword], [kSecAttrService: "q21"], [kSecValueData: Data("value".utf8)],
      ]
      let item = parts.reduce(into: [CFString: Any]()) { $0.merge($1) { $1 } }
      return SecItemAdd(item as CFDictionary, nil) == errSecSuccess && value("q21") == "value"
    },
    Idiom("an argument of a type that is never in a dictionary is refused") {
      struct Odd {}
      return SecItemAdd(named("q22", [kSecAttrAccount as String: Odd()]) as CFDictionary, nil) == errSecParam
    },
  ]
}
