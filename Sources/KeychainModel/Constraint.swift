/// What must be proved before a constrained operation: a tree over single proofs.
public indirect enum Constraint: Hashable, Sendable {
  /// Any method that shows the owner is there (`cpo`).
  case userPresence
  /// The passcode (`cup`).
  case passcode
  /// Any enrolled finger (`cbio` with the set's id only).
  case biometryAny
  /// The finger set bound at add (`cbio` with its hash).
  case biometryCurrentSet
  /// A paired device; nothing here proves it.
  case companion
  /// One of these (`pkofn(1)`).
  case anyOf([Constraint])
  /// All of these (`pkofn(n)`).
  case allOf([Constraint])
}

/// What a caller does with an item. Apple counterpart: the operation table of an access control.
public enum ItemOperation: String, CaseIterable, Sendable {
  /// Read the value (`od`).
  case decrypt = "od"
  /// Write the value (`oe`).
  case encrypt = "oe"
  /// Delete the item (`odel`).
  case delete = "odel"
  /// Sign with a private key (`osgn`).
  case sign = "osgn"
  /// Key agreement (`ock`).
  case keyAgreement = "ock"
  /// Attest a key (`oa`).
  case attest = "oa"
}

/// What an access control says of one operation.
public enum OperationRule: Hashable, Sendable {
  /// Allowed without proof.
  case allowed
  /// Allowed once the constraint is proved.
  case constrained(Constraint)
  /// Never allowed.
  case denied
}
