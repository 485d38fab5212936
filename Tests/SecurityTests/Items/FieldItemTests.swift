import Foundation
import Security
import TestSupport
import Testing

/// Faults that programs of this kind had, through Apple's API (docs/cases.md).
extension RowTests {
  @Test func `each cause ends a search for an existing item with its own status, and none says not found`() throws {
    let house = RowHouse.shared
    let agent = try house.newAgent()
    for service in ["single", "hasty"] {
      try agent.delete(password(service, "field"))
      try agent.add(password(service, "field") ++ controlled(.userPresence) ++ value("v"))
    }
    let read = password("single", "field") ++ returningData
    let cancelled = try agent.read(read, typing: ["\u{3}"])
    #expect(cancelled.status == errSecUserCanceled && cancelled.reason == "userCancelled")
    let wrong = try agent.read(read, typing: ["wrong\n"])
    #expect(wrong.status == errSecAuthFailed && wrong.reason == "wrongPasscode")
    let late = try agent.read(password("hasty", "field") ++ returningData)
    #expect(late.status == errSecInteractionRequired && late.reason == "deadlinePassed")
    try agent.person.see("Passcode for")
    try agent.add(password("plain", "field") ++ value("v"))
    #expect(house.commandLine(of: house.account).run("lock").status == 0)
    let locked = try agent.read(password("plain", "field") ++ returningData)
    #expect(locked.status == errSecInteractionNotAllowed && locked.reason == "keybagLocked")
    try house.whileStopped {
      let down = try agent.read(read)
      #expect(down.status == errSecNotAvailable && down.reason == "serviceUnavailable")
    }
    #expect(try agent.read(read, typing: [house.password + "\n"]).text == "v")
  }

  @Test func `a program sees nothing of a group it does not hold, in lists neither, until a file grants it`() throws {
    let house = RowHouse.shared
    let member = try house.newAgent(house.member)
    let stranger = try house.newAgent(house.newcomer)
    let group: Items = [kSecAttrAccessGroup: "row.b"]
    try member.add(password("field.group") ++ group ++ value("v"))
    #expect(try stranger.read(password("field.group")).status == errSecItemNotFound)
    #expect(try stranger.read(password("field.group") ++ group).status == errSecMissingEntitlement)
    try stranger.add(password("field.own") ++ value("v"))
    let list = [kSecClass: kSecClassGenericPassword, kSecReturnAttributes: true] as Items ++ matchingAll
    let failing: Items = [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]
    let seen = try stranger.read(list ++ failing).dictionaries ?? []
    #expect(!seen.isEmpty && seen.allSatisfy { $0["agrp"] as? String == "default" })
    let policy =
      "service: field.group\ncallers:\n  - executable: \(house.newcomer)\n    groups: [row.b]\n  - executable: \(house.member)\n"
    try house.daemon.write(policy, to: "policies/field.group.yaml")
    defer { try? FileManager.default.removeItem(atPath: house.daemon.policies + "/field.group.yaml") }
    try house.whileStopped {}
    #expect(try stranger.read(password("field.group") ++ returningData).text == "v")
  }

  @Test func `a proof for one program opens nothing for another`() throws {
    let house = RowHouse.shared
    let (first, second) = (try house.newAgent(), try house.newAgent())
    try first.delete(password("sticky", "field"))
    try first.add(password("sticky", "field") ++ controlled(.userPresence) ++ value("v"))
    let read = password("sticky", "field") ++ returningData
    #expect(try first.read(read, typing: [house.password + "\n"]).text == "v")
    let again = try first.read(read)
    #expect(again.text == "v", "the policy lets a proof serve its process again: \(again)")
    let silent: Items = [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]
    let other = try second.read(read ++ silent)
    #expect(other.status == errSecInteractionNotAllowed, "\(other)")
    #expect(second.prompts == 0)
  }
}
