import Foundation
import ItemScript
import Security
import Testing

/// Certificates, keys and identities: stored and searched by attributes, and named by references. Also what rows leave open.
extension RowTests {
  private static var cases: [(Items, Items)] {
    let issuer: Items = [kSecAttrIssuer: Data("issuer".utf8), kSecAttrSerialNumber: Data([1, 2])]
    let key: Items = [
      kSecAttrApplicationLabel: Data([9]), kSecAttrKeyClass: kSecAttrKeyClassPrivate,
      kSecAttrKeyType: kSecAttrKeyTypeEC,
      kSecAttrKeySizeInBits: 256,
    ]
    return [
      ([kSecClass: kSecClassCertificate, kSecAttrCertificateType: 1] ++ issuer, [kSecAttrSerialNumber: Data([1, 2])]),
      ([kSecClass: kSecClassKey, kSecAttrApplicationTag: Data("tag".utf8)] ++ key, [kSecAttrApplicationTag: "tag"]),
      ([kSecClass: kSecClassIdentity] ++ issuer ++ key, [kSecAttrKeyType: 73]),
    ]
  }

  @Test(arguments: 0..<3)
  func `a certificate, a key and an identity are found by attributes and named by references`(place: Int) throws {
    let agent = try RowHouse.shared.newAgent()
    let (item, part) = Self.cases[place]
    let itemClass: Items = [kSecClass: item[kSecClass] as Any]
    #expect(try agent.add(item ++ [kSecAttrLabel: "references"] ++ value("bytes")).status == 0)
    #expect(try agent.add(item).status == errSecDuplicateItem)
    let query = itemClass ++ part ++ [kSecAttrLabel: "references"]
    #expect(try agent.read(query ++ returningData).text == "bytes")
    let attributes = try agent.read(query ++ [kSecReturnAttributes: true]).attributes
    #expect(attributes["class"] as? String == item[kSecClass] as? String)
    if item[kSecAttrKeyClass] != nil {
      #expect(attributes["kcls"] as? Int == 1 && attributes["type"] as? Int == 73 && attributes["bsiz"] as? Int == 256)
    }
    let types = ["SecCertificate", "SecKey", "SecIdentity"]
    let reference = try agent.read(query ++ [kSecReturnRef: true])
    #expect(reference.result as? ItemScript.Foreign == ItemScript.Foreign(type: types[place]))
    let both = try agent.read(query ++ [kSecReturnRef: true, kSecReturnPersistentRef: true]).attributes
    #expect(Set(both.keys) == ["class", "v_Ref", "v_PersistentRef"])
    let persistent: Items = [kSecValuePersistentRef: both["v_PersistentRef"] as Any]
    #expect(try agent.read(persistent ++ returningData).text == "bytes")
    #expect(try agent.delete(persistent).status == 0)
    #expect(try agent.read(query).status == errSecItemNotFound)
  }

  @Test func `a certificate opens always and a key while unlocked, where nothing is said`() throws {
    let agent = try RowHouse.shared.newAgent()
    for (place, accessible) in ["dk", "ak", "ak"].enumerated() {
      let (item, _) = Self.cases[place]
      let added = try agent.add(item ++ [kSecReturnAttributes: true])
      #expect(added.attributes["pdmn"] as? String == accessible)
      #expect(try agent.delete(item).status == 0)
    }
  }

  @Test func `a password has no reference, and says so by giving none`() throws {
    let agent = try RowHouse.shared.newAgent()
    try agent.add(password("reference") ++ value("v"))
    let alone = try agent.read(password("reference") ++ [kSecReturnRef: true])
    #expect(alone.status == 0 && alone.result == nil)
    let both = try agent.read(password("reference") ++ [kSecReturnRef: true, kSecReturnData: true]).attributes
    #expect(Set(both.keys) == ["class", "v_Data"])
  }

  @Test func `a new class of accessibility keeps the constraint, and a new control takes it away`() throws {
    let house = RowHouse.shared
    let agent = try house.newAgent()
    let name = password("accessibility")
    try agent.add(name ++ controlled(.userPresence) ++ value("v"))
    let later: Items = [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock]
    let silent: Items = [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]
    #expect(try agent.update(name ++ silent, later).status == errSecInteractionNotAllowed)
    #expect(try agent.update(name, later, typing: [house.password + "\n"]).status == 0)
    #expect(try agent.read(name ++ later ++ returningData ++ silent).status == errSecInteractionNotAllowed)
    let open = controlled([], kSecAttrAccessibleAfterFirstUnlock)
    #expect(try agent.update(name, open, typing: [house.password + "\n"]).status == 0)
    #expect(try agent.read(name ++ later ++ returningData).text == "v")
  }

  @Test func `a name that came as data comes back as data and matches its text`() throws {
    let agent = try RowHouse.shared.newAgent()
    let account = Data([0xFF, 0x00, 0x41])
    let query: Items = [kSecClass: kSecClassGenericPassword, kSecAttrService: "as data"]
    try agent.add(query ++ [kSecAttrAccount: account] ++ value("bytes"))
    try agent.add(query ++ [kSecAttrAccount: Data("text".utf8)] ++ value("text"))
    let found = try agent.read(query ++ [kSecAttrAccount: account, kSecReturnAttributes: true]).attributes
    #expect(found["acct"] as? Data == account)
    #expect(try agent.read(query ++ [kSecAttrAccount: "text"] ++ returningData).text == "text")
    #expect(try agent.read(query ++ [kSecAttrAccount: "TEXT"]).status == errSecItemNotFound)
  }

  @Test(arguments: [1_048_575, 1_048_576, 1_048_577])
  func `a value has at most a mebibyte`(count: Int) throws {
    let agent = try RowHouse.shared.newAgent()
    let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    let name = password("large", "\(count)")
    let added = try agent.add(name ++ [kSecValueData: bytes])
    #expect(added.status == (count > 1_048_576 ? errSecDataTooLarge : errSecSuccess))
    let read = try agent.read(name ++ returningData)
    #expect(read.data == (count > 1_048_576 ? nil : bytes))
  }

  @Test func `what is far too large is refused at once, as a value and as an attribute`() throws {
    let bytes = Data(count: 100 << 20)
    let text = String(decoding: bytes, as: UTF8.self)
    let name: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: "huge"]
    let value = name.merging([kSecValueData: bytes]) { $1 } as CFDictionary
    let account = name.merging([kSecAttrAccount: text]) { $1 } as CFDictionary
    let generic = name.merging([kSecAttrGeneric: bytes]) { $1 } as CFDictionary
    let (search, change) = (name as CFDictionary, [kSecValueData: bytes] as CFDictionary)
    // No daemon is there to be asked: the refusals are this process's own.
    let calls: [(OSStatus, () -> OSStatus)] = [
      (errSecDataTooLarge, { SecItemAdd(value, nil) }),
      (errSecDataTooLarge, { SecItemUpdate(search, change) }),
      (errSecParam, { SecItemAdd(account, nil) }), (errSecParam, { SecItemDelete(generic) }),
    ]
    for (expected, call) in calls {
      let took = (0..<5).map { _ in ContinuousClock().measure { #expect(call() == expected) } }.min()!
      #expect(took < .milliseconds(50))
    }
  }

  @Test(arguments: [4095, 4096, 4097]) func `an attribute has at most 4096 bytes`(count: Int) throws {
    let agent = try RowHouse.shared.newAgent()
    let status = try agent.add(password("wide", String(repeating: "x", count: count)) ++ value("v")).status
    #expect(status == (count > 4096 ? errSecParam : errSecSuccess))
  }

  @Test func `a context that forbids prompts is as prompts forbidden in the dictionary`() throws {
    let agent = try RowHouse.shared.newAgent()
    try agent.add(password("forbidding") ++ controlled(.userPresence) ++ value("v"))
    try agent.context("make", "c")
    try agent.context("forbid", "c")
    let within = password("forbidding") ++ [kSecUseAuthenticationContext: ItemContext("c")]
    for asked in [returningData, returningData ++ [kSecUseAuthenticationUI: kSecUseAuthenticationUIAllow]] {
      #expect(try agent.read(within ++ asked).status == errSecInteractionNotAllowed)
    }
    #expect(try agent.update(within, value("w")).status == errSecInteractionNotAllowed)
    let skipping: Items = [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]
    #expect(try agent.read(within ++ skipping).status == errSecItemNotFound, "skipping asks nobody anyway")
    #expect(agent.prompts == 0)
  }

  @Test func `an update may set when an item was made, and never when it was changed`() throws {
    let agent = try RowHouse.shared.newAgent()
    let early = Date(timeIntervalSince1970: 1_000_000)
    try agent.add(password("dated") ++ value("v"))
    let change: Items = [kSecAttrCreationDate: early, kSecAttrModificationDate: early, kSecAttrLabel: "L"]
    #expect(try agent.update(password("dated"), change).status == 0)
    let found = try agent.read(password("dated") ++ [kSecReturnAttributes: true]).attributes
    #expect(found["cdat"] as? Date == early)
    #expect(try #require(found["mdat"] as? Date) > Date(timeIntervalSinceNow: -60))
    #expect(try agent.update(password("dated"), [:]).status == errSecParam, "an empty change")
  }
}
