import CFBridge
import Testing

@Suite struct BridgingTests {
  @Test func `a Swift dictionary becomes a CFDictionary and comes back`() throws {
    let made = ["name": "value", "count": 3, "bytes": Data([1, 2]), "flag": true] as [String: Any] as CFDictionary
    let back = try #require(made as? [String: Any])
    #expect(back["name"] as? String == "value")
    #expect(back["count"] as? Int == 3)
    #expect(back["bytes"] as? Data == Data([1, 2]))
    #expect(back["flag"] as? Bool == true)
  }

  @Test func `an object of no stated type casts to the Swift type behind it`() {
    let text: CFTypeRef = NSString(string: "text")
    let bytes: CFTypeRef = NSData(data: Data([7]))
    let list: CFTypeRef = [["a": 1]] as NSArray
    #expect(text as? String == "text")
    #expect(bytes as? Data == Data([7]))
    #expect((list as? [[String: Any]])?.first?["a"] as? Int == 1)
    #expect(text as? Data == nil)
  }

  @Test func `a key of either kind of string is the same key`() {
    let key: CFString = "agrp"
    let dictionary: [AnyHashable: Any] = ["agrp": "group"]
    #expect(dictionary[key] as? String == "group")
    #expect(AnyHashable(key) == AnyHashable("agrp"))
    #expect(AnyHashable(key).hashValue == AnyHashable("agrp").hashValue)
    #expect(AnyHashable(key) != AnyHashable("sync"))
  }

  @Test func `a CFString keys a Swift dictionary and that becomes a CFDictionary`() {
    let key: CFString = "acct"
    let query: [CFString: Any] = [key: "me"]
    #expect((query as CFDictionary)["acct"] as? String == "me")
    #expect((query as NSDictionary as? [String: Any])?["acct"] as? String == "me")
  }

  @Test func `the truth values go bare, unwrapped and as Any into a dictionary`() {
    let query: [String: Any?] = ["bare": kCFBooleanTrue, "forced": kCFBooleanTrue!, "any": kCFBooleanFalse as Any]
    let made = query as CFDictionary
    #expect(made["bare"] as? Bool == true)
    #expect(made["forced"] as? Bool == true)
    #expect(made["any"] as? Bool == false)
  }

  @Test func `values are set and read by key as in Objective-C`() {
    let dictionary = NSMutableDictionary()
    dictionary.setValue("a", forKey: "k")
    #expect(dictionary.value(forKey: "k") as? String == "a")
    dictionary.setValue(nil, forKey: "k")
    #expect(dictionary.value(forKey: "k") == nil)
    #expect(dictionary.count == 0)
  }
}
