import Foundation
import TestSupport
import Testing

/// Rights against the real daemon.
@Suite(.serialized, .enabled(if: isRoot, "makes accounts"))
struct RightTests {
  @Test func `a right is authorised by its owner and taken back at will`() throws {
    let house = try RowHouse()
    let running = try house.start("right")
    try running.person.see("Passcode for")
    try running.person.type(house.password + "\n")
    try running.person.see("do it again")
    try running.person.see("Passcode for")
    running.go()
    let row = running.outcome()
    #expect(row["new"] == "unknown", "\(row)")
    #expect(row["can"] == "()")
    #expect(row["authorize"] == "()")
    #expect(row["state"] == "authorized")
    #expect(row["observed"] == "true")
    #expect(row["after"] == "notAuthorized")
    #expect(row["finger"] == "-6 LocalAuthentication biometryNotAvailable")
    #expect(row["empty"] == "-1 LocalAuthentication invalidParameter")
    #expect(row["taken back"] == "-9 LocalAuthentication appCancelled")
    #expect(row["end"] == "notAuthorized")
    #expect(row.prompts == 2)
  }

  @Test func `a stored right gives its secret while it is authorised, and goes with its item`() throws {
    let house = try RowHouse()
    let answer = house.password + "\n"
    let row = try house.run("stored", typing: [answer, answer])
    #expect(row["missing"] == "-25300 NSOSStatusErrorDomain itemNotFound", "\(row)")
    #expect(row["twice"] == "-25299 NSOSStatusErrorDomain duplicateItem")
    #expect(row["unauthorized"] == "-1004 LocalAuthentication interactionNotAllowed")
    #expect(row["authorize"] == "()")
    #expect(row["secret"] == "open sesame|open sesame")
    #expect(row["other"] == "-1004 LocalAuthentication interactionNotAllowed")
    #expect(row["deauthorized"] == "-1004 LocalAuthentication interactionNotAllowed")
    #expect(row["bare"] == "()")
    #expect(row["no secret"] == "-25300 NSOSStatusErrorDomain itemNotFound")
    #expect(row["signs"] == "false")
    #expect(row["sign"] == "-4 NSOSStatusErrorDomain -")
    #expect(row["removed"] == "-25300 NSOSStatusErrorDomain itemNotFound")
    #expect(row["all"] == "-25300 NSOSStatusErrorDomain itemNotFound")
    #expect(row["none"] == "()")
    #expect(row.prompts == 2)
  }
}
