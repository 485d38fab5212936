import AccessPolicy
import KeychainModel

/// What the answer should be, worked out another way: from printed tables and by trying every set of proofs.
///
/// Nothing here calls the rules: flags are read bit by bit, classes by Apple's letters, operations from a grid.
enum Oracle {
  /// Keybag state against class: `+` open, `reason?` the passcode would open it, `reason!` nothing would.
  static let keybagGrid = """
    state              dk             ck                  ak                  akpu
    none               +              +                   +                   passcodeNotBound!
    unbound            +              +                   +                   passcodeNotBound!
    beforeFirstUnlock  +              beforeFirstUnlock?  beforeFirstUnlock?  beforeFirstUnlock?
    unlocked           +              +                   +                   +
    locked             +              +                   keybagLocked?       keybagLocked?
    passcodeChanged    +              passcodeChanged?    passcodeChanged?    passcodeChanged?
    akpuDestroyed      +              passcodeChanged!    passcodeChanged!    passcodeRemoved!
    damaged            storeDamaged!  storeDamaged!       storeDamaged!       storeDamaged!
    """

  /// Kind of access control against operation: `free`, `proof` or `never`.
  static let operationGrid = """
    kind             od     oe     odel  osgn   ock    oa
    plain            free   free   free  free   free   free
    constrained      proof  free   free  never  never  never
    key              never  never  free  free   free   free
    constrainedKey   never  never  free  proof  proof  free
    """

  private static func grid(_ text: String) -> [String: [String: String]] {
    let rows = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    var grid: [String: [String: String]] = [:]
    for row in rows.dropFirst() {
      for (column, cell) in zip(rows[0], row).dropFirst() { grid[row[0], default: [:]][column] = cell }
    }
    return grid
  }

  private static let keybag: [String: [(mark: Character, reason: Reason?)]] = grid(keybagGrid).mapValues { row in
    classes.map { cell in (row[cell]!.last!, Reason(rawValue: String(row[cell]!.dropLast()))) }
  }
  private static let classes = ["dk", "ck", "ak", "akpu"]
  private static let operations: [String: [ItemOperation: String]] = grid(operationGrid).mapValues { row in
    Dictionary(uniqueKeysWithValues: ItemOperation.allCases.map { ($0, row[$0.rawValue]!) })
  }

  /// Apple's letters without the "u" of "this device only".
  private static func column(_ accessibility: Accessibility) -> Int {
    switch accessibility.rawValue {
    case "dk", "dku": 0
    case "ck", "cku": 1
    case "ak", "aku": 2
    default: 3
    }
  }

  /// One thing that must hold.
  enum Demand {
    case flags(AccessControlFlags)
    case tree(Constraint)
  }

  static func answer(_ request: AccessRequest) -> Answer {
    let isDelete = request.operation == .delete
    let cell = keybag[request.keybag.rawValue]![column(request.accessControl.accessibility)]
    if request.keybag == .damaged { return .deny(.storeDamaged) }
    if cell.mark == "!" && !isDelete { return .deny(cell.reason!) }
    if !mayCall(request) { return .deny(.callerNotAllowed) }
    let isRemote = request.peer.origin != .local
    if isRemote && request.policy.remote == .deny { return .deny(.remoteDenied) }

    var demands: [Demand] = []
    if let refusal = gather(request, into: &demands) { return .deny(refusal) }
    if isDelete && cell.reason == .passcodeRemoved { demands = [] }

    if demands.contains(where: namesCurrentSet) {
      guard let bound = request.boundEnrolment, let now = request.currentEnrolment, bound == now else {
        return .deny(.invalidatedByEnrolment)
      }
    }
    func allHold(_ passcode: Bool, _ biometry: Bool, companion: Bool = false) -> Bool {
      demands.allSatisfy { holds($0, passcode, biometry, companion) }
    }
    if !allHold(true, true) {
      return .deny(allHold(true, true, companion: true) ? .companionNotAvailable : .noMethodAllowed)
    }
    let passcode = request.policy.methods.rawValue % 2 == 1
    var biometry = request.policy.methods.rawValue >= 2
    if !allHold(passcode, biometry) { return .deny(.noMethodAllowed) }
    if isRemote && request.policy.remote == .passcode { biometry = false }
    if !allHold(passcode, biometry) { return .deny(.remoteMethodDenied) }

    let needsProof = !allHold(false, false)
    let isClosed = cell.mark == "?" && !isDelete
    if isClosed && !needsProof && !request.mayUnlock { return .deny(cell.reason!) }

    // A finger opens a bag that was locked, not one that nobody has opened yet.
    let fingerOpens = request.keybag == .locked && request.biometricUnlock == .possible
    let has = held(request)
    func enough(_ givesPasscode: Bool, _ givesBiometry: Bool) -> Bool {
      (givesPasscode || !isClosed || fingerOpens && givesBiometry && biometry)
        && allHold(passcode && (givesPasscode || has.passcode), biometry && (givesBiometry || has.biometry))
    }
    if enough(false, false) { return .allow }
    var alternatives: [MethodSet] = []
    if enough(false, true) { alternatives.append(.biometry) }
    if enough(true, false) { alternatives.append(.passcode) }
    if alternatives.isEmpty { alternatives.append([.passcode, .biometry]) }
    return .authenticate(
      Requirement(
        alternatives: alternatives, unlocksKeybag: isClosed, boundEnrolment: demands.contains(where: namesCurrentSet),
        tries: request.policy.tries, deadlineSeconds: request.policy.deadlineSeconds, reuse: request.policy.reuse,
        policyDigest: request.policyDigest))
  }

  private static func mayCall(_ request: AccessRequest) -> Bool {
    switch (request.policy.callers, request.callerStanding) {
    case (_, .notListed), (.some, .unrestricted): false
    case (.some, .listed): request.peer.executable != nil
    case (.none, _): true
    }
  }

  /// What the item and then the floors demand; a refusal where they say never.
  private static func gather(_ request: AccessRequest, into demands: inout [Demand]) -> Reason? {
    let isReplacement = request.operation == .encrypt && request.presence == .stored
    let control = request.accessControl
    for operation in isReplacement ? [.encrypt, .decrypt] : [request.operation] {
      switch control.overrides[operation] {
      case .denied: return .operationDenied
      case .allowed: break
      case .constrained(let tree): demands.append(.tree(tree))
      case nil:
        let kind = (constrains(control.flags) ? 2 : 0) + (control.flags.rawValue & (1 << 30) != 0 ? 1 : 0)
        switch operations[["plain", "key", "constrained", "constrainedKey"][kind]]![operation]! {
        case "free": break
        case "proof": demands.append(.flags(control.flags))
        default: return .operationDenied
        }
      }
    }
    let usesValue = [.decrypt, .sign, .keyAgreement].contains(request.operation) || isReplacement
    guard usesValue else { return nil }
    for floor in [request.policy.require] + request.policy.requireAlso where floor != [] {
      let bits = floor.rawValue
      if bits >> 14 & 3 == 3 || bits & 0b1010 == 0b1010 || (bits & 1 == 1 && bits & 0xC03A != 0) {
        return .policyInvalid
      }
      if bits >> 30 & 1 == 1 && (request.operation == .decrypt || isReplacement) { return .operationDenied }
      if bits >> 31 & 1 == 1 && control.flags.rawValue >> 31 & 1 == 0 { return .applicationPasswordRequired }
      demands.append(.flags(floor))
    }
    return nil
  }

  private static func constrains(_ flags: AccessControlFlags) -> Bool { flags.rawValue & 0b111011 != 0 }

  private static func namesCurrentSet(_ demand: Demand) -> Bool {
    switch demand {
    case .flags(let flags): flags.rawValue & 0b1000 != 0
    case .tree(let tree): "\(tree)".contains("biometryCurrentSet")
    }
  }

  private static func holds(_ demand: Demand, _ passcode: Bool, _ biometry: Bool, _ companion: Bool) -> Bool {
    switch demand {
    case .flags(let flags):
      let bits = flags.rawValue
      let isEither = bits >> 14 & 1 == 1
      var wanted = 0
      var met = 0
      func count(_ bit: UInt64, _ isMet: Bool) {
        if bits >> bit & 1 == 1 {
          wanted += 1
          met += isMet ? 1 : 0
        }
      }
      count(0, passcode || biometry)
      count(1, biometry)
      count(3, biometry)
      count(4, passcode)
      count(5, companion)
      return met == wanted || (isEither && met > 0)
    case .tree(let tree):
      switch tree {
      case .userPresence: return passcode || biometry
      case .passcode: return passcode
      case .biometryAny, .biometryCurrentSet: return biometry
      case .companion: return companion
      case .anyOf(let members): return members.contains { holds(.tree($0), passcode, biometry, companion) }
      case .allOf(let members): return members.allSatisfy { holds(.tree($0), passcode, biometry, companion) }
      }
    }
  }

  /// The methods that the proofs at hand stand for.
  private static func held(_ request: AccessRequest) -> (passcode: Bool, biometry: Bool) {
    let good = request.evidence.filter { proof in
      let peer = request.peer
      let isSameProcess =
        proof.requester == peer.process && (proof.program.map { $0 == peer.executable } ?? true)
      let isGivenToContext = proof.service == nil
      let isForThis =
        isGivenToContext
        ? isSameProcess && proof.context.map { $0 == request.context } ?? false
        : proof.service == request.service
      let isOurs = proof.uid == peer.uid && isForThis && proof.bootID == request.bootID
      guard isOurs, proof.provedAt <= request.now else { return false }
      if proof.method == .biometry {
        guard let hash = proof.enrolmentHash, let current = request.currentEnrolment, hash == current else {
          return false
        }
      }
      if let since = request.freshSince, since <= proof.provedAt, isSameProcess { return true }
      let age = request.now.nanoseconds - proof.provedAt.nanoseconds
      for terms in [proof.reuse, request.policy.reuse] where age >= UInt64(terms.windowSeconds) * 1_000_000_000 {
        return false
      }
      let isSameContext = isSameProcess && proof.context.map { $0 == request.context } ?? false
      let isSameTerminal = proof.terminal.map { $0 == peer.terminal } ?? false
      let isSameSession = proof.session.map { $0 == peer.session } ?? false
      // The narrowest circle the asker stands in; every term must reach that far.
      let circle = isSameContext ? 1 : isSameProcess ? 2 : isSameTerminal ? 3 : isSameSession ? 4 : 5
      return proof.reuse.scope.rawValue >= circle && request.policy.reuse.scope.rawValue >= circle
    }
    return (good.contains { $0.method == .passcode }, good.contains { $0.method == .biometry })
  }
}
