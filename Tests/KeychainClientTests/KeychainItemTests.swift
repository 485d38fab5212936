import KeychainModel
import KeychainWire
import SecretMemory
import Synchronization
import TestSupport
import Testing

@testable import KeychainClient

@Suite struct KeychainItemTests {
  let folder: ScratchFolder
  init() throws { folder = try ScratchFolder() }
  var path: String { folder.path + "/socket" }

  static func item(_ number: UInt64, value: SecretIndex? = nil) -> FoundItem {
    FoundItem(
      identifier: ItemIdentifier(high: 0, low: number), itemClass: .genericPassword, attributes: nil,
      accessControl: .unconstrained(.whenUnlocked), value: value)
  }

  /// A daemon with so many items, ten to a page; it keeps to the limit of each request.
  func paging(_ count: UInt64) throws -> FakeDaemon {
    try FakeDaemon(path) { socket, message in
      guard case .request(.find(let find), _) = message.body else { return }
      let first = find.after ?? 0
      let last = min(first + min(10, find.query.limit.most), count)
      let next = last < count ? last : nil
      let items = (first..<last).map { Self.item($0, value: SecretIndex($0 - first)) }
      let secrets = try (first..<last).map { try secret("value \($0)") }
      try socket.send(message.reply(.found(FindReply(items: items, hidden: 3, next: next)), secrets: secrets))
    }
  }

  @Test(arguments: [
    (MatchLimit.all, 25, 25, 3), (.all, 10, 10, 1), (.all, 0, 0, 1), (.one, 25, 1, 1), (.count(10), 25, 10, 1),
    (.count(11), 25, 11, 2), (.count(12), 25, 12, 2), (.count(40), 25, 25, 3),
  ])
  func `pages are followed to the limit and not beyond`(limit: MatchLimit, stored: UInt64, found: Int, pages: Int)
    throws
  {
    let daemon = try paging(stored)
    let query = ItemQuery(itemClass: .genericPassword, limit: limit)
    let result = try keychain(at: path).find(query, returning: .data)
    #expect(result.items.map(\.item.identifier.low) == Array(0..<UInt64(found)))
    #expect(result.hidden == 3)
    for (place, match) in result.items.enumerated() {
      #expect(bytes(try #require(match.value)) == Array("value \(place)".utf8))
    }
    #expect(daemon.received.count == pages)
  }

  @Test func `a daemon that pages in a circle is refused`() throws {
    let daemon = try FakeDaemon(path) { socket, message in
      try socket.send(message.reply(.found(FindReply(items: [], hidden: 0, next: 5))))
    }
    #expect(
      reason { _ = try keychain(at: path).find(ItemQuery(itemClass: .key, limit: .all), returning: []) }
        == .protocolMismatch)
    #expect(daemon.received.count == 2)
  }

  /// The value of a query that the daemon answers with this page.
  func value(_ page: FindReply, _ secrets: [SecretBytes] = []) throws -> [UInt8] {
    let daemon = try FakeDaemon(path) { socket, message in
      try socket.send(message.reply(.found(page), secrets: secrets))
    }
    defer { daemon.stop() }
    return bytes(try keychain(at: path).value(.genericPassword(service: "s", account: "a")))
  }

  @Test func `a value that is not there says why`() throws {
    let one = FindReply(items: [Self.item(1, value: 0)], hidden: 0, next: nil)
    #expect(try value(one, [try secret("v")]) == Array("v".utf8))
    #expect(reason { _ = try value(FindReply(items: [], hidden: 0, next: nil)) } == .itemNotFound)
    #expect(reason { _ = try value(FindReply(items: [], hidden: 1, next: nil)) } == .keybagLocked)
    #expect(reason { _ = try value(FindReply(items: [Self.item(1)], hidden: 0, next: nil)) } == .itemNotFound)
    var dead = Self.item(1)
    dead.dead = .invalidatedByEnrolment
    #expect(reason { _ = try value(FindReply(items: [dead], hidden: 0, next: nil)) } == .invalidatedByEnrolment)
  }

  @Test func `existence is told from absence and from a locked class`() throws {
    let answers = Mutex<[KeychainReply]>([
      .found(FindReply(items: [Self.item(1)], hidden: 0, next: nil)), .refused(Refusal(.itemNotFound)),
      .found(FindReply(items: [], hidden: 0, next: nil)), .found(FindReply(items: [], hidden: 1, next: nil)),
      .refused(Refusal(.storeDamaged)),
    ])
    let daemon = try FakeDaemon(path) { socket, message in
      try socket.send(message.reply(answers.withLock { $0.removeFirst() }))
    }
    let keychain = keychain(at: path)
    let query = ItemQuery.genericPassword(service: "s", account: "a")
    #expect(try keychain.exists(query))
    #expect(try !keychain.exists(query))
    #expect(try !keychain.exists(query))
    #expect(reason { _ = try keychain.exists(query) } == .keybagLocked)
    #expect(reason { _ = try keychain.exists(query) } == .storeDamaged)
    withExtendedLifetime(daemon) {}
  }

  @Test(arguments: [(1_048_575, nil), (1_048_576, nil), (1_048_577, Reason.valueTooLarge)])
  func `a value above 1 MiB is refused before anything is sent`(count: Int, expected: Reason?) throws {
    let lengths = Mutex<[Int]>([])
    let daemon = try FakeDaemon(path) { socket, message in
      lengths.withLock { $0 += message.secrets.map(\.count) }
      if case .request(.add, _) = message.body { return try socket.send(message.reply(.added(Self.item(1)))) }
      try socket.send(message.reply(.done(count: 1)))
    }
    let keychain = keychain(at: path)
    let value = try SecretBytes(count: count)
    let query = ItemQuery.genericPassword(service: "s", account: "a")
    #expect(reason { try keychain.add(NewItem(service: "s", account: "a", value: value)) } == expected)
    #expect(reason { try keychain.update(query, ItemChanges(value: value)) } == expected)
    #expect(reason { try keychain.delete(query, onlyIfValue: value) } == expected)
    #expect(lengths.withLock { $0 } == (expected == nil ? [count, count, count] : []))
    #expect(daemon.received.count == (expected == nil ? 3 : 0))
  }

  @Test func `a set is an add that replaces, and an application password goes along`() throws {
    let passwords = Mutex<[[UInt8]]>([])
    let daemon = try FakeDaemon(path) { socket, message in
      passwords.withLock { $0 = message.secrets.map(bytes) }
      try socket.send(message.reply(.added(Self.item(1))))
    }
    let keychain = keychain(at: path)
    try keychain.set(
      NewItem(service: "s", account: "a", value: try secret("v")),
      options: CallOptions(reason: "because", applicationPassword: try secret("p")))
    guard case .request(.add(let add), let options) = daemon.received.first else {
      Issue.record("no add arrived")
      return
    }
    #expect(add.onDuplicate == .replace)
    #expect(add.value == 0 && options.applicationPassword == 1)
    #expect(options.reason == "because")
    #expect(passwords.withLock { $0 } == [Array("v".utf8), Array("p".utf8)])
  }

  @Test func `what is too long for a frame is refused before anything is sent`() throws {
    let daemon = try FakeDaemon(path) { _, _ in }
    let long = ExactText(String(repeating: "s", count: ItemLimits.attributeBytes + 1))
    #expect(
      reason { _ = try keychain(at: path).value(.genericPassword(service: long, account: "a")) } == .invalidParameter)
    #expect(daemon.received.isEmpty)
  }
}
