package import KeychainModel

extension AccessControlText {
  /// Reads the text form, or gives `nil` for anything that ``write(_:)`` would not write.
  ///
  /// Two access controls that say the same have the same text; the one read is made from the fewest flags that say it.
  package static func read(_ text: String) -> AccessControl? {
    let fields = text.split(separator: ";", omittingEmptySubsequences: false)
    guard let first = fields.first, let accessibility = Accessibility(rawValue: String(first)) else { return nil }
    var rules: [ItemOperation: OperationRule] = [:]
    var isPlain = false
    var flags: AccessControlFlags = []
    for field in fields.dropFirst() {
      guard let (name, value) = parts(of: field) else { return nil }
      switch name {
      case others: isPlain = value == "true"
      case password: flags.insert(.applicationPassword)
      default:
        guard let operation = ItemOperation(rawValue: name), let rule = rule(value) else { return nil }
        rules[operation] = rule
      }
    }
    guard let read = isPlain ? plain(accessibility, flags) : ruled(accessibility, flags, rules), write(read) == text
    else { return nil }
    return read
  }

  private static func parts(of field: Substring) -> (name: String, value: Substring)? {
    guard let open = field.firstIndex(of: "("), field.last == ")" else { return nil }
    return (String(field[..<open]), field[field.index(after: open)...].dropLast())
  }

  private static func plain(_ accessibility: Accessibility, _ flags: AccessControlFlags) -> AccessControl? {
    try? AccessControl(accessibility: accessibility, flags: flags)
  }

  /// The flags that say what the rules say; where flags cannot, a rule of its own stands beside them.
  private static func ruled(
    _ accessibility: Accessibility, _ password: AccessControlFlags, _ rules: [ItemOperation: OperationRule]
  ) -> AccessControl? {
    var flags = password
    if rules[.decrypt] == nil, rules[.encrypt] == nil { flags.insert(.privateKeyUsage) }
    if case .constrained(let constraint) = rules[.decrypt] ?? rules[.sign] { flags.formUnion(self.flags(constraint)) }
    guard let bare = try? AccessControl(accessibility: accessibility, flags: flags) else { return nil }
    var overrides: [ItemOperation: OperationRule] = [:]
    for operation in ItemOperation.allCases {
      let wanted = rules[operation] ?? .denied
      if bare.rule(for: operation) != wanted { overrides[operation] = wanted }
    }
    return try? AccessControl(accessibility: accessibility, flags: flags, overrides: overrides)
  }

  /// The flags behind a constraint; none for a tree that flags cannot make.
  private static func flags(_ constraint: Constraint) -> AccessControlFlags {
    switch constraint {
    case .userPresence: .userPresence
    case .passcode: .devicePasscode
    case .biometryAny: .biometryAny
    case .biometryCurrentSet: .biometryCurrentSet
    case .companion: .companion
    case .anyOf(let members): joined(members, .or)
    case .allOf(let members): joined(members, .and)
    }
  }

  private static func joined(_ members: [Constraint], _ joiner: AccessControlFlags) -> AccessControlFlags {
    let flags = members.reduce(into: joiner) { $0.formUnion(self.flags($1)) }
    return members.contains(where: \.joinsOthers) ? [] : flags
  }

  private static func rule(_ text: Substring) -> OperationRule? {
    if text == "true" { return .allowed }
    var rest = text
    guard let constraint = constraint(&rest, depth: 0), rest.isEmpty else { return nil }
    return .constrained(constraint)
  }

  /// A tree deeper than 8 is refused: text from elsewhere must not exhaust the stack.
  private static func constraint(_ rest: inout Substring, depth: Int) -> Constraint? {
    guard depth < 8 else { return nil }
    var members: [Constraint] = []
    while let member = member(&rest, depth: depth) { members.append(member) }
    guard !members.isEmpty else { return nil }
    guard take("pkofn(", &rest) else { return members.count == 1 ? members.first : nil }
    guard let close = rest.firstIndex(of: ")"), let needed = Int(rest[..<close]) else { return nil }
    rest = rest[rest.index(after: close)...]
    switch needed {
    case 1: return .anyOf(members)
    case members.count: return .allOf(members)
    default: return nil
    }
  }

  private static func member(_ rest: inout Substring, depth: Int) -> Constraint? {
    for (constraint, text) in single where take(text, &rest) { return constraint }
    guard take("ckon(", &rest), let inner = constraint(&rest, depth: depth + 1), take(")", &rest) else { return nil }
    return inner
  }

  private static func take(_ text: String, _ rest: inout Substring) -> Bool {
    guard rest.hasPrefix(text) else { return false }
    rest = rest.dropFirst(text.count)
    return true
  }
}

extension Constraint {
  fileprivate var joinsOthers: Bool {
    switch self {
    case .anyOf, .allOf: true
    default: false
    }
  }
}
