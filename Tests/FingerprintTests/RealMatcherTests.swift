import Foundation
import LinuxSystem
import Testing

import TestSupport

/// The matcher that real readers without one of their own are served by, on pictures of made-up fingers.
@Suite struct RealMatcherTests {
  private let house: FingerprintHouse
  private let household: Household

  init() throws {
    house = try FingerprintHouse(.image)
    household = try Household(.system, policy: EnrolmentItemTests.policy, reader: house)
  }

  @Test func `pictures of a finger match it, and enrolling it anew is another set`() throws {
    let mine = MadeUpFinger(seed: 1)
    let others = MadeUpFinger(seed: 2)
    let me = household.account.name
    try enrol(mine, touches: 0..<6, for: me)
    #expect(household.add("bound", [1], require: "biometryCurrentSet").status == 0)
    #expect(try verify(mine.picture(touch: 50), me).contains("verify-match"))
    #expect(try verify(others.picture(touch: 50), me).contains("verify-no-match"))
    // A match changes nothing of what is enrolled.
    #expect(reason("bound") != "invalidatedByEnrolment")
    try enrol(mine, touches: 6..<12, for: me)
    #expect(reason("bound") == "invalidatedByEnrolment")
  }

  private func reason(_ service: String) -> String {
    JSONAnswer(household.commandLine.run("get", "-s", service, "-a", "me", "--json").output)["reason"] as? String ?? ""
  }

  private func enrol(_ finger: MadeUpFinger, touches: Range<UInt64>, for account: String) throws {
    let process = try start("fprintd-enroll", ["-f", "right-index-finger", account])
    for touch in touches { try show(finger.picture(touch: touch)) }
    #expect(process.status(within: 30_000) == 0)
  }

  private func verify(_ picture: [UInt8], _ account: String) throws -> String {
    let printed = try OwnedDescriptor.pipe()
    let process = try start("fprintd-verify", [account], printed.writing)
    try show(picture)
    _ = process.status(within: 30_000)
    var text = [UInt8](repeating: 0, count: 4096)
    var span = text.mutableSpan
    let count = try Files.read(printed.reading, into: &span)
    return String(decoding: text.prefix(count), as: UTF8.self)
  }

  private func start(
    _ program: String, _ arguments: [String], _ output: OwnedDescriptor? = nil
  ) throws -> SpawnedProcess {
    let descriptors = output.map { [SpawnPlan.Descriptor($0, as: 1)] } ?? []
    return try Spawn.start(
      "/usr/bin/\(program)",
      SpawnPlan(arguments: [program] + arguments, environment: house.environment, descriptors: descriptors))
  }

  /// Columns and rows in four bytes each, then the pixels (libfprint, drivers/virtual-image.c).
  private func show(_ picture: [UInt8]) throws {
    try house.waitUntilAsked()
    var bytes: [UInt8] = []
    for number in [MadeUpFinger.size.width, MadeUpFinger.size.height] {
      for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
    var device: OwnedDescriptor?
    #expect(
      eventually {
        device = try? UnixSocket.connect(path: "\(house.folder)/reader", timeoutMilliseconds: 5000)
        return device != nil
      })
    let connection = try #require(device)
    try Files.writeAll(connection, (bytes + picture).span)
    shutdown(connection.number, Int32(SHUT_WR))
    _ = try Poll.wait([PollEntry(connection)], timeoutMilliseconds: 5000)
  }
}
