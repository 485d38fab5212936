import Foundation
import TestSupport
import Testing

/// What is stored for a program goes with it.
@Suite(.serialized, .enabled(if: isRoot, "makes accounts"))
struct PurgeTests {
  @Test(arguments: Mode.allCases)
  func `a removed program's items go, in each of the modes, as a removal script takes them away`(
    _ mode: Mode
  ) throws {
    let house = try Household(mode)
    let ours = house.commandLine
    #expect(house.add("com.example.a", [1]).status == 0)
    #expect(ours.run("add", "-s", "com.example.a", "-a", "plain", input: [2]).status == 0)
    #expect(house.add("com.example.b", [3]).status == 0)
    let variables = ours.environment.map { "\($0.key)=\($0.value)" }
    let words = ["env"] + variables + [ours.latchkey, "purge", "com.example.a"]
    let removal = run(["runuser", "-l", house.account.name, "-c", words.joined(separator: " ")])
    #expect(removal.status == 0, "\(removal.complaint)")
    for name in ["me", "plain"] { #expect(ours.run("get", "-s", "com.example.a", "-a", name).status == 44) }
    #expect(try house.read("com.example.b", typing: [house.password + "\n"]).value == [3])
    #expect(ours.run("add", "-s", "com.example.a", "-a", "plain", input: [4]).status == 0)
    #expect(ours.run("get", "-s", "com.example.a", "-a", "plain").bytes == [4])
  }
}
