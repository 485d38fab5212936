/// What is still to be proved, once the proofs at hand are counted.
struct MissingProof {
  /// What the item needs.
  let table: ProofTable
  /// The methods that count here and now.
  let allowed: MethodSet
  /// The methods of the proofs at hand.
  let held: MethodSet
  /// Whether a proof given now must open the keybag, whatever else is at hand: a proof remembered opens no locked class.
  let unlocksKeybag: Bool
  /// Whether a finger could do that.
  let biometricUnlock: BiometricUnlock

  /// Whether nothing is missing.
  var isNone: Bool { isEnough([]) }

  /// The smallest sets of methods that would be enough, fewest methods first, the finger before the passcode.
  var alternatives: [MethodSet] {
    let single = [MethodSet.biometry, .passcode].filter(isEnough)
    return single.isEmpty ? [.all] : single
  }

  /// Whether proving these now would be enough.
  private func isEnough(_ asked: MethodSet) -> Bool {
    if unlocksKeybag && !opensKeybag(asked) { return false }
    return table.isSatisfied(by: asked.union(held).intersection(allowed))
  }

  private func opensKeybag(_ asked: MethodSet) -> Bool {
    if asked.contains(MethodSet.passcode) { return true }
    return biometricUnlock == .possible && asked.intersection(allowed).contains(MethodSet.biometry)
  }
}

extension MethodSet: CustomStringConvertible {
  /// The words of policy files, joined by "and".
  public var description: String {
    AuthenticationMethod.allCases.filter(contains).map(\.name).joined(separator: " and ")
  }
}
