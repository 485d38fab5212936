import KeychainModel
import SecretMemory
import TestSupport
import Testing

@testable import ItemStore

@Suite struct RoundTripTests {
  @Test func `Random bytes in every text come back after a restart`() throws {
    let fixture = try StoreFixture()
    var generator = SeededGenerator(seed: 42)
    let nasty: [[UInt8]] = [
      [], [0], [10], [0xff, 0xfe], Array("]]>".utf8), Array("e\u{301}".utf8), Array("\u{e9}".utf8),
    ]
    var expected: [ItemIdentifier: (ItemAttributes, [UInt8])] = [:]
    for round in 0..<120 {
      func bytes() -> [UInt8] {
        if round < nasty.count { return nasty[round] }
        return (0..<Int.random(in: 0...60, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) }
      }
      let attributes = ItemAttributes([
        .service: .text(ExactText(bytes: bytes())),
        .account: round % 2 == 0 ? .data(bytes()) : .text(ExactText(bytes: bytes())),
        .label: .text(ExactText(bytes: bytes())), .generic: .data(bytes()), .creator: .number(Int64(round) << 40),
        .comment: .text(ExactText(bytes: bytes() + [UInt8(round)])),
      ])
      let value = bytes()
      let item = NewItem(
        itemClass: .genericPassword, attributes: attributes, accessControl: .unconstrained(.whenUnlocked),
        value: try StoreFixture.secret(value))
      let added: AddedItem
      do { added = try fixture.store.add(item, keys: fixture.keys, now: 1) } catch StoreError.duplicateItem { continue }
      expected[added.identifier] = (attributes, value)
    }
    #expect(expected.count > 100)
    try fixture.reopen()
    for (identifier, (attributes, value)) in expected {
      var query = ItemQuery(itemClass: .genericPassword, attributes: attributes)
      query.attributes[.comment] = nil
      let item = try #require(try fixture.find(query).first { $0.identifier == identifier })
      var found = try #require(item.attributes)
      found[.creationDate] = nil
      found[.modificationDate] = nil
      #expect(found == attributes)
      #expect(try fixture.open(item).value?.unprotectedCopy() == value)
    }
  }

  @Test(arguments: [0, 1, 511, 512, 513, 4096, 1_048_575, 1_048_576])
  func `A value of every allowed size comes back byte for byte`(size: Int) throws {
    let fixture = try StoreFixture()
    let value = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
    try fixture.add("sized", value: value)
    try fixture.reopen()
    #expect(try fixture.value("sized") == value)
  }

  @Test func `A value of 1 MiB and a byte is refused before anything is written`() throws {
    let fixture = try StoreFixture()
    try fixture.add("kept", value: [1])
    let before = try fixture.files()
    let large = [UInt8](repeating: 1, count: 1_048_577)
    #expect(throws: StoreError.valueTooLarge) { try fixture.add("big", value: large) }
    #expect(throws: StoreError.valueTooLarge) {
      try fixture.update(StoreFixture.query("kept")) { $0.value = try StoreFixture.secret(large) }
    }
    #expect(try fixture.files() == before)
    #expect(try fixture.value("kept") == [1])
  }

  @Test func `Attributes are bounded one by one and together`() throws {
    let fixture = try StoreFixture()
    func add(_ sizes: [(AttributeKey, Int)]) throws {
      var attributes = ItemAttributes([.service: .text("s"), .account: .data(Array(String(fixture.now).utf8))])
      for (key, size) in sizes { attributes[key] = .data([UInt8](repeating: 1, count: size)) }
      fixture.now += 1
      _ = try fixture.store.add(
        NewItem(
          itemClass: .genericPassword, attributes: attributes, accessControl: .unconstrained(.always), value: nil),
        keys: fixture.keys, now: fixture.now)
    }
    try add([(.generic, 4095)])
    try add([(.generic, 4096)])
    #expect(throws: StoreError.attributesTooLarge) { try add([(.generic, 4097)]) }
    let keys: [AttributeKey] = [.generic, .label, .description, .comment, .alias, .creator, .type]
    try add(keys.map { ($0, 4096) })
    #expect(throws: StoreError.attributesTooLarge) { try add((keys + [.scriptCode]).map { ($0, 4096) }) }
  }

  @Test func `Attributes of another class and of the system are refused`() throws {
    let fixture = try StoreFixture()
    for key in [AttributeKey.server, .accessControl, .accessible, .creationDate, .modificationDate] {
      var attributes = ItemAttributes([.service: .text("s")])
      attributes[key] = .text("x")
      #expect(throws: StoreError.attributeRefused(key)) {
        try fixture.store.add(
          NewItem(
            itemClass: .genericPassword, attributes: attributes, accessControl: .unconstrained(.always), value: nil),
          keys: fixture.keys, now: 1)
      }
    }
  }

  @Test func `An item without a value opens without one`() throws {
    let fixture = try StoreFixture()
    try fixture.add("empty", value: nil)
    #expect(try fixture.one("empty").valueBytes == nil)
    #expect(try fixture.value("empty") == nil)
  }

  @Test(arguments: ItemClass.allCases)
  func `Every class can be stored and found`(itemClass: ItemClass) throws {
    let fixture = try StoreFixture()
    let attributes = ItemAttributes([.label: .text("here")])
    let item = NewItem(
      itemClass: itemClass, attributes: attributes, accessControl: .unconstrained(.always), value: try .random(count: 9)
    )
    _ = try fixture.store.add(item, keys: fixture.keys, now: 1)
    for other in ItemClass.allCases {
      let found = try fixture.find(ItemQuery(itemClass: other, attributes: attributes))
      #expect(found.count == (other == itemClass ? 1 : 0))
    }
  }

  @Test func `Every access control survives its encoding, and no other bytes pass`() throws {
    var generator = SeededGenerator(seed: 3)
    for accessibility in Accessibility.allCases {
      for bits in 0..<512 {
        let flags = AccessControlFlags(
          AccessControlFlags.named.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element.flag))
        guard let made = try? AccessControl(accessibility: accessibility, flags: flags) else { continue }
        #expect(AccessControl(encoded: made.encoded) == made)
        #expect(AccessControl(encoded: made.encoded + [0]) == nil)
        #expect(AccessControl(encoded: made.encoded.dropLast()) == nil)
      }
    }
    let plain = try AccessControl(accessibility: .always).encoded
    for bit in 0..<64 where AccessControlFlags.all.rawValue >> bit & 1 == 0 {
      var bytes = plain
      bytes[1 + bit / 8] |= 1 << UInt8(bit % 8)
      #expect(AccessControl(encoded: bytes) == nil, "flag \(bit) is none that is known")
    }
    let deep = (0..<7).reduce(Constraint.passcode) { tree, _ in .anyOf([tree, .userPresence]) }
    for (rule, fits) in [
      (OperationRule.denied, true), (.constrained(deep), true), (.constrained(.allOf([deep])), false),
    ] {
      let made = try AccessControl(accessibility: .always, overrides: [.delete: rule, .sign: .allowed])
      #expect((AccessControl(encoded: made.encoded) == made) == fits)
    }
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0...30, using: &generator)).map { _ in UInt8.random(in: 0...9, using: &generator)
      }
      if let decoded = AccessControl(encoded: bytes) { #expect(decoded.encoded == bytes) }
      _ = ItemAttributes(encoded: bytes)
      _ = KeybagRecord(encoded: bytes)
    }
  }
}
