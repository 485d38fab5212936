import CFBridge
import Testing

@Suite struct ObjectTests {
  nonisolated(unsafe) static let objects: [(object: CFTypeRef, id: CFTypeID)] = [
    ("t" as NSString, CFStringGetTypeID()), (NSMutableString(string: "t"), CFStringGetTypeID()),
    ([:] as NSDictionary, CFDictionaryGetTypeID()), (NSMutableDictionary(), CFDictionaryGetTypeID()),
    ([] as NSArray, CFArrayGetTypeID()), (NSSet(), CFSetGetTypeID()), (NSData(), CFDataGetTypeID()),
    (NSDate(), CFDateGetTypeID()), (NSURL(string: "a:b")!, CFURLGetTypeID()), (kCFNull, CFNullGetTypeID()),
    (NSError(domain: "d", code: 1), CFErrorGetTypeID()), (NSNumber(value: 7), CFNumberGetTypeID()),
    (NSNumber(value: 1), CFNumberGetTypeID()), (NSNumber(value: 0), CFNumberGetTypeID()),
    (NSNumber(value: Int8(1)), CFNumberGetTypeID()), (NSNumber(value: 1.0), CFNumberGetTypeID()),
    (kCFBooleanTrue, CFBooleanGetTypeID()), (kCFBooleanFalse, CFBooleanGetTypeID()),
    (NSNumber(value: true), CFBooleanGetTypeID()), (true as NSNumber, CFBooleanGetTypeID()),
  ]

  @Test func `each class has the type number its function gives, and no other class has it`() {
    for (object, id) in Self.objects { #expect(CFGetTypeID(object) == id, "\(type(of: object)) \(object)") }
    let ids = Set(Self.objects.map(\.id))
    #expect(ids.count == 11 && !ids.contains(0))
  }

  @Test func `a class without a number has the number 0`() { #expect(CFGetTypeID(NSObject()) == 0) }

  @Test func `equal objects are equal by value and hash alike`() {
    #expect(CFEqual("a" as NSString, NSMutableString(string: "a")))
    #expect(CFHash("a" as NSString) == CFHash(NSMutableString(string: "a")))
    #expect(!CFEqual("a" as NSString, "b" as NSString))
    #expect(!CFEqual("1" as NSString, NSNumber(value: 1)))
  }

  @Test func `an object outside of Foundation equals itself alone`() {
    final class Plain {}
    let one = Plain()
    #expect(CFEqual(one, one))
    #expect(!CFEqual(one, Plain()))
  }

  @Test func `a truth value says what it is`() {
    #expect(CFBooleanGetValue(kCFBooleanTrue))
    #expect(!CFBooleanGetValue(kCFBooleanFalse))
  }

  @Test func `an object describes itself`() {
    #expect(CFCopyDescription("abc" as NSString) as String == "abc")
  }
}
