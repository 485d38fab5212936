public import KeychainModel

/// What one policy says of a service, or what the meet of several says: the effective policy.
public struct ServicePolicy: Hashable, Sendable {
  /// The least that an item of this service needs, whatever its own flags say.
  public var require: AccessControlFlags
  /// Further floors, each needed as well as ``require``: where layers meet, their flags may not go into one set (two
  /// joiners, `userPresence` beside others), and uniting the sets could mean less than both.
  public var requireAlso: [AccessControlFlags]
  /// What may satisfy presence; empty means nothing can.
  public var methods: MethodSet
  /// Wrong answers before the request ends; 1 to 10.
  public var tries: UInt8
  /// Seconds from the prompt to its end; 5 to 600.
  public var deadlineSeconds: UInt32
  /// What a remote session may do.
  public var remote: RemoteRule
  /// How a proof serves again.
  public var reuse: Reuse
  /// How long an opened item key stays in the kernel keyring, in seconds; 0 to 86,400.
  public var cacheTimeoutSeconds: UInt32
  /// What ends proofs and cached keys early.
  public var dropOn: DropTriggers
  /// Which programs may use the service; `nil` is every program.
  public var callers: [CallerRule]?

  /// Makes a policy from its parts.
  public init(
    require: AccessControlFlags, methods: MethodSet, tries: UInt8, deadlineSeconds: UInt32, remote: RemoteRule,
    reuse: Reuse, cacheTimeoutSeconds: UInt32, dropOn: DropTriggers, callers: [CallerRule]?,
    requireAlso: [AccessControlFlags] = []
  ) {
    self.require = require
    self.requireAlso = requireAlso
    self.methods = methods
    self.tries = tries
    self.deadlineSeconds = deadlineSeconds
    self.remote = remote
    self.reuse = reuse
    self.cacheTimeoutSeconds = cacheTimeoutSeconds
    self.dropOn = dropOn
    self.callers = callers
  }

  /// What holds where no file speaks: reuse within a context only, keys cached for ten minutes.
  public static let builtIn = ServicePolicy(
    require: [], methods: .all, tries: 3, deadlineSeconds: 60, remote: .passcode,
    reuse: Reuse(windowSeconds: 300, scope: .context), cacheTimeoutSeconds: 600, dropOn: .all, callers: nil)
}

/// What a remote session may use; ordered from strict to loose.
public enum RemoteRule: UInt8, Comparable, CaseIterable, Sendable {
  /// Nothing.
  case deny = 0
  /// The passcode only.
  case passcode = 1
  /// Whatever a local session may use.
  case any = 2
  /// Stricter than.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// How far and how long a proof serves again, counted from the proof.
public struct Reuse: Hashable, Sendable {
  /// Seconds from the proof on; 0 is never; at most 86,400.
  public var windowSeconds: UInt32
  /// Whose later requests it serves.
  public var scope: ReuseScope
  /// Makes the terms.
  public init(windowSeconds: UInt32, scope: ReuseScope) {
    self.windowSeconds = windowSeconds
    self.scope = scope
  }
}

/// Whose requests a proof serves; ordered from narrow to wide.
public enum ReuseScope: UInt8, Comparable, CaseIterable, Sendable {
  /// Only the request it was given for.
  case never = 0
  /// The same authentication context.
  case context = 1
  /// The same process.
  case process = 2
  /// The same terminal.
  case terminal = 3
  /// The same login session.
  case session = 4
  /// Narrower than.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// What ends proofs and cached keys early.
public struct DropTriggers: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt8
  /// Makes a set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// The lock command or a locked screen.
  public static let lock = DropTriggers(rawValue: 1)
  /// Suspend.
  public static let suspend = DropTriggers(rawValue: 2)
  /// The end of the login session.
  public static let logout = DropTriggers(rawValue: 4)
  /// Every trigger.
  public static let all: DropTriggers = [.lock, .suspend, .logout]
}

/// One program that may use a service, and the access groups it holds there.
public struct CallerRule: Hashable, Sendable {
  /// The path as written in the policy file.
  public var executable: String
  /// The access groups it holds.
  public var groups: [ExactText]
  /// Makes a rule.
  public init(executable: String, groups: [ExactText]) {
    self.executable = executable
    self.groups = groups
  }
}
