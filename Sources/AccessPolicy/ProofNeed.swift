internal import KeychainModel

/// What an operation on an item needs, gathered from its access control and the policy's floor.
struct ProofNeed: Sendable {
  /// The sets of proofs that are enough.
  var table: ProofTable = .nothing
  /// Whether biometry counts only with the fingers the item was bound to.
  var bindsEnrolment = false

  /// Whether no proof is needed.
  var isNothing: Bool { table == .nothing }

  /// Needs the constraint of these flags too.
  mutating func add(_ flags: AccessControlFlags) {
    table = table.and(ProofTable(flags))
    bindsEnrolment = bindsEnrolment || flags.contains(.biometryCurrentSet)
  }

  /// Needs this constraint too.
  mutating func add(_ constraint: Constraint) {
    table = table.and(ProofTable(constraint))
    bindsEnrolment = bindsEnrolment || constraint.namesCurrentSet
  }
}

extension Constraint {
  /// Whether the bound finger set stands anywhere in the tree.
  var namesCurrentSet: Bool {
    switch self {
    case .biometryCurrentSet: true
    case .userPresence, .passcode, .biometryAny, .companion: false
    case .anyOf(let members), .allOf(let members): members.contains(where: \.namesCurrentSet)
    }
  }
}

extension AccessRequest {
  /// Whether the value is used or replaced: what a floor protects. Adding, deleting and attesting give nothing away.
  var touchesValue: Bool {
    switch operation {
    case .decrypt, .sign, .keyAgreement: true
    case .encrypt: presence == .stored
    case .delete, .attest: false
    }
  }
}
