internal import KeychainModel

/// Access controls: accessibility, flags, and the rules of single operations in the order of ``ItemOperation``'s cases.
extension WireWriter {
  mutating func put(_ control: AccessControl) throws(WireError) {
    put(control.accessibility.number)
    put(control.flags.rawValue)
    put(UInt8(control.overrides.count))
    if control.overrides.isEmpty { return }
    for operation in ItemOperation.allCases {
      guard let rule = control.overrides[operation] else { continue }
      put(operation)
      try put(rule)
    }
  }

  mutating func put(_ operation: ItemOperation) { put(operation.wireNumber) }

  private mutating func put(_ rule: OperationRule) throws(WireError) {
    switch rule {
    case .denied: put(UInt8(0))
    case .allowed: put(UInt8(1))
    case .constrained(let constraint):
      put(UInt8(2))
      try put(constraint, depth: 1)
    }
  }

  private mutating func put(_ constraint: Constraint, depth: Int) throws(WireError) {
    guard depth <= WireLimits.constraintDepth else { throw .tooLong(limit: WireLimits.constraintDepth) }
    switch constraint {
    case .userPresence: put(UInt8(1))
    case .passcode: put(UInt8(2))
    case .biometryAny: put(UInt8(3))
    case .biometryCurrentSet: put(UInt8(4))
    case .companion: put(UInt8(5))
    case .anyOf(let members): try put(members, tag: 6, depth: depth)
    case .allOf(let members): try put(members, tag: 7, depth: depth)
    }
  }

  private mutating func put(_ members: [Constraint], tag: UInt8, depth: Int) throws(WireError) {
    put(tag)
    try putList(members, limit: WireLimits.constraintMembers) { (writer, member) throws(WireError) in
      try writer.put(member, depth: depth + 1)
    }
  }
}

extension WireReader {
  mutating func accessControl() throws(WireError) -> AccessControl {
    guard let accessibility = Accessibility(number: try uint8()) else { throw .unknownValue }
    let flags = AccessControlFlags(rawValue: try uint64())
    let overrides = try operationRules()
    let control: AccessControl
    do throws(AccessControlError) {
      control = try AccessControl(accessibility: accessibility, flags: flags, overrides: overrides)
    } catch { throw .invalidValue }
    // Unknown bits are dropped in the making; none may travel.
    guard control.flags == flags else { throw .unknownValue }
    return control
  }

  mutating func operation() throws(WireError) -> ItemOperation {
    guard let operation = ItemOperation(wireNumber: try uint8()) else { throw .unknownValue }
    return operation
  }

  private mutating func operationRules() throws(WireError) -> [ItemOperation: OperationRule] {
    var rules: [ItemOperation: OperationRule] = [:]
    var last: UInt8 = 0
    for _ in 0..<(try uint8()) {
      let operation = try operation()
      guard operation.wireNumber > last else { throw .notRising }
      last = operation.wireNumber
      rules[operation] = try operationRule()
    }
    return rules
  }

  private mutating func operationRule() throws(WireError) -> OperationRule {
    switch try uint8() {
    case 0: .denied
    case 1: .allowed
    case 2: .constrained(try constraint(depth: 1))
    default: throw .unknownValue
    }
  }

  private mutating func constraint(depth: Int) throws(WireError) -> Constraint {
    guard depth <= WireLimits.constraintDepth else { throw .tooLong(limit: WireLimits.constraintDepth) }
    switch try uint8() {
    case 1: return .userPresence
    case 2: return .passcode
    case 3: return .biometryAny
    case 4: return .biometryCurrentSet
    case 5: return .companion
    case 6: return .anyOf(try constraints(depth: depth))
    case 7: return .allOf(try constraints(depth: depth))
    default: throw .unknownValue
    }
  }

  private mutating func constraints(depth: Int) throws(WireError) -> [Constraint] {
    try list(limit: WireLimits.constraintMembers) { (reader) throws(WireError) in
      try reader.constraint(depth: depth + 1)
    }
  }
}

extension ItemOperation {
  /// The number in frames: 1 for the first case.
  var wireNumber: UInt8 {
    switch self {
    case .decrypt: 1
    case .encrypt: 2
    case .delete: 3
    case .sign: 4
    case .keyAgreement: 5
    case .attest: 6
    }
  }

  init?(wireNumber: UInt8) {
    guard let found = Self.allCases.first(where: { $0.wireNumber == wireNumber }) else { return nil }
    self = found
  }
}
