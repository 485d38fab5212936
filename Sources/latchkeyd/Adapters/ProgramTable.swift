internal import AccessPolicy
internal import KeychainModel
internal import LinuxSystem
internal import PolicyFiles

/// Which files the programs named in policies are at the moment, by device and inode.
struct ProgramTable {
  /// A file, whatever it is called.
  private struct Place: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  private var places: [String: Place?] = [:]
  private var groups: [ExecutableIdentity: [ExactText]] = [:]

  /// Whether the rules name the program. A program that could not be told is named by none.
  mutating func standing(of program: ExecutableIdentity?, in rules: [CallerRule]?) -> CallerStanding {
    guard let rules else { return .unrestricted }
    guard let program else { return .notListed }
    return rules.contains { isProgram($0.executable, program) } ? .listed : .notListed
  }

  /// The groups that the layers grant the program.
  mutating func groups(of program: ExecutableIdentity?, in layers: PolicyLayers) -> [ExactText] {
    guard let program else { return [] }
    if let known = groups[program] { return known }
    var granted: [ExactText] = []
    for rule in layers.groupRules where isProgram(rule.executable, program) {
      granted += rule.groups.filter { !granted.contains($0) }
    }
    groups[program] = granted
    return granted
  }

  private mutating func isProgram(_ path: String, _ program: ExecutableIdentity) -> Bool {
    guard let place = place(of: path) else { return false }
    return place.device == program.device && place.inode == program.inode
  }

  private mutating func place(of path: String) -> Place? {
    if let known = places[path] { return known }
    let facts = try? Files.facts(path)
    let place = facts.flatMap { $0.kind == .regular ? Place(device: $0.device, inode: $0.inode) : nil }
    places[path] = .some(place)
    return place
  }
}

extension ServicePattern {
  /// A service that the pattern speaks of and that no narrower pattern names: 0xFF stands in no text of a file.
  var witness: ExactText {
    switch self {
    case .exact(let service): service
    case .prefix(let prefix): ExactText(bytes: prefix.bytes + [0xFF])
    case .any: ExactText(bytes: [0xFF])
    }
  }
}
