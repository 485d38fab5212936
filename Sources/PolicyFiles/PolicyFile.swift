public import AccessPolicy

/// A policy as one file states it.
public struct PolicyFile: Hashable, Sendable {
  /// The services it speaks of.
  public let pattern: ServicePattern
  /// What it states; a key it does not state holds ``ServicePolicy/builtIn``'s value here.
  public let policy: ServicePolicy
  /// The keys it states. In the meet of two layers a key that one layer leaves out takes the other's value, and the built-in
  /// value only where both leave it out: so leaving a key out neither loosens nor tightens what another layer states.
  public let stated: Set<PolicyKey>
  /// Where each stated key's value begins.
  public let locations: PolicyLocations

  /// Puts a policy under a pattern, as if a file stated these keys.
  public init(
    pattern: ServicePattern, policy: ServicePolicy, stated: Set<PolicyKey> = Set(PolicyKey.allCases),
    locations: PolicyLocations = PolicyLocations(file: "")
  ) {
    self.pattern = pattern
    self.policy = policy
    self.stated = stated
    self.locations = locations
  }

  /// Reads a policy text.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8, at most 48 KiB.
  ///   - file: the name that faults carry.
  /// - Throws: ``PolicyFileError`` with every fault that could be told.
  public static func parse(_ bytes: [UInt8], file: String) throws(PolicyFileError) -> PolicyFile {
    var parser = PolicyFileParser(tree: YAMLTree(reading: bytes, file: file))
    return try parser.parse()
  }

  /// Two files are equal that state the same; where they state it does not count.
  public static func == (left: Self, right: Self) -> Bool {
    left.pattern == right.pattern && left.policy == right.policy && left.stated == right.stated
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(pattern)
    hasher.combine(policy)
    hasher.combine(stated)
  }
}

/// Where the parts of a policy stand.
public struct PolicyLocations: Sendable {
  /// The file.
  public let file: String
  /// The place of the service's name.
  public internal(set) var service: YAMLMark = .start
  /// The place of each stated key's value.
  public internal(set) var keys: [PolicyKey: YAMLMark] = [:]

  /// Nothing but a file's name.
  public init(file: String) { self.file = file }
}
