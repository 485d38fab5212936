import Foundation
import KeychainModel
import Security
import Testing

// Rows 42 to 57: what prompts and what does not.
extension Row {
  private static var failing: Items { [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail] }
  private static var skipping: Items { [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip] }

  /// An access control that no flags make.
  private static func control(_ flags: AccessControlFlags, _ rules: [ItemOperation: OperationRule]) throws -> Items {
    let made = try AccessControl(accessibility: .whenUnlocked, flags: flags, overrides: rules)
    return [kSecAttrAccessControl: SecAccessControl(made)]
  }

  static let prompts: [Row] = [
    Row(42, "adding a protected item asks nobody") { (house) throws in
      let agent = try house.newAgent()
      #expect(try agent.add(password("row42") ++ controlled(.userPresence) ++ value("v")).status == 0)
      #expect(agent.prompts == 0)
    },
    Row(43, "with prompts forbidden a protected item answers so, and asks nobody") { (house) throws in
      let agent = try house.newAgent()
      try agent.add(password("row43") ++ controlled(.userPresence) ++ value("v"))
      let forbidding: [Items] = [
        failing, [kSecUseNoAuthenticationUI: true], failing ++ [kSecUseNoAuthenticationUI: false] as Items,
      ]
      for mode in forbidding {
        for asked in [[:], returningData, [kSecReturnAttributes: true]] as [Items] {
          let answer = try agent.read(password("row43") ++ mode ++ asked)
          #expect(answer.status == errSecInteractionNotAllowed && answer.reason == "interactionNotAllowed")
        }
      }
      #expect(agent.prompts == 0)
    },
    Row(44, "skipping passes over a protected item") { (house) throws in
      let agent = try house.newAgent()
      try agent.add(password("row44") ++ controlled(.userPresence) ++ value("v"))
      for asked in [[:], returningData] as [Items] {
        #expect(try agent.read(password("row44") ++ skipping ++ asked).status == errSecItemNotFound)
      }
      #expect(agent.prompts == 0)
    },
    Row(45, "skipping leaves the plain ones of all") { (house) throws in
      try house.agent.add(password("row45", "a") ++ controlled(.userPresence) ++ value("shut"))
      try house.agent.add(password("row45", "b") ++ value("open"))
      let all: Items = [kSecClass: kSecClassGenericPassword, kSecAttrService: "row45"]
      #expect(try house.agent.read(all ++ skipping ++ returningData ++ matchingAll).texts == ["open"])
      #expect(try house.agent.read(all ++ skipping ++ returningData).text == "open", "a limit counts what is left")
    },
    Row(46, "deleting a protected item asks nobody") { (house) throws in
      let agent = try house.newAgent()
      try agent.add(password("row46") ++ controlled(.userPresence) ++ value("v"))
      #expect(try agent.delete(password("row46") ++ failing).status == 0)
      #expect(agent.prompts == 0)
    },
    Row(47, "an item whose deletion is constrained wants a proof for it") { (house) throws in
      let agent = try house.newAgent()
      try agent.add(password("row47") ++ control([], [.delete: .constrained(.passcode)]) ++ value("v"))
      #expect(try agent.delete(password("row47") ++ failing).status == errSecInteractionNotAllowed)
      #expect(agent.prompts == 0)
      #expect(try agent.delete(password("row47"), typing: [house.password + "\n"]).status == 0)
      #expect(try agent.read(password("row47")).status == errSecItemNotFound)
    },
    Row(48, "an item whose control names no deletion is not deleted") { (house) throws in
      try house.agent.add(password("row48") ++ control([], [.delete: .denied]) ++ value("v"))
      let answer = try house.agent.delete(password("row48"))
      #expect(answer.status == errSecAuthFailed && answer.reason == "operationDenied")
      #expect(try house.agent.read(password("row48") ++ returningData).text == "v")
    },
    Row(49, "only reads skip") { (house) throws in
      try house.agent.add(password("row49") ++ value("v"))
      #expect(try house.agent.add(password("row49", "b") ++ skipping ++ value("v")).status == errSecParam)
      #expect(try house.agent.update(password("row49") ++ skipping, value("w")).status == errSecParam)
      #expect(try house.agent.delete(password("row49") ++ skipping).status == errSecParam)
      #expect(try house.agent.read(password("row49") ++ returningData).text == "v")
      let unknown: Items = [kSecUseAuthenticationUI: "u_AuthUIX"]
      #expect(try house.agent.read(password("row49") ++ unknown).status == errSecParam)
    },
    Row(50, "a dismissed prompt and a wrong passcode have their own codes and leave the item alone") { (house) throws in
      let agent = try house.newAgent()
      try agent.add(password("single") ++ controlled(.userPresence) ++ value("v"))
      let read = password("single") ++ returningData
      #expect(try agent.read(read, typing: ["\u{3}"]).status == errSecUserCanceled)
      let wrong = try agent.read(read, typing: ["wrong\n"])
      #expect(wrong.status == errSecAuthFailed && wrong.reason == "wrongPasscode")
      #expect(try agent.read(read, typing: [house.password + "\n"]).text == "v")
    },
    Row(51, "changing a protected value asks once, and a read behind it asks again") { (house) throws in
      let agent = try house.newAgent()
      try agent.add(password("row51") ++ controlled(.userPresence) ++ value("v"))
      #expect(try agent.update(password("row51"), value("w"), typing: [house.password + "\n"]).status == 0)
      #expect(agent.prompts == 1)
      #expect(try agent.read(password("row51") ++ returningData ++ failing).status == errSecInteractionNotAllowed)
      #expect(try agent.read(password("row51") ++ returningData, typing: [house.password + "\n"]).text == "w")
      #expect(agent.prompts == 2)
    },
    Row(52, "a context that was proved serves three reads, and none of them without it") { (house) throws in
      let agent = try house.newAgent()
      try agent.add(password("row52") ++ controlled(.userPresence) ++ value("v"))
      try agent.context("make", "c")
      let read = password("row52") ++ returningData
      let within = read ++ [kSecUseAuthenticationContext: ItemContext("c")] as Items
      try agent.read(within, typing: [house.password + "\n"])
      for _ in 0..<3 { #expect(try agent.read(within).text == "v") }
      #expect(agent.prompts == 1)
      for _ in 0..<3 { #expect(try agent.read(read, typing: [house.password + "\n"]).text == "v") }
      #expect(agent.prompts == 4)
    },
    Row(53, "a fresh context asks once for two reads") { (house) throws in
      let agent = try house.newAgent()
      try agent.add(password("row53") ++ controlled(.userPresence) ++ value("v"))
      try agent.context("make", "c")
      let within = password("row53") ++ returningData ++ [kSecUseAuthenticationContext: ItemContext("c")] as Items
      #expect(try agent.read(within, typing: [house.password + "\n"]).text == "v")
      #expect(try agent.read(within).text == "v")
      #expect(agent.prompts == 1)
      #expect(agent.person.screen.contains("the agent asks"), "the context's reason stands in the prompt")
    },
    Row(54, "an invalidated context opens nothing and asks nobody") { (house) throws in
      let agent = try house.newAgent()
      try agent.add(password("row54") ++ controlled(.userPresence) ++ value("v"))
      try agent.context("make", "c")
      let within = password("row54") ++ returningData ++ [kSecUseAuthenticationContext: ItemContext("c")] as Items
      #expect(try agent.read(within, typing: [house.password + "\n"]).text == "v")
      try agent.context("invalidate", "c")
      let answer = try agent.read(within)
      #expect(answer.status == errSecAuthFailed && answer.reason == "contextInvalid")
      #expect(agent.prompts == 1)
      #expect(try agent.read(password("row54") ++ [kSecUseAuthenticationContext: "no context"]).status == errSecParam)
    },
    Row(55, "one proof opens five protected items at once, or none") { (house) throws in
      let agent = try house.newAgent()
      let accounts = ["a", "b", "c", "d", "e"]
      for account in accounts {
        try agent.add(password("row55", account) ++ controlled(.userPresence) ++ value(account))
      }
      let all = [kSecClass: kSecClassGenericPassword, kSecAttrService: "row55"] ++ returningData ++ matchingAll
      let cancelled = try agent.read(all, typing: ["\u{3}"])
      #expect(cancelled.status == errSecUserCanceled && cancelled.result == nil)
      #expect(try agent.read(all, typing: [house.password + "\n"]).texts == accounts)
      #expect(agent.prompts == 2)
    },
    Row(56, "an application's password opens its item, a wrong one and none do not") { (house) throws in
      let agent = try house.newAgent()
      for name in ["right", "wrong", "none"] { try agent.context("make", name) }
      try agent.context("password", "right", password: "open sesame")
      try agent.context("password", "wrong", password: "open barley")
      func with(_ name: String) -> Items { [kSecUseAuthenticationContext: ItemContext(name)] }
      let item = password("row56") ++ controlled(.applicationPassword) ++ value("v")
      #expect(try agent.add(item).status == errSecAuthFailed, "an add wants the password as well")
      #expect(try agent.add(item ++ with("right")).status == 0)
      let read = password("row56") ++ returningData
      #expect(try agent.read(read ++ with("right")).text == "v")
      #expect(try agent.read(read ++ with("wrong")).status == errSecAuthFailed)
      #expect(try agent.read(read ++ with("none")).status == errSecAuthFailed)
      #expect(try agent.read(read).status == errSecAuthFailed)
      #expect(agent.prompts == 0)
    },
    Row(57, "an update gives an item an application's password and takes it away") { (house) throws in
      let agent = try house.newAgent()
      try agent.context("make", "c")
      try agent.context("password", "c", password: "open sesame")
      let with: Items = [kSecUseAuthenticationContext: ItemContext("c")]
      try agent.add(password("row57") ++ value("v"))
      let read = password("row57") ++ returningData
      #expect(try agent.update(password("row57") ++ with, controlled(.applicationPassword)).status == 0)
      #expect(try agent.read(read).status == errSecAuthFailed)
      #expect(try agent.read(read ++ with).text == "v")
      #expect(try agent.update(password("row57"), controlled([])).status == errSecAuthFailed)
      #expect(try agent.update(password("row57") ++ with, controlled([])).status == 0)
      #expect(try agent.read(read).text == "v")
    },
  ]
}
