import KeychainModel
import TestSupport
import Testing

struct AttributeTests {
  /// Every attribute in the order of its number, by Apple's four letters. Sealed metadata and frames hold the numbers:
  /// a row is never moved, new ones go to the end.
  static let pinned = """
    agrp sync pdmn accc cdat mdat labl acct svce gena desc icmt crtr type invi nega scrp alis sdmn srvr ptcl atyp port \
    path ctyp cenc subj issr slnr skid pkhh kcls klbl atag bsiz esiz sdat edat perm encr decr drve sign vrfy wrap unwp \
    sens extr
    """.split(separator: " ").map(String.init)

  @Test func `every attribute has its number and keeps it`() throws {
    #expect(AttributeKey.allCases.count == Self.pinned.count)
    for (place, letters) in Self.pinned.enumerated() {
      let key = try #require(AttributeKey(rawValue: letters))
      #expect(key.number == UInt8(place + 1), "\(letters)")
      #expect(AttributeKey(number: UInt8(place + 1)) == key)
    }
    #expect(AttributeKey(number: 0) == nil)
    #expect(AttributeKey(number: UInt8(Self.pinned.count + 1)) == nil)
    #expect(AttributeKey(number: 255) == nil)
    #expect(AttributeKey.keyType == .type)
  }

  @Test func `kinds are these; the rest is text`() {
    let kinds: [(AttributeKind, String)] = [
      (.date, "cdat mdat sdat edat"),
      (.data, "gena subj issr slnr skid pkhh klbl atag accc"),
      (
        .number,
        "sync crtr type invi nega scrp port ctyp cenc kcls bsiz esiz perm encr decr drve sign vrfy wrap unwp sens extr"
      ),
      (.text, "agrp pdmn labl acct svce desc icmt alis sdmn srvr ptcl atyp path"),
    ]
    var seen = 0
    for (kind, letters) in kinds {
      for letter in letters.split(separator: " ") {
        seen += 1
        #expect(AttributeKey(rawValue: String(letter))?.kind == kind, "\(letter)")
      }
    }
    #expect(seen == AttributeKey.allCases.count)
  }

  /// Class, number, primary key and what else it may carry besides the common seven.
  static let classes: [(letters: String, number: UInt8, primaryKey: String, attributes: String)] = [
    ("genp", 1, "agrp sync acct svce", "acct desc icmt crtr type invi nega scrp alis svce gena"),
    (
      "inet", 2, "agrp sync acct sdmn srvr ptcl atyp port path",
      "acct desc icmt crtr type invi nega scrp alis sdmn srvr ptcl atyp port path"
    ),
    ("cert", 3, "agrp sync ctyp issr slnr", "ctyp cenc subj issr slnr skid pkhh alis"),
    (
      "keys", 4, "agrp sync kcls klbl atag crtr type bsiz esiz sdat edat",
      "kcls klbl atag crtr type bsiz esiz sdat edat perm encr decr drve sign vrfy wrap unwp sens extr"
    ),
    (
      "idnt", 5, "agrp sync ctyp issr slnr klbl",
      "ctyp cenc subj issr slnr skid pkhh alis kcls klbl atag crtr type bsiz esiz sdat edat perm encr decr drve sign "
        + "vrfy wrap unwp sens extr"
    ),
  ]

  @Test func `every class has Apple's letters, primary key and attributes`() throws {
    let common = "agrp sync pdmn accc cdat mdat labl "
    #expect(ItemClass.allCases.count == Self.classes.count)
    for row in Self.classes {
      let one = try #require(ItemClass(rawValue: row.letters))
      #expect(one.number == row.number && ItemClass(number: row.number) == one)
      #expect(one.primaryKey.map(\.rawValue) == row.primaryKey.split(separator: " ").map(String.init))
      let attributes = Set((common + row.attributes).split(separator: " ").map(String.init))
      #expect(Set(one.attributes.map(\.rawValue)) == attributes, "\(row.letters)")
      #expect(Set(one.primaryKey).isSubset(of: one.attributes))
    }
    #expect(ItemClass(number: 0) == nil && ItemClass(number: 6) == nil)
  }

  @Test func `what never tells items apart is in no primary key`() {
    let never: Set<AttributeKey> = [
      .accessible, .accessControl, .label, .generic, .description, .comment, .creationDate, .modificationDate,
    ]
    for one in ItemClass.allCases { #expect(never.isDisjoint(with: one.primaryKey), "\(one)") }
  }

  @Test func `text and data of the same bytes match, and nothing is normalised`() {
    let text = AttributeValue.text("caf\u{E9}")
    #expect(text.matches(.data([0x63, 0x61, 0x66, 0xC3, 0xA9])))
    #expect(!text.matches(.text("cafe\u{301}")))
    #expect(!text.matches(.text("Caf\u{E9}")))
    #expect(text != .data([0x63, 0x61, 0x66, 0xC3, 0xA9]), "they match and still come back as they came")
  }

  @Test func `numbers and dates are hashed as eight bytes, little-endian`() {
    #expect(AttributeValue.number(1).matchingBytes == [1, 0, 0, 0, 0, 0, 0, 0])
    #expect(AttributeValue.number(-2).matchingBytes == [0xFE] + Array(repeating: 0xFF, count: 7))
    #expect(AttributeValue.number(.min).matchingBytes == Array(repeating: 0, count: 7) + [0x80])
    #expect(AttributeValue.date(1).matchingBytes == [0, 0, 0, 0, 0, 0, 0xF0, 0x3F])
    #expect(AttributeValue.text("").matchingBytes == [])
  }

  @Test func `attributes are read by their kind and sorted by their number`() {
    let attributes = ItemAttributes([
      .service: .text("s"), .account: .data([0xFF]), .port: .number(22), .creationDate: .date(1.5),
    ])
    #expect(attributes.text(.service) == "s")
    #expect(attributes.text(.account) == ExactText(bytes: [0xFF]), "data serves where text is asked for")
    #expect(attributes.text(.port) == nil && attributes.number(.port) == 22)
    #expect(attributes.number(.service) == nil)
    #expect(attributes.date(.creationDate) == 1.5 && attributes.date(.port) == nil)
    #expect(attributes.sorted.map(\.key) == [.creationDate, .account, .service, .port])
    #expect(attributes[.label] == nil)
  }

  @Test func `attributes are what a dictionary of them is, in the order of their numbers, however they came`() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<200 {
      var expected: [AttributeKey: AttributeValue] = [:]
      var attributes = ItemAttributes()
      for step in 0..<Int.random(in: 0...40, using: &generator) {
        let key = AttributeKey.allCases.randomElement(using: &generator) ?? .label
        let value: AttributeValue? = Int.random(in: 0..<4, using: &generator) == 0 ? nil : .number(Int64(step))
        expected[key] = value
        attributes[key] = value
      }
      #expect(attributes.values == expected)
      #expect(attributes == ItemAttributes(expected) && attributes.hashValue == ItemAttributes(expected).hashValue)
      #expect(attributes.entries.map(\.key.number) == expected.keys.map(\.number).sorted())
      #expect(attributes.isEmpty == expected.isEmpty)
      for key in AttributeKey.allCases { #expect(attributes[key] == expected[key]) }
      attributes.values[.label] = .text("L")
      #expect(attributes.text(.label) == "L")
      #expect(attributes.entries.count == expected.count + (expected[.label] == nil ? 1 : 0))
    }
  }

  @Test func `wire numbers of the small enumerations stay these`() {
    #expect(SynchronizableFilter.allCases.map(\.rawValue) == [0, 1, 2])
    #expect([SynchronizableFilter.local, .synchronized, .any].map(\.rawValue) == [0, 1, 2])
    #expect([InteractionMode.allow, .fail, .skip].map(\.rawValue) == [0, 1, 2])
    #expect([DuplicateRule.refuse, .replace].map(\.rawValue) == [0, 1])
    #expect([ReturnedParts.data, .attributes, .persistentReference, .reference].map(\.rawValue) == [1, 2, 4, 8])
  }
}
