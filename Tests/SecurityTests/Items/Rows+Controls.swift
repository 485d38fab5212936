import Foundation
import KeychainModel
import Security
import Testing

// Rows 29 to 41: access groups and access controls.
extension Row {
  static let groupsAndControls: [Row] = [
    Row(29, "a group that is not held is refused for every verb, and the refusal names the file that grants it") {
      (house) throws in
      let foreign = password("row29") ++ [kSecAttrAccessGroup: "row.a"] as Items
      let answers = [
        try house.agent.add(foreign ++ value("v")), try house.agent.read(foreign),
        try house.agent.update(foreign, value("w")), try house.agent.delete(foreign),
      ]
      for answer in answers {
        #expect(answer.status == errSecMissingEntitlement && answer.reason == "missingEntitlement")
        #expect(answer.detail.contains("\(house.daemon.policies)/row29.yaml"), "\(answer.detail)")
      }
      let log = house.commandLine(of: house.account).run("log", "--json").output
      for verb in ["add", "read", "update", "delete"] {
        #expect(
          log.split(separator: "\n").contains { $0.contains("row29.yaml") && $0.contains("\"\(verb)\"") }, "\(log)")
      }
    },
    Row(30, "items of a group that is not held are not there") { (house) throws in
      let member = try house.newAgent(house.member)
      try member.add(password("row30") ++ [kSecAttrAccessGroup: "row.a"] ++ value("v"))
      #expect(try house.agent.read(password("row30")).status == errSecItemNotFound)
      #expect(try house.agent.update(password("row30"), value("w")).status == errSecItemNotFound)
      #expect(try house.agent.delete(password("row30")).status == errSecItemNotFound)
      #expect(try member.read(password("row30") ++ returningData).text == "v")
    },
    Row(
      31, "a program without any group is refused",
      gap: "every program holds its user's default group, so that no program is without one"
    ) { (house) throws in
      #expect(try house.agent.add(password("row31") ++ value("v")).status == errSecMissingEntitlement)
    },
    Row(32, "an add without a group goes to the first one held") { (house) throws in
      let member = try house.newAgent(house.member)
      let added = try member.add(password("row32") ++ value("v") ++ [kSecReturnAttributes: true])
      #expect(added.attributes["agrp"] as? String == "row.a")
      #expect(try house.agent.read(password("row32")).status == errSecItemNotFound)
    },
    Row(33, "an item does not move to a group that is not held") { (house) throws in
      try house.agent.add(password("row33") ++ value("v"))
      #expect(
        try house.agent.update(password("row33"), [kSecAttrAccessGroup: "row.a"]).status == errSecMissingEntitlement)
      #expect(try house.agent.read(password("row33") ++ returningData).text == "v")
      let member = try house.newAgent(house.member)
      #expect(try member.update(password("row33"), [kSecAttrAccessGroup: "row.b"]).status == 0)
      #expect(try house.agent.read(password("row33")).status == errSecItemNotFound)
    },
    Row(34, "wiping one group leaves the other") { (house) throws in
      let member = try house.newAgent(house.member)
      for group in ["row.a", "row.b"] {
        for account in ["x", "y"] {
          try member.add(password("row34", account) ++ [kSecAttrAccessGroup: group] ++ value(group))
        }
      }
      let all: Items = [kSecClass: kSecClassGenericPassword, kSecAttrService: "row34"]
      #expect(try member.delete(all ++ [kSecAttrAccessGroup: "row.a"]).status == 0)
      #expect(try member.read(all ++ returningData ++ matchingAll).texts == ["row.b", "row.b"])
    },
    Row(35, "accessible and access control do not stand together") { (house) throws in
      let both = controlled(.userPresence) ++ [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked] as Items
      #expect(try house.agent.add(password("row35") ++ both ++ value("v")).status == errSecParam)
      let other =
        controlled([], kSecAttrAccessibleAlways) ++ [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked] as Items
      #expect(try house.agent.add(password("row35") ++ other ++ value("v")).status == errSecParam)
      #expect(try house.agent.read(password("row35")).status == errSecItemNotFound)
    },
    Row(36, "an access control is one") { (house) throws in
      for wrong in ["ak", 1, Data([1])] as [Any] {
        let item = password("row36") ++ [kSecAttrAccessControl: wrong] as Items
        #expect(try house.agent.add(item).status == errSecParam)
        #expect(try house.agent.read(item).status == errSecParam)
      }
      #expect(try house.agent.add(password("row36") ++ [kSecAttrAccessible: "zz"]).status == errSecParam)
    },
    Row(37, "flags that do not go together make no access control") { _ in
      let ak = kSecAttrAccessibleWhenUnlocked
      for flags in [
        [.userPresence, .biometryAny], [.or, .and], [.biometryAny, .biometryCurrentSet], [.userPresence, .or],
      ] as [SecAccessControlCreateFlags] {
        var error: Unmanaged<CFError>?
        #expect(SecAccessControlCreateWithFlags(nil, ak, flags, &error) == nil)
        #expect(error?.takeRetainedValue().code == Int(errSecParam))
      }
      #expect(SecAccessControlCreateWithFlags(nil, "nothing" as NSString, [], nil) == nil)
    },
    Row(38, "flags that go together make one") { _ in
      let ak = kSecAttrAccessibleWhenUnlocked
      for flags in [
        [.biometryAny, .devicePasscode, .or], [.biometryAny, .devicePasscode, .and],
        [.biometryAny, .devicePasscode, .and, .applicationPassword],
      ] as [SecAccessControlCreateFlags] { #expect(SecAccessControlCreateWithFlags(nil, ak, flags, nil) != nil) }
    },
    Row(39, "an access control that went out and came back is equal") { (house) throws in
      let control = SecAccessControlCreateWithFlags(
        nil, kSecAttrAccessibleAlways, [.biometryAny, .devicePasscode, .or], nil)!
      let data = try #require(SecAccessControlCopyData(control))
      #expect(SecAccessControlCreateFromData(nil, data, nil) == control)
      let stored = controlled(.devicePasscode)
      try house.agent.add(password("row39") ++ stored)
      let found = try house.agent.read(password("row39") ++ [kSecReturnAttributes: true]).attributes
      #expect(found["accc"] as? SecAccessControl == stored[kSecAttrAccessControl] as? SecAccessControl)
      #expect(found["pdmn"] as? String == "ak")
    },
    Row(40, "a private key's control has no decryption, a free deletion and a constrained signature") { _ in
      let made = SecAccessControlCreateWithFlags(
        nil, kSecAttrAccessibleWhenUnlocked, [.privateKeyUsage, .devicePasscode], nil)
      let control = try #require(made).control
      #expect(control.rule(for: .decrypt) == .denied && control.rule(for: .encrypt) == .denied)
      #expect(control.rule(for: .delete) == .allowed)
      #expect(control.rule(for: .sign) == .constrained(.passcode))
    },
    Row(41, "a password cannot be a private key's") { (house) throws in
      let answer = try house.agent.add(
        password("row41") ++ controlled([.privateKeyUsage, .devicePasscode]) ++ value("v"))
      #expect(answer.status == errSecAuthFailed && answer.reason == "operationDenied")
      #expect(try house.agent.read(password("row41")).status == errSecItemNotFound)
    },
  ]
}
