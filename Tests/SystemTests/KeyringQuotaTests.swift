import Foundation
import LinuxSystem
import TestSupport
import Testing

/// An account whose quota of keys is used up: its daemon keeps nothing in the kernel, and every read still works.
@Suite(.serialized, .enabled(if: isRoot, "makes accounts"))
struct KeyringQuotaTests {
  /// Uses the whole quota of keys up, as any program of the account can; how many keys that took.
  private func fillQuota(_ account: TestAccount) -> Int {
    let script = "i=0; while keyctl add user lk$i x @u >/dev/null 2>&1; do i=$((i+1)); done; echo $i"
    return Int(run(["sh", "-c", script], as: account.account).output.filter(\.isNumber)) ?? 0
  }

  private func status(_ house: Household) throws -> String {
    let status = house.commandLine.run("status", "--json")
    return try #require(JSONAnswer(status.output)["cache"] as? String, "\(status.output)\(status.complaint)")
  }

  @Test func `a full quota switches the cache off; each protected read takes a passcode, a plain one prompts`() throws {
    let house = try Household(.user)
    #expect(fillQuota(house.account) > 100)
    defer { run(["keyctl", "clear", "@u"], as: house.account.account) }
    let value = Array("value\u{0}\u{FF}".utf8)
    #expect(house.add("plain", value, require: nil).status == 0)
    #expect(house.add("mail", value).status == 0)
    #expect(try status(house).hasPrefix("off: "))

    for _ in 0..<2 {
      let opened = house.commandLine.run("get", "-s", "mail", "-a", "me", passcode: house.password)
      #expect(opened.status == 0 && opened.bytes == value, "\(opened.complaint)")
      #expect(house.commandLine.run("get", "-s", "mail", "-a", "me").status == 36)
    }
    // The first proof bound the keychain, and nothing keeps its classes open.
    #expect(try house.keybag() == "beforeFirstUnlock")
    #expect(house.commandLine.run("get", "-s", "plain", "-a", "me", "--no-prompt").status == 36)
    for _ in 0..<2 {
      let read = try house.read("plain", typing: [house.password + "\n"])
      #expect(read.status == 0 && read.value == value, "\(read.screen)")
    }
    let doctor = house.commandLine.run("doctor")
    #expect((doctor.output + doctor.complaint).contains("keyctl clear @u"), "\(doctor.output)\(doctor.complaint)")

    // What doctor says mends it, from the daemon's next start on.
    #expect(run(["keyctl", "clear", "@u"], as: house.account.account).status == 0)
    #expect(
      try eventually {
        try house.crash()
        return try status(house) == "on"
      })
    #expect(house.commandLine.run("get", "-s", "mail", "-a", "me", passcode: house.password).bytes == value)
    #expect(house.commandLine.run("get", "-s", "plain", "-a", "me").bytes == value)
  }
}
