import Foundation
import LinuxSystem
import Testing

import SystemBus
import TestSupport

/// The connection to a real bus.
@Suite struct BusTests {
  private static var soon: UInt64 { Clock.boottime + 10_000_000_000 }

  @Test func `the bus gives a name, answers, and names its errors`() throws {
    let house = try FingerprintHouse(.none)
    let bus = try BusConnection(try #require(BusAddress(house.busAddress)), until: Self.soon)
    #expect(bus.name.hasPrefix(":1."))
    #expect(try bus.callBus("GetNameOwner", [.text(bus.name)], until: Self.soon).first?.string == bus.name)
    #expect(throws: BusError.refused("org.freedesktop.DBus.Error.NameHasNoOwner")) {
      try bus.callBus("GetNameOwner", [.text("no.such.name")], until: Self.soon)
    }
    #expect(throws: BusError.refused("org.freedesktop.DBus.Error.NameHasNoOwner")) {
      try bus.call(.call("no.such.name", "/a", "b.c", "D"), until: Self.soon)
    }
    #expect(throws: BusError.malformed) { try bus.callBus("GetNameOwner", [.text("a\0b")], until: Self.soon) }
  }

  @Test func `values arrive as they were sent`() throws {
    let house = try FingerprintHouse(.none)
    let address = try #require(BusAddress(house.busAddress))
    let (sender, receiver) = (
      try BusConnection(address, until: Self.soon), try BusConnection(address, until: Self.soon)
    )
    try receiver.callBus("AddMatch", [.text("type='signal',interface='x.y'")], until: Self.soon)
    let ends = try OwnedDescriptor.pipe()
    let body: [BusValue] = [
      .boolean(true), .boolean(false), .number(.max), .text("ö\u{1F512}"), .objectPath("/a/b"),
      .array(of: "s", [.text("1"), .text("2")]), .array(of: "o", []), .array(of: "av", [.array(of: "v", [])]),
      .variant(.variant(.text("deep"))),
      .structure([.number(7), .objectPath("/c"), .structure([.boolean(true)])]), .variant(.structure([.text("in")])),
      .descriptor(ends.writing),
    ]
    try sender.send(.signal("/p", "x.y", "Z", body))
    var came = try receiver.next(until: Self.soon)
    while came.member != "Z" { came = try receiver.next(until: Self.soon) }
    #expect(came.sender == sender.name && came.path == "/p" && came.kind == .signal)
    #expect("\(came.body.dropLast())" == "\(body.dropLast())")
    guard case .descriptor(let end)? = came.body.last else {
      Issue.record("no descriptor came")
      return
    }
    try Files.writeAll(end, [7].span)
    var byte: [UInt8] = [0]
    var span = byte.mutableSpan
    #expect(try Files.read(ends.reading, into: &span) == 1 && byte == [7])
  }

  @Test func `a service that hangs is given up in time, and the connection serves on`() throws {
    let house = try FingerprintHouse()
    let bus = try BusConnection(try #require(BusAddress(house.busAddress)), until: Self.soon)
    try house.hangReader()
    let question = BusMessage.call(
      "net.reactivated.Fprint", "/net/reactivated/Fprint/Manager", "net.reactivated.Fprint.Manager", "GetDevices")
    let spent = milliseconds {
      #expect(throws: BusError.timedOut) { try bus.call(question, until: Clock.boottime + 200_000_000) }
    }
    #expect(spent >= 200)
    try house.wakeReader()
    #expect(try bus.call(question, until: Self.soon).first?.elements?.count == 1)
    #expect(throws: BusError.timedOut) { try bus.call(question, until: Clock.boottime) }
  }

  @Test func `a bus that goes away is absent, also one that never answers`() throws {
    let house = try FingerprintHouse(.none)
    let address = try #require(BusAddress(house.busAddress))
    let bus = try BusConnection(address, until: Self.soon)
    house.killBus()
    #expect(throws: BusError.self) { try bus.callBus("ListNames", until: Self.soon) }
    #expect {
      _ = try BusConnection(address, until: Self.soon)
    } throws: {
      if case BusError.absent = $0 { true } else { false }
    }
    // A socket that takes connections and says nothing.
    let silent = "\(house.folder)/silent"
    let listener = try UnixSocket.listen(path: silent, mode: 0o600, backlog: 4)
    let spent = milliseconds {
      #expect(throws: BusError.timedOut) {
        _ = try BusConnection(BusAddress(path: silent), until: Clock.boottime + 300_000_000)
      }
    }
    #expect(spent >= 300 && spent < 20_000)
    withExtendedLifetime(listener) {}
  }

  @Test func `an address is a socket in the file system and nothing else`() {
    #expect(BusAddress("unix:path=/run/dbus/system_bus_socket") == .system)
    let longest = "/" + String(repeating: "a", count: 106)
    #expect(BusAddress("unix:path=\(longest)") != nil)
    for text in [
      "", "unix:path=", "unix:path=a", "unix:abstract=/a", "tcp:host=a", "unixexec:path=/bin/sh",
      "unix:path=/a;unix:path=/b", "unix:path=/a,guid=1", "unix:path=/%61", "unix:path=\(longest)a", "unix:path=/a b",
    ] { #expect(BusAddress(text) == nil, "\(text)") }
  }
}
