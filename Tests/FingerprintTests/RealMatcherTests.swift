import Foundation
import LinuxSystem
import Testing

import TestSupport

/// The matcher that real readers without one of their own are served by, on pictures of made-up fingers.
@Suite struct RealMatcherTests {
  private let home: FingerHome

  init() throws { home = try FingerHome(.image, finger: nil) }

  @Test func `pictures of a finger open its items, another's do not, and enrolling it anew is another set`() throws {
    let mine = MadeUpFinger(seed: 1)
    let others = MadeUpFinger(seed: 2)
    try enrol(mine, touches: 0..<6)
    try home.add("set", "biometryCurrentSet")
    try home.add("any", "biometryAny")
    let reading = try home.get("set")
    try show(others.picture(touch: 50))
    try reading.person.see("Failed to match fingerprint")
    try show(mine.picture(touch: 50))
    #expect(reading.end() == "secret")
    // A match changed nothing of what is enrolled.
    let again = try home.get("set")
    try show(mine.picture(touch: 51))
    #expect(again.end() == "secret")
    try enrol(mine, touches: 6..<12)
    #expect(try home.get("set").end() == "invalidatedByEnrolment")
    let any = try home.get("any")
    try show(mine.picture(touch: 52))
    #expect(any.end() == "secret")
  }

  private func enrol(_ finger: MadeUpFinger, touches: Range<Int>) throws {
    try home.house.enrol(for: home.account.name, touches: touches) { touch in
      try show(finger.picture(touch: UInt64(touch)))
    }
  }

  /// Columns and rows in four bytes each, then the pixels (libfprint, drivers/virtual-image.c).
  private func show(_ picture: [UInt8]) throws {
    try home.house.waitUntilAsked()
    var bytes: [UInt8] = []
    for number in [MadeUpFinger.size.width, MadeUpFinger.size.height] {
      for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
    var device: OwnedDescriptor?
    #expect(
      eventually {
        device = try? UnixSocket.connect(path: "\(home.house.folder)/reader", timeoutMilliseconds: 5000)
        return device != nil
      })
    let connection = try #require(device)
    try Files.writeAll(connection, (bytes + picture).span)
    shutdown(connection.number, Int32(SHUT_WR))
    _ = try Poll.wait([PollEntry(connection)], timeoutMilliseconds: 5000)
  }
}
