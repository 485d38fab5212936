internal import AccessPolicy
internal import KeychainModel
internal import KeychainService
internal import LinuxSystem
internal import PolicyFiles
internal import SecretMemory

/// The policies as they were read last, with what was worked out from them.
struct PolicySnapshot {
  /// How old the files' facts may be: one second, by the boot-time clock. A changed file is in force after that at the latest.
  static let freshNanoseconds: UInt64 = 1_000_000_000
  /// Most services whose policies are kept worked out.
  static let keptServices = 1024

  let system: PolicyDiskFolder
  let shipped: PolicyDiskFolder
  private(set) var user: UserPolicySource
  private(set) var layers: PolicyLayers
  var programs = ProgramTable()

  private var stamps: [PolicyDiskFolder.Stamp]
  private var lookAgain: UInt64
  private var known: [ExactText: Result<EffectiveServicePolicy, Refusal>] = [:]

  init(system: PolicyDiskFolder, shipped: PolicyDiskFolder, user: UserPolicySource) {
    self.system = system
    self.shipped = shipped
    self.user = user
    stamps = [system.stamp, shipped.stamp]
    lookAgain = Clock.boottime + Self.freshNanoseconds
    layers = PolicyLayers(
      system: PolicyFolder(origin: .system, reading: system), user: user.folder,
      shipped: PolicyFolder(origin: .shipped, reading: shipped))
  }

  /// Looks at the folders where the last look is too old, and reads them again where anything may have changed.
  mutating func refresh() {
    let now = Clock.boottime
    guard now >= lookAgain else { return }
    lookAgain = now + Self.freshNanoseconds
    programs = ProgramTable()
    let seen = [system.stamp, shipped.stamp]
    guard seen != stamps || !stamps.allSatisfy(\.isSettled) else { return }
    stamps = seen
    layers.system = PolicyFolder(origin: .system, reading: system)
    layers.shipped = PolicyFolder(origin: .shipped, reading: shipped)
    known = [:]
  }

  /// Lends itself as it is now.
  mutating func refreshed<Answer>(
    _ body: (inout PolicySnapshot) throws(Refusal) -> Answer
  ) throws(Refusal) -> Answer {
    refresh()
    return try body(&self)
  }

  /// Makes the next refresh look whatever the time.
  mutating func expire() { lookAgain = 0 }

  /// Puts other user policies in force.
  mutating func replace(user source: UserPolicySource) {
    user = source
    layers.user = source.folder
    programs = ProgramTable()
    known = [:]
  }

  mutating func effective(for service: ExactText) throws(Refusal) -> EffectiveServicePolicy {
    if let kept = known[service] { return try kept.get() }
    if known.count >= Self.keptServices { known = [:] }
    let found = Result { () throws(Refusal) in try effective(for: service, in: layers) }
    known[service] = found
    return try found.get()
  }

  /// The policy of a service in some layers.
  func effective(for service: ExactText, in layers: PolicyLayers) throws(Refusal) -> EffectiveServicePolicy {
    do throws(PolicyUnavailable) {
      let effective = try layers.effective(for: service)
      return EffectiveServicePolicy(
        policy: effective.policy, digest: PolicyDigest(bytes: Digest.sha256(effective.digestInput)))
    } catch {
      throw refusal(error)
    }
  }

  /// `policyInvalid` with the file and the place in it.
  func refusal(_ error: PolicyUnavailable) -> Refusal {
    Refusal(error.reason, detail: place(error.origin) + error.detail)
  }

  private func place(_ origin: PolicyOrigin) -> String {
    switch origin {
    case .system: system.path + "/"
    case .shipped: shipped.path + "/"
    case .user, .builtIn: "your own policy "
    }
  }
}
