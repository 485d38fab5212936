internal import KeychainModel

/// What the keybag can open: each class against each state (design section 4).
enum KeybagClause {
  /// Where the item's class stands.
  enum Standing: Equatable {
    /// Its key is at hand.
    case open
    /// The passcode would open it; until then it is refused for this reason.
    case closed(Reason)
    /// Its key is gone for good, and all that is left to do is to delete the item: no proof can be asked for that.
    case dead
  }

  /// Where the item's class stands for this request; deleting needs no key and so is never stopped by a locked class.
  ///
  /// - Throws: `storeDamaged`, `passcodeNotBound`, `passcodeRemoved` or `passcodeChanged` where no proof would help.
  static func standing(
    _ request: borrowing AccessRequest, _ trace: inout DecisionTrace
  ) throws(Reason) -> Standing {
    if request.keybag == .damaged { throw trace.refusal(.keybag, .storeDamaged) }
    let protection = request.accessControl.accessibility.protectionClass
    if request.operation == .delete {
      return request.keybag == .akpuDestroyed && protection == .whenPasscodeSet ? .dead : .open
    }
    switch protection {
    case .always: return .open
    case .afterFirstUnlock where request.keybag == .locked: return .open
    case .afterFirstUnlock, .whenUnlocked, .whenPasscodeSet:
      return try passcodeClass(protection, request.keybag, &trace)
    }
  }

  /// A class whose keys are wrapped by the passcode.
  private static func passcodeClass(
    _ protection: ProtectionClass, _ state: KeybagState, _ trace: inout DecisionTrace
  ) throws(Reason) -> Standing {
    let dies = protection == .whenPasscodeSet
    switch state {
    case .unlocked: return .open
    case .none, .unbound:
      if dies { throw trace.refusal(.keybag, .passcodeNotBound) }
      return .open
    case .beforeFirstUnlock: return .closed(.beforeFirstUnlock)
    case .locked: return .closed(.keybagLocked)
    case .passcodeChanged: return .closed(.passcodeChanged)
    case .akpuDestroyed: throw trace.refusal(.keybag, dies ? .passcodeRemoved : .passcodeChanged)
    case .damaged: throw trace.refusal(.keybag, .storeDamaged)
    }
  }

  /// Whether the passcode must be asked to open the class: where a proof is needed anyway or the caller wants it so.
  ///
  /// - Throws: The standing's reason for a plain item that no prompt may unlock.
  static func unlocks(
    _ standing: Standing, _ need: ProofNeed, _ request: borrowing AccessRequest, _ trace: inout DecisionTrace
  ) throws(Reason) -> Bool {
    guard case .closed(let reason) = standing else { return false }
    guard request.mayUnlock || !need.isNothing else { throw trace.refusal(.keybag, reason) }
    trace.ask(.keybag, "a proof must open the keybag (\(reason.rawValue))")
    return true
  }
}
