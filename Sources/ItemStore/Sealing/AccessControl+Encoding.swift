internal import KeychainModel

/// An access control as it stands in the `access` column and in associated data.
///
/// accessibility (1) | flags (8) | count of overrides (1) | for each, in the order of operations: operation (1), rule.
/// A rule is 0 (denied), 1 (allowed) or 2 and a constraint; a constraint is its number (1 to 5), or 6 (any of) or 7 (all of)
/// with the count of its members (1) and the members.
extension AccessControl {
  /// The canonical bytes: the same access control always gives the same ones.
  var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.byte(accessibility.number)
    writer.fixed(flags.rawValue)
    guard !overrides.isEmpty else {
      writer.byte(0)
      return writer.bytes
    }
    let rules = ItemOperation.allCases.enumerated().compactMap { index, operation in
      overrides[operation].map { (UInt8(index + 1), $0) }
    }
    writer.byte(UInt8(rules.count))
    for (operation, rule) in rules {
      writer.byte(operation)
      writer.rule(rule)
    }
    return writer.bytes
  }

  /// The access control these bytes stand for, or `nil` where they are not canonical or break a combination rule.
  init?(encoded bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard let number = reader.byte(), let accessibility = Accessibility(number: number),
      let flags = reader.fixed(UInt64.self), let count = reader.byte(), Int(count) <= ItemOperation.allCases.count
    else { return nil }
    if count == 0 {
      // As nearly every item has it: canonical where nothing follows and no flag is one that is not known.
      guard reader.isAtEnd,
        let made = try? AccessControl(accessibility: accessibility, flags: AccessControlFlags(rawValue: flags)),
        made.flags.rawValue == flags
      else { return nil }
      self = made
      return
    }
    var overrides: [ItemOperation: OperationRule] = [:]
    for _ in 0..<count {
      guard let index = reader.byte(), index >= 1, Int(index) <= ItemOperation.allCases.count,
        let rule = reader.rule()
      else { return nil }
      overrides[ItemOperation.allCases[Int(index) - 1]] = rule
    }
    guard reader.isAtEnd,
      let made = try? AccessControl(
        accessibility: accessibility, flags: AccessControlFlags(rawValue: flags), overrides: overrides),
      made.encoded == bytes
    else { return nil }
    self = made
  }
}

extension ByteWriter {
  fileprivate mutating func rule(_ rule: OperationRule) {
    switch rule {
    case .denied: byte(0)
    case .allowed: byte(1)
    case .constrained(let constraint):
      byte(2)
      self.constraint(constraint)
    }
  }

  private mutating func constraint(_ constraint: Constraint) {
    switch constraint {
    case .userPresence: byte(1)
    case .passcode: byte(2)
    case .biometryAny: byte(3)
    case .biometryCurrentSet: byte(4)
    case .companion: byte(5)
    case .anyOf(let members): self.members(6, members)
    case .allOf(let members): self.members(7, members)
    }
  }

  private mutating func members(_ tag: UInt8, _ members: [Constraint]) {
    byte(tag)
    byte(UInt8(clamping: members.count))
    for member in members.prefix(255) { constraint(member) }
  }
}

extension ByteReader {
  fileprivate mutating func rule() -> OperationRule? {
    switch byte() {
    case 0: .denied
    case 1: .allowed
    case 2: constraint(depth: 0).map(OperationRule.constrained)
    default: nil
    }
  }

  /// A tree deeper than 8 is refused: a damaged row must not exhaust the stack.
  private mutating func constraint(depth: Int) -> Constraint? {
    guard depth < 8 else { return nil }
    switch byte() {
    case 1: return .userPresence
    case 2: return .passcode
    case 3: return .biometryAny
    case 4: return .biometryCurrentSet
    case 5: return .companion
    case 6: return members(depth: depth).map(Constraint.anyOf)
    case 7: return members(depth: depth).map(Constraint.allOf)
    default: return nil
    }
  }

  private mutating func members(depth: Int) -> [Constraint]? {
    guard let count = byte() else { return nil }
    var members: [Constraint] = []
    for _ in 0..<count {
      guard let member = constraint(depth: depth + 1) else { return nil }
      members.append(member)
    }
    return members
  }
}
