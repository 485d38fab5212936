import Foundation
import KeychainModel
import SecretMemory
import TerminalIO
import Testing

@testable import latchkey

@Suite struct OutputTests {
  @Test(arguments: [
    (0.0, "1970-01-01T00:00:00Z"), (-1.0, "1969-12-31T23:59:59Z"), (951_782_399.0, "2000-02-28T23:59:59Z"),
    (951_782_400.5, "2000-02-29T00:00:00Z"), (4_107_542_400.0, "2100-03-01T00:00:00Z"),
    (253_402_300_799.0, "9999-12-31T23:59:59Z"), (-62_167_219_200.0, "0000-01-01T00:00:00Z"),
    (253_402_300_800.0, "253402300800.0"), (Double.infinity, "inf"),
  ])
  func `dates are written in UTC`(seconds: Double, text: String) { #expect(DateText.text(seconds) == text) }

  @Test func `JSON keeps every text exact`() throws {
    let text = "q\" b\\ n\n t\t nul\u{0} c1\u{9B} ü 🔑 \u{2028}"
    let shown = JSONText.object(["a": .string(text), "b": .exact(ExactText(bytes: [0xFF, 0x0A]))]).text
    let read = try json(shown)
    #expect(read["a"] as? String == text)
    #expect((read["b"] as? [String: String]) == ["hex": "ff0a"])
    #expect(!shown.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
  }

  @Test(
    arguments: [
      ("{}", []), (#"{"a":"b"}"#, [("a", "b")]), (#" { "a" : 1.5 , "b" : null } "#, [("a", "1.5"), ("b", nil)]),
      (#"{"a":"\"\\\n\u00e9\ud83d\udd11"}"#, [("a", "\"\\\né🔑")]), (#"{"a":true}"#, [("a", "true")]),
    ] as [(String, [(String, String?)])])
  func `a log line is read`(line: String, entries: [(String, String?)]) throws {
    let read = try #require(FlatJSON(line))
    #expect(read.entries == entries.map { FlatJSON.Entry(key: $0.0, value: $0.1) })
  }

  @Test(arguments: [
    "", "x", "{", #"{"a"}"#, #"{"a":}"#, #"{"a":"b"#, #"{"a":[1]}"#, #"{"a":"b"} x"#, #"{"a":"\ud83d"}"#,
    #"{"a":"\q"}"#,
  ])
  func `what is no log line is not`(line: String) { #expect(FlatJSON(line) == nil) }

  @Test func `columns stand under one another`() {
    #expect(Table(rows: [["a", "bb", ""], ["ccc", "", "d"]]).text == "a    bb\nccc      d\n")
    #expect(Table(rows: [["a", "b"]], widths: [4]).text == "a     b\n")
  }

  @Test func `decisions are shown in columns, and what is none as it is`() {
    let line = #"{"time":0,"pid":7,"program":"/bin/x","service":"a\u001b[2J","action":"read","method":"passcode"}"#
    let table = DecisionTable([line, "not a record"]).text
    #expect(
      table == """
        TIME                  SERVICE     ACTION  OUTCOME  METHOD    PROGRAM
        1970-01-01T00:00:00Z  a\\u{1B}[2J  read    allowed  passcode  /bin/x (7)
        not a record

        """)
    #expect(DecisionTable([]).text.isEmpty)
  }

  static let item: FoundItem = {
    let attributes = ItemAttributes([
      .service: .text("mail"), .account: .text(ExactText(bytes: [0x62, 0xFF])), .label: .text("a\u{1B}b"),
      .creationDate: .date(0), .modificationDate: .date(86_400), .generic: .data([1, 2]), .port: .number(-1),
    ])
    return FoundItem(
      identifier: ItemIdentifier(high: 1, low: 2), itemClass: .genericPassword, attributes: attributes,
      accessControl: try! AccessControl(accessibility: .whenUnlocked, flags: [.biometryAny, .devicePasscode, .or]),
      value: nil)
  }()

  @Test func `an item is shown escaped to people and exact to programs`() throws {
    #expect(
      ItemText(Self.item).row == [
        "mail", "b\\xFF", "a\\u{1B}b", "biometryAny or devicePasscode", "whenUnlocked", "1970-01-02T00:00:00Z",
      ])
    #expect(ItemText(Self.item).lines.contains("gena        0x0102\n"))
    let read = try json(ItemText(Self.item).json.text)
    #expect(read["service"] as? String == "mail" && read["label"] as? String == "a\u{1B}b")
    #expect(read["account"] as? [String: String] == ["hex": "62ff"])
    #expect(read["require"] as? [String] == ["biometryAny", "devicePasscode"] && read["join"] as? String == "or")
    #expect(
      read["id"] as? String == "00000000000000010000000000000002"
        && read["created"] as? String == "1970-01-01T00:00:00Z")
    #expect((read["attributes"] as? [String: Any])?["port"] as? Int == -1)
  }

  @Test func `findings stand with the worst first and their command under them`() {
    let findings = [
      DoctorFinding(level: .fine, check: "a", text: "good"),
      DoctorFinding(level: .broken, check: "keyring", text: "gone", command: "reboot"),
    ]
    #expect(
      FindingsText(findings).lines == """
        broken  keyring  gone
                         run: reboot
        fine    a        good

        """)
  }

  @Test(arguments: 0...10) func `base64 is what everybody else's is`(count: Int) throws {
    let bytes = (0..<count).map { UInt8($0 * 37 & 0xFF) }
    let text = try Base64Writer.encode(try SecretBytes(copying: bytes), 0..<count)
    let read = text.withSpan { span in String(decoding: span.indices.map { span[$0] }, as: UTF8.self) }
    #expect(read == Data(bytes).base64EncodedString())
  }

  @Test(arguments: [("ABCD-1234", true), ("", true), ("a b", false), ("a\"b", false), ("\u{1B}", false)])
  func `a recovery key is plain`(text: String, isPlain: Bool) throws {
    #expect(RecoveryKeyCommand.isPlain(try SecretBytes(copying: Array(text.utf8))) == isPlain)
  }
}
