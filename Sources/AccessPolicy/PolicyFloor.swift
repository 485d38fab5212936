internal import KeychainModel

/// The meaning of one `require` set, for comparing: which floor asks for no more than another.
struct PolicyFloor {
  /// The flags, unknown bits removed.
  let flags: AccessControlFlags
  /// What they need; `nil` for flags that cannot stand together, which nothing satisfies.
  private let need: ProofNeed?

  /// Reads a floor; `nil` where the flags ask for nothing.
  init?(_ given: AccessControlFlags) {
    flags = given.intersection(.all)
    guard let control = try? AccessControl(accessibility: .always, flags: flags) else {
      need = nil
      return
    }
    var need = ProofNeed()
    need.add(control.flags)
    if need.isNothing && flags.isDisjoint(with: Self.beside) { return nil }
    self.need = need
  }

  /// Flags that ask for something beside a proof.
  private static let beside: AccessControlFlags = [.applicationPassword, .privateKeyUsage]

  /// Whether whatever satisfies this floor satisfies the other.
  func implies(_ other: PolicyFloor) -> Bool { Self.all([self], imply: other) }

  /// Whether whatever satisfies all of these satisfies the other.
  static func all(_ floors: [PolicyFloor], imply other: PolicyFloor) -> Bool {
    if floors.contains(where: { $0.flags == other.flags }) { return true }
    let needs = floors.compactMap(\.need)
    guard let wanted = other.need, needs.count == floors.count else { return other.need != nil }
    let table = needs.reduce(ProofTable.nothing) { $0.and($1.table) }
    let binds = needs.contains(where: \.bindsEnrolment)
    let flags = floors.reduce(into: AccessControlFlags()) { $0.formUnion($1.flags) }
    return table.implies(wanted.table) && (binds || !wanted.bindsEnrolment)
      && flags.isSuperset(of: other.flags.intersection(beside))
  }

  /// The floors that say something of their own, in the order of their bits: one that another implies is left out, of two
  /// that mean the same the lower bits stay.
  static func canonical(_ sets: [AccessControlFlags]) -> [PolicyFloor] {
    let floors = sets.compactMap(PolicyFloor.init).sorted { $0.flags.rawValue < $1.flags.rawValue }
    var kept: [PolicyFloor] = []
    for (place, floor) in floors.enumerated() {
      let isCovered = floors.enumerated().contains { other, stronger in
        other != place && stronger.implies(floor) && (other < place || !floor.implies(stronger))
      }
      if !isCovered { kept.append(floor) }
    }
    return kept
  }
}
