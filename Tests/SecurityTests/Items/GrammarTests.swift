import Foundation
import KeychainClient
import KeychainModel
import Testing

@testable import Security

/// Dictionaries as they come from programs, read without a daemon.
@Suite struct GrammarTests {
  private func reason(_ body: () throws(Refusal) -> Void) -> Reason? {
    do throws(Refusal) { try body() } catch { return error.reason }
    return nil
  }

  private func attribute(_ value: Any, _ key: AttributeKey) -> AttributeValue? { try? AttributeValue(value, for: key) }

  @Test func `text takes strings, data, UUIDs and numbers`() {
    let identifier = UUID()
    #expect(attribute("é", .account) == .text("é"))
    #expect(attribute("é" as NSString, .account) == .text("é"))
    #expect(attribute(Data([0xFF, 0]), .account) == .data([0xFF, 0]))
    #expect(attribute(identifier, .account) == .text(ExactText(identifier.uuidString)))
    #expect(attribute(42, .account) == .text("42"))
    #expect(attribute(Date(), .account) == nil)
    #expect(attribute(["a"], .account) == nil)
  }

  @Test func `numbers take numbers, Booleans and decimal strings`() {
    #expect(attribute(443, .port) == .number(443))
    #expect(attribute(NSNumber(value: 443), .port) == .number(443))
    #expect(attribute("443", .port) == .number(443))
    #expect(attribute("", .port) == .number(0))
    #expect(attribute(true, .isInvisible) == .number(1))
    #expect(attribute(false, .isNegative) == .number(0))
    #expect(attribute("73", .keyType) == .number(73))
    #expect(attribute("1", .keyClass) == .number(1))
    for wrong in ["0443", "4 ", "four", "+1", 1.5, Data([1]), Date()] as [Any] {
      #expect(attribute(wrong, .port) == nil, "\(wrong)")
    }
  }

  @Test func `bytes take data, strings and numbers, and dates take dates`() {
    #expect(attribute(Data([1, 2]), .applicationTag) == .data([1, 2]))
    #expect(attribute("tag", .applicationTag) == .text("tag"))
    #expect(attribute(7, .generic) == .text("7"))
    #expect(attribute(Date(timeIntervalSince1970: 5.5), .startDate) == .date(5.5))
    #expect(attribute("2001-01-01", .startDate) == nil)
    #expect(attribute(Date(timeIntervalSince1970: .infinity), .startDate) == nil)
  }

  @Test func `a value comes back as it went in, flags as numbers`() {
    #expect(AttributeValue.text("a").object as? String == "a")
    #expect(AttributeValue.text(ExactText(bytes: [0xFF])).object as? Data == Data([0xFF]))
    #expect(AttributeValue.data([1]).object as? Data == Data([1]))
    let flag = AttributeValue.number(1).object
    #expect(flag as? Bool == true && flag as? Int == 1)
    let seconds = Date().timeIntervalSince1970
    #expect((AttributeValue.date(seconds).object as? Date)?.timeIntervalSince1970 == seconds)
  }

  @Test(arguments: [(127, nil), (128, nil), (129, .invalidParameter)] as [(Int, Reason?)])
  func `a dictionary has at most 128 keys`(count: Int, refused: Reason?) {
    let dictionary = NSMutableDictionary()
    for number in 0..<count { dictionary["\(1000 + number)" as NSString] = "v" }
    #expect(reason { () throws(Refusal) in _ = try ItemDictionary(dictionary) } == refused)
  }

  @Test func `keys are strings that are known, and none is empty`() {
    for wrong in [[5: "v"], ["junk5": "v"], ["": "v"], ["m_Junk": 1], ["svce": NSNull()]] as [NSDictionary] {
      #expect(reason { () throws(Refusal) in _ = try ItemDictionary(wrong) } == .invalidParameter, "\(wrong)")
    }
    let optional: String? = nil
    let dictionary = [kSecAttrService: optional as Any] as NSDictionary
    #expect(reason { () throws(Refusal) in _ = try ItemDictionary(dictionary) } == .invalidParameter)
    #expect(reason { () throws(Refusal) in _ = try ItemDictionary(["nleg": true] as NSDictionary) } == nil)
  }

  private func limit(_ value: Any) -> MatchLimit? {
    let query = [kSecClass: kSecClassGenericPassword, kSecMatchLimit: value] as NSDictionary
    return try? Search(ItemDictionary(query), for: .read).query.limit
  }

  @Test func `a limit is one, all or a number`() {
    #expect(limit(kSecMatchLimitOne) == .one)
    #expect(limit(kSecMatchLimitAll) == .all)
    #expect(limit(1) == .one)
    #expect(limit(NSNumber(value: 2)) == .count(2))
    #expect(limit(UInt32.max) == .count(.max))
    #expect(limit(-1) == .all)
    for wrong in [0, 1.5, true, "m_LimitTwo", Data()] as [Any] { #expect(limit(wrong) == nil, "\(wrong)") }
  }

  private func options(_ more: NSDictionary, maySkip: Bool = true) throws(Refusal) -> CallOptions {
    try CallOptions(ItemDictionary(more), maySkip: maySkip)
  }

  @Test func `the ways to say whether a prompt is welcome`() throws {
    #expect(try options([:]).interaction == .allow)
    #expect(try options([kSecUseAuthenticationUI: kSecUseAuthenticationUIAllow]).interaction == .allow)
    #expect(try options([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]).interaction == .fail)
    #expect(try options([kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]).interaction == .skip)
    #expect(try options([kSecUseNoAuthenticationUI: true]).interaction == .fail)
    #expect(try options([kSecUseNoAuthenticationUI: false]).interaction == .allow)
    let both = [kSecUseNoAuthenticationUI: true, kSecUseAuthenticationUI: kSecUseAuthenticationUIAllow] as NSDictionary
    #expect(try options(both).interaction == .fail)
    let skip = [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip] as NSDictionary
    #expect(reason { () throws(Refusal) in _ = try options(skip, maySkip: false) } == .invalidParameter)
    for wrong in [
      [kSecUseAuthenticationUI: true], [kSecUseNoAuthenticationUI: "yes"], [kSecUseAuthenticationContext: NSObject()],
      [kSecUseOperationPrompt: 5], [kSecUseDataProtectionKeychain: "yes"],
    ] as [NSDictionary] {
      #expect(reason { () throws(Refusal) in _ = try options(wrong) } == .invalidParameter, "\(wrong)")
    }
  }

  @Test(arguments: [1023, 1024, 1025])
  func `a reason is cut behind a whole character where it is too long`(count: Int) throws {
    let text = String(repeating: "x", count: count - 2) + "é"
    let reason = try #require(try options([kSecUseOperationPrompt: text]).reason)
    #expect(reason.string == (count <= 1024 ? text : String(text.dropLast())))
    #expect(try options([kSecUseOperationPrompt: ""]).reason == nil)
  }

  /// Character by character from its end it took minutes.
  @Test(.timeLimit(.minutes(1))) func `a reason of any length is cut at once`() throws {
    let reason = try #require(try options([kSecUseOperationPrompt: String(repeating: "x", count: 10_000_000)]).reason)
    #expect(reason.bytes == [UInt8](repeating: UInt8(ascii: "x"), count: 1024))
  }

  @Test func `a persistent reference is 20 bytes of a class and a name`() throws {
    let identifier = ItemIdentifier(high: 1, low: 2)
    for itemClass in ItemClass.allCases {
      let reference = ItemReference(itemClass: itemClass, identifier: identifier)
      #expect(reference.persistent.count == 20)
      #expect(ItemReference(persistent: reference.persistent) == reference)
      #expect(ItemReference(persistent: reference.persistent.dropLast()) == nil)
      #expect(ItemReference(persistent: reference.persistent + [0]) == nil)
    }
    #expect(ItemReference(persistent: Data("nope".utf8) + Data(count: 16)) == nil)
  }

  @Test func `a reference names its class, and stands without attributes`() throws {
    let data = ItemReference(itemClass: .key, identifier: ItemIdentifier(high: 1, low: 2)).persistent
    let key = SecKey(try #require(ItemReference(persistent: data)))
    for reference in [[kSecValuePersistentRef: data], [kSecValueRef: key]] as [[CFString: Any]] {
      let query = try Search(ItemDictionary(reference as NSDictionary), for: .read).query
      #expect(query.itemClass == .key && query.identifier?.low == 2 && query.twin == .any)
      for more in [
        [kSecAttrLabel: "L"], [kSecAttrSynchronizable: kSecAttrSynchronizableAny], [kSecClass: kSecClassCertificate],
      ] as [[CFString: Any]] {
        let both = reference.merging(more) { $1 } as NSDictionary
        let refused = reason { () throws(Refusal) in _ = try Search(ItemDictionary(both), for: .read) }
        #expect(refused == .invalidParameter, "\(both)")
      }
    }
    let password = [kSecClass: kSecClassGenericPassword, kSecValueRef: NSObject()] as NSDictionary
    let refused = reason { () throws(Refusal) in _ = try Search(ItemDictionary(password), for: .read) }
    #expect(refused == .invalidParameter)
  }

  @Test func `every class refuses the attributes of others`() throws {
    for itemClass in ItemClass.allCases {
      for key in AttributeKey.allCases where ![.accessible, .accessControl, .synchronizable].contains(key) {
        let value: Any =
          switch key.kind {
          case .text, .data: "v"
          case .number: 1
          case .date: Date()
          }
        let query = ["class": itemClass.rawValue, key.rawValue: value] as NSDictionary
        let refused = reason { () throws(Refusal) in _ = try Search(ItemDictionary(query), for: .read) }
        #expect(refused == (itemClass.attributes.contains(key) ? nil : .noSuchAttribute), "\(itemClass) \(key)")
      }
    }
  }

  @Test func `the key strings are Apple's constants`() {
    let constants: [CFString] = [
      kSecClass, kSecMatchLimit, kSecMatchCaseInsensitive, kSecMatchDiacriticInsensitive, kSecMatchWidthInsensitive,
      kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef, kSecValueData, kSecValueRef,
      kSecValuePersistentRef, kSecUseAuthenticationUI, kSecUseNoAuthenticationUI, kSecUseAuthenticationContext,
      kSecUseOperationPrompt, kSecUseDataProtectionKeychain,
    ]
    #expect(constants.map { $0 as String } == SpecialKey.allCases.map(\.rawValue))
    let modes = [kSecUseAuthenticationUIAllow, kSecUseAuthenticationUIFail, kSecUseAuthenticationUISkip]
    #expect(modes.map { $0 as String } == ["u_AuthUIA", "u_AuthUIF", "u_AuthUIS"])
    #expect(kSecAttrSynchronizableAny as String == "syna")
    #expect([kSecMatchLimitOne, kSecMatchLimitAll].map { $0 as String } == ["m_LimitOne", "m_LimitAll"])
  }
}
