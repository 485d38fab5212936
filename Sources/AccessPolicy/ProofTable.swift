internal import KeychainModel

/// Which sets of proofs satisfy a constraint: a truth table with one bit for each set of the three kinds of proof.
///
/// Constraints only ever ask for more, so a table is monotone: whatever satisfies it goes on satisfying it with further
/// proofs added. That makes "and" the intersection of tables, "or" their union, and asking costs one bit test.
struct ProofTable: Hashable, Sendable {
  /// Bit n is set where the set n satisfies (bit 0 of n: passcode, bit 1: biometry, bit 2: companion).
  private(set) var bits: UInt8

  private init(bits: UInt8) { self.bits = bits }

  /// Satisfied by anything, nothing included: no proof is needed.
  static let nothing = ProofTable(bits: 0b1111_1111)
  /// Satisfied by no set of proofs.
  static let impossible = ProofTable(bits: 0)
  private static let passcode = ProofTable(bits: 0b1010_1010)
  private static let biometry = ProofTable(bits: 0b1100_1100)
  private static let companion = ProofTable(bits: 0b1111_0000)

  /// The table of a constraint.
  init(_ constraint: Constraint) {
    switch constraint {
    case .userPresence: self = Self.passcode.or(.biometry)
    case .passcode: self = .passcode
    case .biometryAny, .biometryCurrentSet: self = .biometry
    case .companion: self = .companion
    case .anyOf(let members): self = members.reduce(.impossible) { $0.or(ProofTable($1)) }
    case .allOf(let members): self = members.reduce(.nothing) { $0.and(ProofTable($1)) }
    }
  }

  /// The table of the constraint that flags make; the same as that of its tree, without building the tree.
  init(_ flags: AccessControlFlags) {
    let isEither = flags.contains(.or) && !flags.isDisjoint(with: .anyConstraint)
    var table: ProofTable = isEither ? .impossible : .nothing
    func join(_ flag: AccessControlFlags, _ member: ProofTable) {
      if flags.contains(flag) { table = isEither ? table.or(member) : table.and(member) }
    }
    join(.userPresence, Self.passcode.or(.biometry))
    join(.biometryAny, .biometry)
    join(.biometryCurrentSet, .biometry)
    join(.devicePasscode, .passcode)
    join(.companion, .companion)
    self = table
  }

  /// Satisfied where both are.
  func and(_ other: ProofTable) -> ProofTable { ProofTable(bits: bits & other.bits) }

  /// Satisfied where one of them is.
  func or(_ other: ProofTable) -> ProofTable { ProofTable(bits: bits | other.bits) }

  /// Whether the proofs of these methods satisfy it.
  func isSatisfied(by methods: MethodSet) -> Bool { bits >> (methods.rawValue & 0b11) & 1 == 1 }

  /// Whether everything that satisfies this table satisfies the other: the other asks for no more.
  func implies(_ other: ProofTable) -> Bool { bits & ~other.bits == 0 }
}
