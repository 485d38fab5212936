public import KeychainKit
internal import Synchronization

/// A keychain interface for tests: holds its items in memory, counts the calls it gets, and fails or lets somebody else come in
/// between where it is told to.
///
/// ```swift
/// let interface = InMemoryKeychainInterface()
/// let keychain = Keychain(interface: interface)
/// keychain["token"] = "abc"
/// interface.calls            // [.update("token"), .insert("token")]
///
/// interface.fail(.read, with: .interactionNotAllowed)
/// try keychain.value(forKey: "token")    // throws, as while the keychain is locked; the next read is answered
/// ```
public final class InMemoryKeychainInterface: ChangeReportingInterface {
  /// A call of `KeychainInterfaceProtocol`.
  public enum Call: Hashable, Sendable {
    /// `read(_:)` of the protocol.
    case read(KeychainAttributes)
    /// `insert(_:for:)` of the protocol.
    case insert(KeychainAttributes)
    /// `update(_:for:)` of the protocol.
    case update(KeychainAttributes)
    /// `remove(_:)` of the protocol.
    case remove(KeychainAttributes)

    /// What is called.
    public var verb: Verb {
      switch self {
      case .read: .read
      case .insert: .insert
      case .update: .update
      case .remove: .remove
      }
    }
  }

  /// The four calls, whatever their keys.
  public enum Verb: Hashable, CaseIterable, Sendable { case read, insert, update, remove }

  private struct State {
    var items: [KeychainAttributes: [UInt8]] = [:]
    var calls: [Call] = []
    var failures: [Verb: [KeychainError]] = [:]
    var interruptions: [Verb: [@Sendable (InMemoryKeychainInterface) -> Void]] = [:]
    var reports: [Int: @Sendable () -> Void] = [:]
    var lastReport = 0
  }

  private let state = Mutex(State())

  /// An empty one.
  public init() {}

  /// Every call so far, oldest first, those that failed as well.
  public var calls: [Call] { state.withLock { $0.calls } }

  /// Forgets the calls so far.
  public func forgetCalls() { state.withLock { $0.calls = [] } }

  /// Lets the next `times` calls of a verb fail, after those that are to fail already.
  public func fail(_ verb: Verb, with error: KeychainError, times: Int = 1) {
    state.withLock { $0.failures[verb, default: []] += Array(repeating: error, count: times) }
  }

  /// Runs `body` in the next call of a verb, before it does anything: what another program does in that moment.
  public func interrupt(_ verb: Verb, _ body: @escaping @Sendable (InMemoryKeychainInterface) -> Void) {
    state.withLock { $0.interruptions[verb, default: []].append(body) }
  }

  /// The bytes of a key as they are stored; setting them is what another program does: it is no call, and is reported to those
  /// who watch.
  public subscript(key: KeychainAttributes) -> [UInt8]? {
    get { state.withLock { $0.items[key] } }
    set {
      state.withLock { $0.items[key] = newValue }
      reportChange()
    }
  }

  /// How many watch for changes.
  public var watchCount: Int { state.withLock { $0.reports.count } }

  /// Tells those who watch that something changed.
  public func reportChange() {
    for report in state.withLock({ Array($0.reports.values) }) { report() }
  }

  /// Counts the call and answers it from memory.
  public func read(_ key: KeychainAttributes) throws(KeychainError) -> [UInt8] {
    try take(.read(key)) { items throws(KeychainError) in
      guard let value = items[key] else { throw .itemNotFound }
      return value
    }
  }

  /// Counts the call and stores the bytes in memory.
  public func insert(_ value: [UInt8], for key: KeychainAttributes) throws(KeychainError) {
    try take(.insert(key)) { items throws(KeychainError) in
      guard items[key] == nil else { throw .duplicateItem }
      items[key] = value
    }
  }

  /// Counts the call and replaces the bytes in memory.
  public func update(_ value: [UInt8], for key: KeychainAttributes) throws(KeychainError) {
    try take(.update(key)) { items throws(KeychainError) in
      guard items[key] != nil else { throw .itemNotFound }
      items[key] = value
    }
  }

  /// Counts the call and forgets the bytes.
  public func remove(_ key: KeychainAttributes) throws(KeychainError) {
    try take(.remove(key)) { items throws(KeychainError) in
      guard items.removeValue(forKey: key) != nil else { throw .itemNotFound }
    }
  }

  /// Reports what ``subscript(_:)`` and ``reportChange()`` say, on their thread.
  public func watchChanges(_ report: @escaping @Sendable () -> Void) throws(KeychainError) -> InterfaceWatch {
    let number = state.withLock { state in
      state.lastReport += 1
      state.reports[state.lastReport] = report
      return state.lastReport
    }
    return InterfaceWatch { [weak self] in
      self?.state.withLock { _ = $0.reports.removeValue(forKey: number) }
    }
  }

  /// Counts a call, lets others come in between, and fails where it is told to.
  private func take<Answer>(
    _ call: Call, _ body: (inout [KeychainAttributes: [UInt8]]) throws(KeychainError) -> Answer
  ) throws(KeychainError) -> Answer {
    let interruption = state.withLock { state in
      state.calls.append(call)
      return Self.first(&state.interruptions, call.verb)
    }
    interruption?(self)
    return try state.withLock { (state) throws(KeychainError) in
      if let failure = Self.first(&state.failures, call.verb) { throw failure }
      return try body(&state.items)
    }
  }

  /// Takes the first of what stands ready for a verb.
  private static func first<Element>(_ ready: inout [Verb: [Element]], _ verb: Verb) -> Element? {
    guard let next = ready[verb]?.first else { return nil }
    ready[verb]?.removeFirst()
    return next
  }
}
