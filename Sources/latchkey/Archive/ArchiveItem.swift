internal import KeychainModel
internal import SecretMemory

/// An item as an archive holds it.
struct ArchiveItem {
  let itemClass: ItemClass
  /// Without what the system sets itself.
  let attributes: ItemAttributes
  let accessControl: AccessControl
  let value: SecretBytes?

  /// What an add never takes: it is set anew.
  static let systemAttributes: Set<AttributeKey> = [.accessible, .accessControl, .creationDate, .modificationDate]

  init(_ itemClass: ItemClass, _ attributes: ItemAttributes, _ accessControl: AccessControl, value: SecretBytes?) {
    self.itemClass = itemClass
    self.attributes = ItemAttributes(attributes.values.filter { !Self.systemAttributes.contains($0.key) })
    self.accessControl = accessControl
    self.value = value
  }

  /// Whether a value follows.
  enum Following { case value, nothing }

  /// Everything but the value.
  var record: [UInt8] {
    var bytes = ArchiveBytes()
    bytes.number(itemClass.number)
    bytes.number(accessControl.accessibility.number)
    bytes.number(accessControl.flags.rawValue)
    bytes.number(UInt8(value == nil ? 0 : 1))
    let rules = ItemOperation.allCases.compactMap { operation in
      accessControl.overrides[operation].map { (operation, $0) }
    }
    bytes.number(UInt8(rules.count))
    for (operation, rule) in rules {
      bytes.number(operation.archiveNumber)
      bytes.rule(rule)
    }
    bytes.number(UInt8(attributes.values.count))
    for (key, value) in attributes.sorted {
      bytes.number(key.number)
      bytes.value(value)
    }
    return bytes.bytes
  }

  /// Reads a record; the value comes in a chunk of its own.
  static func read(_ record: [UInt8]) throws(ArchiveError) -> (item: ArchiveItem, following: Following) {
    var parser = ArchiveParser(record)
    guard let itemClass = ItemClass(number: try parser.number(UInt8.self)),
      let accessibility = Accessibility(number: try parser.number(UInt8.self))
    else { throw .malformed }
    let flags = AccessControlFlags(rawValue: try parser.number(UInt64.self))
    guard flags.isSubset(of: .all) else { throw .malformed }
    let following: Following = try parser.flag() ? .value : .nothing
    var rules: [ItemOperation: OperationRule] = [:]
    for _ in 0..<(try parser.number(UInt8.self)) {
      guard let operation = ItemOperation(archiveNumber: try parser.number(UInt8.self)), rules[operation] == nil else {
        throw .malformed
      }
      rules[operation] = try parser.rule()
    }
    let attributes = try parser.attributes()
    try parser.requireEnd()
    guard let accessControl = try? AccessControl(accessibility: accessibility, flags: flags, overrides: rules) else {
      throw .malformed
    }
    return (ArchiveItem(itemClass, attributes, accessControl, value: nil), following)
  }

  /// The same with its value.
  func with(_ value: SecretBytes) -> ArchiveItem { ArchiveItem(itemClass, attributes, accessControl, value: value) }
}

extension ItemOperation {
  /// 1 for `od`, then in the order of the cases.
  fileprivate var archiveNumber: UInt8 { UInt8((Self.allCases.firstIndex(of: self) ?? 0) + 1) }

  fileprivate init?(archiveNumber: UInt8) {
    guard (1...UInt8(Self.allCases.count)).contains(archiveNumber) else { return nil }
    self = Self.allCases[Int(archiveNumber) - 1]
  }
}

extension ArchiveBytes {
  fileprivate mutating func value(_ value: AttributeValue) {
    switch value {
    case .text(let text):
      number(UInt8(1))
      block(text.bytes)
    case .data(let bytes):
      number(UInt8(2))
      block(bytes)
    case .number(let integer):
      number(UInt8(3))
      number(UInt64(bitPattern: integer))
    case .date(let seconds):
      number(UInt8(4))
      number(seconds.bitPattern)
    }
  }

  fileprivate mutating func rule(_ rule: OperationRule) {
    switch rule {
    case .denied: number(UInt8(0))
    case .allowed: number(UInt8(1))
    case .constrained(let constraint):
      number(UInt8(2))
      self.constraint(constraint)
    }
  }

  private mutating func constraint(_ constraint: Constraint) {
    switch constraint {
    case .userPresence: number(UInt8(1))
    case .passcode: number(UInt8(2))
    case .biometryAny: number(UInt8(3))
    case .biometryCurrentSet: number(UInt8(4))
    case .companion: number(UInt8(5))
    case .anyOf(let list): members(6, list)
    case .allOf(let list): members(7, list)
    }
  }

  private mutating func members(_ tag: UInt8, _ members: [Constraint]) {
    number(tag)
    number(UInt8(members.count))
    for member in members { constraint(member) }
  }
}

extension ArchiveParser {
  /// Deepest nesting of a constraint, as in docs/formats/protocol.md.
  private static let levels = 8
  private static let memberBound = 16

  fileprivate mutating func attributes() throws(ArchiveError) -> ItemAttributes {
    var attributes = ItemAttributes()
    for _ in 0..<(try number(UInt8.self)) {
      guard let key = AttributeKey(number: try number(UInt8.self)), attributes[key] == nil,
        !ArchiveItem.systemAttributes.contains(key)
      else { throw .malformed }
      attributes[key] = try value()
    }
    return attributes
  }

  private mutating func value() throws(ArchiveError) -> AttributeValue {
    switch try number(UInt8.self) {
    case 1: return .text(ExactText(bytes: try block(atMost: ItemLimits.attributeBytes)))
    case 2: return .data(try block(atMost: ItemLimits.attributeBytes))
    case 3: return .number(Int64(bitPattern: try number(UInt64.self)))
    case 4:
      let seconds = Double(bitPattern: try number(UInt64.self))
      guard seconds.isFinite else { throw .malformed }
      return .date(seconds)
    default: throw .malformed
    }
  }

  fileprivate mutating func rule() throws(ArchiveError) -> OperationRule {
    switch try number(UInt8.self) {
    case 0: .denied
    case 1: .allowed
    case 2: .constrained(try constraint(levels: Self.levels))
    default: throw .malformed
    }
  }

  private mutating func constraint(levels: Int) throws(ArchiveError) -> Constraint {
    guard levels > 0 else { throw .malformed }
    switch try number(UInt8.self) {
    case 1: return .userPresence
    case 2: return .passcode
    case 3: return .biometryAny
    case 4: return .biometryCurrentSet
    case 5: return .companion
    case 6: return .anyOf(try members(levels: levels - 1))
    case 7: return .allOf(try members(levels: levels - 1))
    default: throw .malformed
    }
  }

  private mutating func members(levels: Int) throws(ArchiveError) -> [Constraint] {
    let count = Int(try number(UInt8.self))
    guard count <= Self.memberBound else { throw .malformed }
    var members: [Constraint] = []
    for _ in 0..<count { members.append(try constraint(levels: levels)) }
    return members
  }
}
