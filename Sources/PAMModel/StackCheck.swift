/// Reads a stack file and says whether it can be trusted to refuse: without libpam and without running anything.
///
/// It finds what is visible in the file. A module that accepts without asking is found when it runs: the helper counts
/// the questions that were answered.
public struct StackCheck {
  /// The largest file, in bytes.
  public static let maximumFileBytes = 65_536
  /// The most lines, included ones counted.
  public static let maximumLines = 256
  /// How deep files may include each other.
  public static let maximumDepth = 8
  /// The most files that may be included in all.
  public static let maximumFiles = 32

  private let read: (String) -> [UInt8]?
  private let trust: (String) -> ModuleTrust
  private var lines: [PlacedLine] = []
  private var facilities: Set<StackFacility> = []
  private var filesRead = 0

  /// Checks one stack.
  ///
  /// - Parameter contents: the bytes of the stack file.
  /// - Parameter read: gives the bytes of a file that the stack includes by absolute path; nil when it cannot.
  /// - Parameter trust: says of a module, by the file's name or absolute path, whether it may be loaded; without it every one may.
  /// - Throws: ``StackFlaw``, the first one.
  public static func check(
    _ contents: [UInt8], reading read: @escaping (String) -> [UInt8]?,
    trusting trust: @escaping (String) -> ModuleTrust = { _ in .trusted }
  ) throws(StackFlaw) {
    var check = StackCheck(read: read, trust: trust)
    try check.flatten(StackLine.parse(contents), from: IncludeFrame())
    try check.judge()
  }

  private init(read: @escaping (String) -> [UInt8]?, trust: @escaping (String) -> ModuleTrust) {
    self.read = read
    self.trust = trust
  }

  private func judge() throws(StackFlaw) {
    guard facilities.contains(.auth) else { throw StackFlaw(line: 1, reason: .noAuthentication) }
    guard facilities.contains(.account) else { throw StackFlaw(line: 1, reason: .noAccount) }
    for line in lines where line.module.arguments.contains(where: { $0.lowercased().hasPrefix("nullok") }) {
      throw StackFlaw(line: line.number, reason: .emptyPasscodeAllowed)
    }
    if lines.allSatisfy({ $0.module.control.demandsNothing }) {
      throw StackFlaw(line: lines[0].number, reason: .nothingDemanded)
    }
    var walk = StackWalk(lines)
    if let number = walk.unprovenSuccess() { throw StackFlaw(line: number, reason: .acceptsWithoutProof) }
  }

  private mutating func flatten(_ parsed: [StackLine], from frame: IncludeFrame) throws(StackFlaw) {
    guard frame.depth <= Self.maximumDepth else {
      throw StackFlaw(line: frame.number ?? 1, reason: .includesTooDeep)
    }
    for line in parsed {
      let number = frame.number ?? line.number
      switch line.directive {
      case .module(let facility, let module): try add(module, of: facility, at: number, in: frame)
      case .includeAll(let path):
        try include(path, from: frame.entering(number, facility: nil, asSubstack: false))
      case .include(let facility, let path, let asSubstack):
        guard frame.takes(facility) else { continue }
        try include(path, from: frame.entering(number, facility: facility, asSubstack: asSubstack))
      }
    }
  }

  private mutating func add(
    _ module: StackModule, of facility: StackFacility, at number: Int, in frame: IncludeFrame
  ) throws(StackFlaw) {
    guard frame.takes(facility) else { return }
    facilities.insert(facility)
    try requireTrusted(module, of: facility, at: number)
    guard facility == .auth else { return }
    guard lines.count < Self.maximumLines else { throw StackFlaw(line: number, reason: .tooLarge) }
    lines.append(PlacedLine(number: number, level: frame.level, module: module))
  }

  /// libpam loads the modules of every facility, and passes over one that is not there until it is to answer.
  private func requireTrusted(
    _ module: StackModule, of facility: StackFacility, at number: Int
  ) throws(StackFlaw) {
    switch trust(module.file) {
    case .trusted: return
    case .untrusted: throw StackFlaw(line: number, reason: .untrustedModule, module: module.file)
    case .missing:
      guard facility == .auth || facility == .account, !module.mayBeMissing else { return }
      guard [.bad, .die].contains(module.control[.moduleUnknown]) else { return }
      throw StackFlaw(line: number, reason: .missingModule, module: module.file)
    }
  }

  private mutating func include(_ path: String, from frame: IncludeFrame) throws(StackFlaw) {
    let number = frame.number ?? 1
    guard path.first == "/" else { throw StackFlaw(line: number, reason: .relativeInclude) }
    filesRead += 1
    guard filesRead <= Self.maximumFiles else { throw StackFlaw(line: number, reason: .tooLarge) }
    guard let contents = read(path) else { throw StackFlaw(line: number, reason: .includeUnreadable) }
    let parsed: [StackLine]
    do { parsed = try StackLine.parse(contents) } catch { throw StackFlaw(line: number, reason: error.reason) }
    try flatten(parsed, from: frame)
  }
}

/// Whether a module's file may be loaded.
public enum ModuleTrust: Hashable, Sendable {
  /// Nobody but those whom the daemon trusts could have changed it.
  case trusted
  /// Somebody else could have.
  case untrusted
  /// There is no such file.
  case missing
}

/// Where the lines being read come from.
private struct IncludeFrame {
  /// The line of the outermost file that leads here; nil in that file itself.
  var number: Int?
  /// The one facility that is taken; nil for all.
  var facility: StackFacility?
  var depth = 0
  /// How many substacks are open.
  var level = 0

  func takes(_ other: StackFacility) -> Bool { facility == nil || facility == other }

  func entering(_ line: Int, facility: StackFacility?, asSubstack: Bool) -> IncludeFrame {
    IncludeFrame(
      number: line, facility: facility ?? self.facility, depth: depth + 1, level: level + (asSubstack ? 1 : 0))
  }
}

/// One `auth` line of the flattened stack.
struct PlacedLine: Sendable {
  var number: Int
  var level: Int
  var module: StackModule
}
