import Foundation
import Security
import Testing

// Rows 1 to 28: names, results, the grammar of dictionaries, dates, twins.
extension Row {
  static let names: [Row] = [
    Row(1, "every class is empty at first, and says so") { (house) throws in
      let guest = try house.guest().agent
      for itemClass in itemClasses { #expect(try guest.read([kSecClass: itemClass]).status == errSecItemNotFound) }
    },
    Row(2, "a second add of a name is a duplicate and changes nothing") { (house) throws in
      let name = password("row2")
      #expect(try house.agent.add(name ++ value("one") ++ [kSecAttrLabel: "first"]).status == 0)
      #expect(try house.agent.add(name ++ value("two") ++ [kSecAttrLabel: "second"]).status == errSecDuplicateItem)
      let kept = try house.agent.read(name ++ returningData ++ [kSecReturnAttributes: true]).attributes
      #expect(kept["v_Data"] as? Data == Data("one".utf8) && kept["labl"] as? String == "first")
    },
    Row(3, "accessibility is no part of the name and filters a search") { (house) throws in
      let name = password("row3")
      try house.agent.add(name ++ value("one"))
      let other: Items = [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock]
      #expect(try house.agent.add(name ++ other ++ value("two")).status == errSecDuplicateItem)
      #expect(try house.agent.read(name ++ other).status == errSecItemNotFound)
      #expect(try house.agent.read(name).status == 0)
    },
    Row(4, "a group makes two items of one name") { (house) throws in
      let member = try house.newAgent(house.member)
      let name = password("row4")
      for group in ["row.a", "row.b"] {
        #expect(try member.add(name ++ [kSecAttrAccessGroup: group] ++ value(group)).status == 0)
      }
      #expect(try member.read(name ++ returningData ++ matchingAll).texts == ["row.a", "row.b"])
    },
    Row(5, "each part of an internet password's name tells items apart") { (house) throws in
      let base: Items = [kSecClass: kSecClassInternetPassword, kSecAttrServer: "row5", kSecAttrAccount: "me"]
      let variants: [Items] = [
        [:], [kSecAttrPort: 443], [kSecAttrPath: "/x"], [kSecAttrProtocol: kSecAttrProtocolHTTPS],
        [kSecAttrAuthenticationType: kSecAttrAuthenticationTypeHTTPBasic], [kSecAttrSecurityDomain: "d"],
      ]
      for variant in variants { #expect(try house.agent.add(base ++ variant).status == 0) }
      #expect(try house.agent.read(base ++ matchingAll ++ [kSecReturnAttributes: true]).list?.count == variants.count)
      for variant in variants { #expect(try house.agent.add(base ++ variant).status == errSecDuplicateItem) }
    },
    Row(6, "the attributes that come back are a query for the item") { (house) throws in
      let name: Items = [kSecClass: kSecClassInternetPassword, kSecAttrServer: "row6", kSecAttrAccount: "me"]
      #expect(try house.agent.add(name ++ value("six") ++ [kSecAttrLabel: "L", kSecAttrPort: 80]).status == 0)
      let found = try house.agent.read(name ++ [kSecReturnAttributes: true]).attributes
      let query = Items(uniqueKeysWithValues: found.filter { $0.key != "sha1" }.map { ($0.key as NSString, $0.value) })
      #expect(query.count > 8)
      #expect(try house.agent.read(query ++ returningData).text == "six")
    },
    Row(7, "an item that was renamed is not there under its old name") { (house) throws in
      let name: Items = [kSecClass: kSecClassInternetPassword, kSecAttrServer: "row7", kSecAttrAccount: "old"]
      try house.agent.add(name ++ value("seven"))
      #expect(try house.agent.update(name, [kSecAttrAccount: "new"]).status == 0)
      #expect(try house.agent.update(name, [kSecAttrAccount: "new"]).status == errSecItemNotFound)
      #expect(try house.agent.delete(name).status == errSecItemNotFound)
      #expect(try house.agent.read(name ++ [kSecAttrAccount: "new"] ++ returningData).text == "seven")
    },
    Row(8, "an update onto a taken name is a duplicate and changes nothing") { (house) throws in
      try house.agent.add(password("row8", "x") ++ value("X"))
      try house.agent.add(password("row8", "y") ++ value("Y"))
      #expect(
        try house.agent.update(password("row8", "x"), [kSecAttrAccount: "y"] ++ value("Z")).status
          == errSecDuplicateItem)
      #expect(try house.agent.read(password("row8", "x") ++ returningData).text == "X")
      #expect(try house.agent.read(password("row8", "y") ++ returningData).text == "Y")
    },
    Row(9, "an add answers what it is asked for and nothing else") { (house) throws in
      #expect(try house.agent.add(password("row9", "a") ++ value("v")).result == nil)
      let added = try house.agent.add(password("row9", "b") ++ value("v") ++ [kSecReturnAttributes: true])
      #expect(added.attributes["acct"] as? String == "b" && added.attributes["v_Data"] == nil)
      #expect(try house.agent.add(password("row9", "c") ++ value("v") ++ returningData).text == "v")
    },
    Row(10, "a persistent reference finds the item, alone") { (house) throws in
      let name = password("row10")
      let reference = try house.agent.add(name ++ value("ten") ++ [kSecReturnPersistentRef: true]).data
      #expect(reference?.count == 20 && reference?.prefix(4) == Data("genp".utf8))
      let query: Items = [kSecValuePersistentRef: try #require(reference)]
      let byReference = try house.agent.read(query ++ [kSecReturnAttributes: true]).attributes
      let byName = try house.agent.read(name ++ [kSecReturnAttributes: true]).attributes
      #expect(byReference as NSDictionary == byName as NSDictionary && byName["acct"] as? String == "me")
      #expect(try house.agent.read(query ++ returningData).text == "ten")
      #expect(try house.agent.read(query ++ [kSecAttrAccount: "me"]).status == errSecParam)
      #expect(try house.agent.read([kSecValuePersistentRef: Data([1, 2])]).status == errSecParam)
      #expect(try house.agent.add(password("row10", "b") ++ query).status == errSecParam)
    },
    Row(11, "an update through a reference changes that item alone") { (house) throws in
      let reference = try house.agent.add(password("row11", "a") ++ value("A") ++ [kSecReturnPersistentRef: true]).data
      try house.agent.add(password("row11", "b") ++ value("B"))
      let query: Items = [kSecValuePersistentRef: try #require(reference)]
      #expect(try house.agent.update(query, [kSecAttrAccount: "c"] ++ value("C")).status == 0)
      let changed = try house.agent.read(query ++ returningData ++ [kSecReturnAttributes: true]).attributes
      #expect(changed["acct"] as? String == "c" && changed["v_Data"] as? Data == Data("C".utf8))
      #expect(try house.agent.read(password("row11", "b") ++ returningData).text == "B")
    },
    Row(12, "a reference of a deleted item finds nothing") { (house) throws in
      let reference = try house.agent.add(password("row12") ++ [kSecReturnPersistentRef: true]).data
      let query: Items = [kSecValuePersistentRef: try #require(reference)]
      #expect(try house.agent.delete(query).status == 0)
      #expect(try house.agent.read(query).status == errSecItemNotFound)
      #expect(try house.agent.update(query, value("x")).status == errSecItemNotFound)
      #expect(try house.agent.delete(query).status == errSecItemNotFound)
    },
    Row(13, "an item without a value has attributes and no value") { (house) throws in
      #expect(try house.agent.add(password("row13")).status == 0)
      let both = returningData ++ [kSecReturnAttributes: true] as Items
      let found = try house.agent.read(password("row13") ++ both ++ matchingAll).dictionaries
      #expect(found?.count == 1 && found?.first?["v_Data"] == nil && found?.first?["acct"] as? String == "me")
      let alone = try house.agent.read(password("row13") ++ returningData)
      #expect(alone.status == 0 && alone.result == nil)
    },
    Row(14, "all of one is a list of one") { (house) throws in
      try house.agent.add(password("row14") ++ value("v"))
      #expect(try house.agent.read(password("row14") ++ returningData ++ matchingAll).texts == ["v"])
    },
    Row(15, "two kinds of result come as a dictionary") { (house) throws in
      try house.agent.add(password("row15") ++ value("v"))
      let query = password("row15") ++ returningData ++ [kSecReturnPersistentRef: true] as Items
      let found = try house.agent.read(query ++ matchingAll).dictionaries?.first ?? [:]
      #expect(Set(found.keys) == ["v_Data", "v_PersistentRef"])
      #expect((found["v_PersistentRef"] as? Data)?.count == 20)
    },
    Row(16, "no limit is one object, a number is a list") { (house) throws in
      for account in ["a", "b", "c"] { try house.agent.add(password("row16", account) ++ value(account)) }
      let query: Items = [kSecClass: kSecClassGenericPassword, kSecAttrService: "row16"]
      #expect(try house.agent.read(query ++ returningData).text == "a")
      #expect(try house.agent.read(query ++ returningData ++ [kSecMatchLimit: kSecMatchLimitOne]).text == "a")
      #expect(try house.agent.read(query ++ returningData ++ [kSecMatchLimit: 1]).text == "a")
      #expect(try house.agent.read(query ++ returningData ++ [kSecMatchLimit: 2]).texts == ["a", "b"])
      #expect(try house.agent.read(query ++ returningData ++ matchingAll).texts == ["a", "b", "c"])
      #expect(try house.agent.read(query ++ returningData ++ [kSecMatchLimit: -1]).texts == ["a", "b", "c"])
      #expect(try house.agent.read(query ++ [kSecMatchLimit: "m_LimitSome"]).status == errSecParam)
    },
    Row(17, "a match that nothing is asked of is a success") { (house) throws in
      try house.agent.add(password("row17") ++ value("v"))
      #expect(try house.agent.read(password("row17"), wants: false).status == 0)
      let asked = try house.agent.read(password("row17"))
      #expect(asked.status == 0 && asked.result == nil)
      #expect(try house.agent.read(password("row17") ++ returningData, wants: false).status == 0)
    },
    Row(18, "a dictionary without a class, with an unknown one or a junk key is refused") { (house) throws in
      #expect(try house.agent.read([kSecAttrService: "row18"]).status == errSecParam)
      #expect(try house.agent.read([kSecClass: "nope"]).status == errSecNoSuchClass)
      #expect(try house.agent.read(password("row18") ++ ["junk5": 1]).status == errSecParam)
      #expect(try house.agent.read(password("row18") ++ ["m_Junk": 1]).status == errSecParam)
      #expect(try house.agent.read(password("row18") ++ [kSecAttrLabel: NSNull()]).status == errSecParam)
      #expect(try house.agent.add(password("row18") ++ matchingAll).status == errSecParam)
      #expect(try house.agent.read(password("row18")).status == errSecItemNotFound)
    },
    Row(19, "an attribute of another class is told as such") { (house) throws in
      let query: Items = [kSecClass: kSecClassCertificate, kSecAttrApplicationTag: Data([1])]
      #expect(try house.agent.add(query).status == errSecNoSuchAttr)
      #expect(try house.agent.delete(query).status == errSecNoSuchAttr)
    },
    Row(20, "a value is data and nothing else") { (house) throws in
      try house.agent.add(password("row20") ++ value("v"))
      for wrong in ["text", NSNull(), 5] as [Any] {
        #expect(try house.agent.update(password("row20"), [kSecValueData: wrong]).status == errSecParam)
        #expect(try house.agent.add(password("row20", "b") ++ [kSecValueData: wrong]).status == errSecParam)
      }
      #expect(try house.agent.read(password("row20") ++ returningData).text == "v")
    },
    Row(21, "an update changes attributes and value and nothing else") { (house) throws in
      try house.agent.add(password("row21") ++ value("v"))
      let forbidden: [Items] = [
        [kSecClass: kSecClassGenericPassword], returningData, matchingAll,
        [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail], [kSecValuePersistentRef: Data(count: 20)],
        [kSecMatchPolicy: "p"], [kSecUseItemList: "l"], ["u_CredRef" as CFString: Data()],
      ]
      for key in forbidden {
        #expect(try house.agent.update(password("row21"), value("w") ++ key).status == errSecNoSuchAttr, "\(key)")
      }
      #expect(try house.agent.update(password("row21"), value("w") ++ ["nokey": "x"] as Items).status == errSecParam)
      #expect(try house.agent.read(password("row21") ++ returningData).text == "v")
      let base: Items = [kSecUseDataProtectionKeychain: true]
      #expect(try house.agent.update(password("row21"), value("w") ++ base).status == 0, "no key of a family")
      #expect(try house.agent.read(password("row21") ++ returningData).text == "w")
    },
    Row(22, "an update or delete query has no limit") { (house) throws in
      try house.agent.add(password("row22") ++ value("v"))
      #expect(try house.agent.update(password("row22") ++ matchingAll, value("w")).status == errSecParam)
      #expect(try house.agent.delete(password("row22") ++ matchingAll).status == errSecParam)
      #expect(try house.agent.read(password("row22") ++ returningData).text == "v")
    },
    Row(23, "an update query asks for no result") { (house) throws in
      try house.agent.add(password("row23") ++ value("v"))
      #expect(try house.agent.update(password("row23") ++ returningData, value("w")).status == errSecParam)
      #expect(try house.agent.read(password("row23") ++ returningData).text == "v")
    },
    Row(24, "a delete takes every match") { (house) throws in
      for account in ["a", "b", "c", "d", "e"] { try house.agent.add(password("row24", account) ++ value(account)) }
      let query: Items = [kSecClass: kSecClassGenericPassword, kSecAttrService: "row24"]
      #expect(try house.agent.delete(query ++ returningData).status == 0)
      #expect(try house.agent.read(query).status == errSecItemNotFound)
      #expect(try house.agent.delete(query).status == errSecItemNotFound)
    },
    Row(25, "an item is made when it is added, whatever the program says") { (house) throws in
      let early = Date(timeIntervalSince1970: 0)
      let before = Date()
      let added = try house.agent.add(
        password("row25") ++ [kSecAttrCreationDate: early, kSecAttrModificationDate: early, kSecReturnAttributes: true])
      for key in ["cdat", "mdat"] {
        let date = try #require(added.attributes[key] as? Date)
        #expect(abs(date.timeIntervalSince(before)) < 30)
      }
    },
    Row(26, "an update moves the date of modification and leaves that of creation") { (house) throws in
      let first = try house.agent.add(password("row26") ++ value("v") ++ [kSecReturnAttributes: true]).attributes
      try house.agent.update(password("row26"), value("w"))
      let second = try house.agent.read(password("row26") ++ [kSecReturnAttributes: true]).attributes
      try house.agent.update(password("row26"), [kSecAttrLabel: "L"])
      let third = try house.agent.read(password("row26") ++ [kSecReturnAttributes: true]).attributes
      let dates = [first, second, third].compactMap { $0["mdat"] as? Date }
      #expect(dates.count == 3 && dates[0] < dates[1] && dates[1] < dates[2])
      #expect(Set([first, second, third].compactMap { $0["cdat"] as? Date }).count == 1)
    },
    Row(27, "a search sees the twin it asks for") { (house) throws in
      let name = password("row27")
      #expect(try house.agent.add(name ++ value("local")).status == 0)
      #expect(try house.agent.add(name ++ value("synced") ++ [kSecAttrSynchronizable: true]).status == 0)
      let twins: [(Items, [String])] = [
        ([:], ["local"]), ([kSecAttrSynchronizable: false], ["local"]), ([kSecAttrSynchronizable: true], ["synced"]),
        ([kSecAttrSynchronizable: kSecAttrSynchronizableAny], ["local", "synced"]),
      ]
      for (twin, found) in twins {
        #expect(try house.agent.read(name ++ twin ++ returningData ++ matchingAll).texts == found)
      }
      let synced = try house.agent.read(name ++ [kSecAttrSynchronizable: true, kSecReturnAttributes: true]).attributes
      #expect(synced["sync"] as? Int == 1)
    },
    Row(28, "what is synchronised has no access control") { (house) throws in
      let item = password("row28") ++ [kSecAttrSynchronizable: true] as Items
      let refused = try house.agent.add(item ++ controlled(.userPresence))
      #expect(refused.status == errSecParam)
      let twins = try house.agent.read(password("row28") ++ [kSecAttrSynchronizable: kSecAttrSynchronizableAny])
      #expect(twins.status == errSecItemNotFound)
    },
  ]
}
