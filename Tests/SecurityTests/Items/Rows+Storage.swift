import CSQLite
import Foundation
import Security
import TestSupport
import Testing

// Rows 58 to 70: passcodes that go, locked and damaged stores, restarts, and every class in every mode.
extension Row {
  private static var akpu: Items { [kSecAttrAccessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly] }

  /// A user with a bound keybag and a dead item of the class that ends with the passcode.
  private static func dead(_ house: RowHouse, _ name: Items) throws -> (account: TestAccount, agent: ItemAgent) {
    let guest = try house.guest()
    #expect(house.commandLine(of: guest.account).run("unlock", passcode: "guest").status == 0)
    #expect(try guest.agent.add(name ++ akpu ++ value("v")).status == 0)
    #expect(try guest.agent.read(name ++ returningData).text == "v")
    guest.account.change("passwd", "-d")
    let lost = try guest.agent.read(name ++ returningData)
    #expect(lost.status == errSecItemNotFound && lost.reason == "passcodeRemoved")
    return guest
  }

  /// Runs SQL on a store.
  private static func tamper(_ file: String, _ sql: String) {
    var database: OpaquePointer?
    #expect(sqlite3_open(file, &database) == SQLITE_OK)
    #expect(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK, "\(String(cString: sqlite3_errmsg(database)))")
    #expect(sqlite3_changes(database) > 0)
    sqlite3_close(database)
  }

  static let storage: [Row] = [
    Row(58, "an item that ends with the passcode stays lost when there is a new one") { (house) throws in
      let guest = try dead(house, password("row58"))
      guest.account.setPassword("another")
      #expect(try guest.agent.read(password("row58") ++ returningData).status == errSecItemNotFound)
      #expect(try guest.agent.read(password("row58")).status == errSecItemNotFound)
    },
    Row(59, "a lost item is deleted, and gives way to a new one") { (house) throws in
      let guest = try dead(house, password("row59"))
      let again: Items = [kSecAttrAccessible: kSecAttrAccessibleAlways]
      #expect(try guest.agent.add(password("row59") ++ again ++ value("new")).status == 0)
      #expect(try guest.agent.read(password("row59") ++ returningData).text == "new")
      let other = try dead(house, password("row59"))
      #expect(try other.agent.delete(password("row59")).status == 0)
      #expect(try other.agent.delete(password("row59")).status == errSecItemNotFound)
    },
    Row(60, "without a passcode nothing is stored that needs one") { (house) throws in
      let guest = try house.guest(password: nil)
      #expect(try guest.agent.add(password("row60", "a") ++ akpu ++ value("v")).status == errSecAuthFailed)
      let control = controlled([], kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly)
      #expect(try guest.agent.add(password("row60", "b") ++ control ++ value("v")).status == errSecAuthFailed)
      #expect(try guest.agent.read([kSecClass: kSecClassGenericPassword]).status == errSecItemNotFound)
    },
    Row(
      61, "a change of the enrolled fingers ends an item bound to the set and no other",
      gap: "no reader here, so that the add is refused; FingerprintTests/EnrolmentItemTests shows it with one"
    ) { (house) throws in
      let bound = try house.agent.add(password("row61", "a") ++ controlled(.biometryCurrentSet) ++ value("v"))
      let unbound = try house.agent.add(password("row61", "b") ++ controlled(.biometryAny) ++ value("v"))
      #expect(bound.status == 0 && unbound.status == 0)
    },
    Row(62, "a locked store says so for reads, attributes and adds, and opens again") { (house) throws in
      let guest = try house.guest()
      let line = house.commandLine(of: guest.account)
      try guest.agent.add(password("row62") ++ value("v"))
      #expect(line.run("unlock", passcode: "guest").status == 0)
      #expect(line.run("lock").status == 0)
      for asked in [returningData, [kSecReturnAttributes: true]] as [Items] {
        #expect(try guest.agent.read(password("row62") ++ asked).status == errSecInteractionNotAllowed)
        let all: Items = [kSecClass: kSecClassGenericPassword]
        #expect(try guest.agent.read(all ++ asked ++ matchingAll).status == errSecInteractionNotAllowed)
      }
      let refused = try guest.agent.add(password("row62", "b") ++ value("w"))
      #expect(refused.status == errSecInteractionNotAllowed && refused.reason == "keybagLocked")
      #expect(guest.agent.prompts == 0)
      try guest.agent.add(password("row62", "c") ++ [kSecAttrAccessible: kSecAttrAccessibleAlways] ++ value("c"))
      #expect(line.run("unlock", passcode: "guest").status == 0)
      #expect(try guest.agent.read(password("row62") ++ returningData).text == "v")
      #expect(try guest.agent.read(password("row62", "b")).status == errSecItemNotFound)
      #expect(line.run("lock").status == 0)
      let service: Items = [kSecClass: kSecClassGenericPassword, kSecAttrService: "row62"]
      #expect(try guest.agent.update(service, [kSecAttrLabel: "L"]).status == errSecInteractionNotAllowed)
      #expect(try guest.agent.delete(service).status == 0, "a delete needs no key")
      #expect(line.run("unlock", passcode: "guest").status == 0)
      #expect(try guest.agent.read(service).status == errSecItemNotFound)
    },
    Row(63, "what opens after the first unlock stays open while locked") { (house) throws in
      let guest = try house.guest()
      let line = house.commandLine(of: guest.account)
      let accessible: Items = [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock]
      try guest.agent.add(password("row63") ++ accessible ++ value("v"))
      #expect(line.run("unlock", passcode: "guest").status == 0)
      #expect(line.run("lock").status == 0)
      #expect(try guest.agent.read(password("row63") ++ returningData).text == "v")
    },
    Row(64, "one damaged item of ten hides no other") { (house) throws in
      let guest = try house.guest()
      for number in 0..<10 { try guest.agent.add(password("row64", "\(number)") ++ value("\(number)")) }
      try house.whileStopped {
        tamper(house.store(of: guest.account), "UPDATE items SET sealed_value = zeroblob(60) WHERE id = 4")
      }
      let all: Items = [kSecClass: kSecClassGenericPassword, kSecAttrService: "row64"]
      let found = try guest.agent.read(all ++ returningData ++ matchingAll)
      #expect(found.status == 0 && found.texts?.count == 9)
      let damaged = try guest.agent.read(password("row64", "3") ++ returningData)
      #expect(damaged.status == errSecItemNotFound && damaged.reason == "rowDamaged")
    },
    Row(65, "a damaged item gives way to an add of its name") { (house) throws in
      for column in ["sealed_value", "sealed_metadata", "wrapped_key"] {
        let guest = try house.guest()
        try guest.agent.add(password("row65") ++ value("old"))
        try house.whileStopped {
          tamper(house.store(of: guest.account), "UPDATE items SET \(column) = zeroblob(length(\(column)))")
        }
        #expect(try guest.agent.read(password("row65") ++ returningData).status == errSecItemNotFound, "\(column)")
        #expect(try guest.agent.add(password("row65") ++ value("new")).status == 0, "\(column)")
        #expect(try guest.agent.read(password("row65") ++ returningData).text == "new", "\(column)")
      }
    },
    Row(66, "attributes that were moved to another item are not believed") { (house) throws in
      let guest = try house.guest()
      for account in ["a", "b"] { try guest.agent.add(password("row66", account) ++ value(account)) }
      try house.whileStopped {
        tamper(
          house.store(of: guest.account),
          """
          CREATE TEMP TABLE old AS SELECT id, sealed_metadata FROM items;
          UPDATE items SET sealed_metadata = (SELECT sealed_metadata FROM old WHERE old.id <> items.id)
          """)
      }
      for account in ["a", "b"] {
        #expect(try guest.agent.read(password("row66", account) ++ returningData).status == errSecItemNotFound)
      }
      let all: Items = [kSecClass: kSecClassGenericPassword]
      #expect(try guest.agent.read(all ++ matchingAll ++ [kSecReturnAttributes: true]).status == errSecItemNotFound)
    },
    Row(67, "a store that cannot be read is told by every verb") { (house) throws in
      let guest = try house.guest()
      try guest.agent.add(password("row67") ++ value("v"))
      let file = house.store(of: guest.account)
      try house.whileStopped {
        for name in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + name) }
        try Data(repeating: 0x58, count: 8192).write(to: URL(fileURLWithPath: file))
      }
      let name = password("row67")
      let answers = [
        try guest.agent.add(name ++ value("v")), try guest.agent.read(name), try guest.agent.update(name, value("w")),
        try guest.agent.delete(name),
      ]
      #expect(answers.map(\.status) == Array(repeating: errSecNotAvailable, count: 4), "\(answers)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data(repeating: 0x58, count: 8192))
    },
    Row(68, "a client outlives its daemon and finds everything once") { (house) throws in
      let agent = try house.newAgent()
      for account in ["a", "b", "c"] { try agent.add(password("row68", account) ++ value(account)) }
      let all = [kSecClass: kSecClassGenericPassword, kSecAttrService: "row68"] ++ returningData ++ matchingAll
      #expect(try agent.read(all).texts == ["a", "b", "c"])
      try house.whileStopped {}
      #expect(try agent.read(all).texts == ["a", "b", "c"])
      #expect(try agent.add(password("row68", "a") ++ value("x")).status == errSecDuplicateItem)
    },
    Row(69, "attributes come without the value, which nobody opens for them") { (house) throws in
      let guest = try house.guest()
      try guest.agent.add(password("row69") ++ value("v") ++ [kSecAttrLabel: "L"])
      let asked: Items = [kSecReturnAttributes: true]
      #expect(try guest.agent.read(password("row69") ++ asked).attributes["v_Data"] == nil)
      try house.whileStopped {
        tamper(
          house.store(of: guest.account), "UPDATE items SET sealed_value = zeroblob(60), wrapped_key = zeroblob(72)")
      }
      #expect(try guest.agent.read(password("row69") ++ asked).attributes["labl"] as? String == "L")
    },
    Row(70, "every class, protection and mode of prompting answers as the table says") { (house) throws in
      let agent = try house.newAgent()
      try agent.context("make", "c")
      try agent.prove("c", typing: house.password + "\n")
      for itemClass in itemClasses {
        for protection in protections {
          for flags in [[], .userPresence] as [SecAccessControlCreateFlags] {
            try StressCell(agent: agent, itemClass: itemClass, protection: protection, flags: flags).run()
          }
        }
      }
      #expect(agent.prompts == 1, "the context's own")
    },
  ]
}

/// One class under one protection, with or without a constraint, through every verb in every mode of prompting.
private struct StressCell {
  let agent: ItemAgent
  let itemClass: CFString
  let protection: CFString
  let flags: SecAccessControlCreateFlags

  private static var context: Items { [kSecUseAuthenticationContext: ItemContext("c")] }
  private static var fail: Items { [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail] }
  private static var skip: Items { [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip] }

  private var name: Items {
    let account = "\(protection) \(flags.rawValue)"
    let bytes = Data(account.utf8)
    let base: Items = [kSecClass: itemClass]
    switch itemClass as String {
    case "genp": return base ++ [kSecAttrService: "row70", kSecAttrAccount: account]
    case "inet": return base ++ [kSecAttrServer: "row70", kSecAttrAccount: account]
    case "cert": return base ++ [kSecAttrIssuer: bytes, kSecAttrSerialNumber: bytes]
    case "keys": return base ++ [kSecAttrApplicationLabel: bytes, kSecAttrKeyClass: kSecAttrKeyClassPrivate]
    default: return base ++ [kSecAttrIssuer: bytes, kSecAttrSerialNumber: bytes, kSecAttrApplicationLabel: bytes]
    }
  }

  private var isProtected: Bool { !flags.isEmpty }

  func run() throws {
    let here: Comment = "\(itemClass) \(protection) \(flags.rawValue)"
    let item = name ++ controlled(flags, protection) ++ value("v")
    #expect(try agent.add(item ++ Self.skip).status == errSecParam, here)
    #expect(try agent.add(item ++ Self.fail).status == 0, here)
    #expect(try agent.add(item).status == errSecDuplicateItem, here)
    for asked in [[:], [kSecReturnAttributes: true], returningData] as [Items] {
      #expect(try agent.read(name ++ asked ++ Self.context).status == 0, here)
      #expect(
        try agent.read(name ++ asked ++ Self.fail).status == (isProtected ? errSecInteractionNotAllowed : 0), here)
      #expect(try agent.read(name ++ asked ++ Self.skip).status == (isProtected ? errSecItemNotFound : 0), here)
    }
    #expect(try agent.read(name ++ returningData ++ Self.context).text == "v", here)
    #expect(try agent.update(name ++ Self.skip, value("w")).status == errSecParam, here)
    #expect(
      try agent.update(name ++ Self.fail, value("w")).status == (isProtected ? errSecInteractionNotAllowed : 0), here)
    #expect(try agent.update(name ++ Self.context, value("x")).status == 0, here)
    #expect(try agent.read(name ++ returningData ++ Self.context).text == "x", here)
    #expect(try agent.delete(name ++ Self.skip).status == errSecParam, here)
    #expect(try agent.delete(name ++ Self.fail).status == 0, here)
    #expect(try agent.delete(name).status == errSecItemNotFound, here)
  }
}
