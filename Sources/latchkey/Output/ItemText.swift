internal import KeychainModel
internal import TerminalIO

/// How a found item is shown. It never holds a value.
struct ItemText {
  let item: FoundItem

  init(_ item: FoundItem) { self.item = item }

  private var attributes: ItemAttributes { item.attributes ?? ItemAttributes() }

  /// The item for programs.
  var json: JSONText {
    var entries: [(String, JSONText)] = [
      ("class", .string(item.itemClass.rawValue)), ("id", .string(Hexadecimal.text(item.identifier.bytes))),
    ]
    for (name, key) in [
      ("service", AttributeKey.service), ("server", .server), ("account", .account), ("label", .label),
    ] {
      if let text = attributes.text(key) { entries.append((name, .exact(text))) }
    }
    entries += [
      ("accessible", .string(item.accessControl.accessibility.name)), ("require", .strings(requirements)),
      ("join", joiner.map(JSONText.string) ?? .null), ("protected", .truth(item.accessControl.isProtected)),
    ]
    for (name, key) in [("created", AttributeKey.creationDate), ("modified", .modificationDate)] {
      if let seconds = attributes.date(key) { entries.append((name, .string(DateText.text(seconds)))) }
    }
    if let dead = item.dead { entries.append(("dead", .string(dead.rawValue))) }
    entries.append(("attributes", .object(attributes.sorted.map { ($0.key.rawValue, Self.json($0.value)) })))
    return .object(entries)
  }

  private static func json(_ value: AttributeValue) -> JSONText {
    switch value {
    case .text(let text): .exact(text)
    case .data(let bytes): .bytes(bytes)
    case .number(let number): .number(number)
    case .date(let seconds): .number(seconds)
    }
  }

  /// The flags that are no joiners.
  private var requirements: [String] { item.accessControl.flags.subtracting([.or, .and]).names }

  private var joiner: String? { item.accessControl.flags.intersection([.or, .and]).names.first }

  /// What the item demands, in few words.
  var protection: String {
    if let dead = item.dead { return "dead: \(dead.rawValue)" }
    if item.accessControl.isProtected, requirements.isEmpty { return "own rules" }
    let glue = joiner.map { " \($0) " } ?? ","
    return requirements.isEmpty ? "-" : requirements.joined(separator: glue)
  }

  /// The columns of ``row``.
  static let heading = ["SERVICE", "ACCOUNT", "LABEL", "REQUIRE", "ACCESSIBLE", "MODIFIED"]

  /// One row of a list. Items that are no passwords show their class where the service would be.
  var row: [String] {
    let place = attributes.text(.service) ?? attributes.text(.server)
    return [
      place.map(Self.cell) ?? "(\(item.itemClass.rawValue))", Self.cell(attributes.text(.account)),
      Self.cell(attributes.text(.label)), protection, item.accessControl.accessibility.name,
      attributes.date(.modificationDate).map(DateText.text) ?? "-",
    ]
  }

  /// Every attribute on a line of its own.
  var lines: String {
    var rows = [
      ["class", item.itemClass.rawValue], ["id", Hexadecimal.text(item.identifier.bytes)],
      ["require", protection], ["accessible", item.accessControl.accessibility.name],
    ]
    for (key, value) in attributes.sorted where key != .accessible && key != .accessControl {
      rows.append([key.title, Self.shown(value)])
    }
    return Table(rows: rows).text
  }

  private static func shown(_ value: AttributeValue) -> String {
    switch value {
    case .text(let text): UntrustedText(text.bytes).whole
    case .data(let bytes): "0x" + Hexadecimal.text(bytes)
    case .number(let number): String(number)
    case .date(let seconds): DateText.text(seconds)
    }
  }

  private static func cell(_ text: ExactText?) -> String {
    guard let text, !text.bytes.isEmpty else { return "-" }
    return UntrustedText(text.bytes).whole
  }
}

extension AttributeKey {
  /// The attribute's name for people; those without one of their own go by Apple's key.
  var title: String {
    switch self {
    case .accessGroup: "group"
    case .synchronizable: "synchronizable"
    case .creationDate: "created"
    case .modificationDate: "modified"
    case .label: "label"
    case .account: "account"
    case .service: "service"
    case .server: "server"
    case .description: "description"
    case .comment: "comment"
    case .protocolType: "protocol"
    case .port: "port"
    case .path: "path"
    default: rawValue
    }
  }
}
