import AccessPolicy
import KeychainModel
import KeychainService
import LatchkeyTesting
import SecretMemory

/// One user's keychain with everything around it under the test's control.
struct TestKeychain {
  let clock = TestClock()
  let store: MemoryStore
  let policies: FixedPolicies
  let log = RecordedDecisions()
  let enrolment: SetEnrolment
  let cache: MemoryKeyCache
  let authenticator: MockAuthenticator
  let host = SilentHost()
  let keychain: UserKeychain

  init(
    _ script: [ScriptedAnswer] = [.passcode("right")], policy: ServicePolicy = .builtIn,
    cache availability: CacheAvailability = .on, enrolment state: EnrolmentState = .nothingEnrolled,
    promptMilliseconds: UInt32 = 0, rowsPerPage: Int = .max
  ) {
    store = MemoryStore(rowsPerPage: rowsPerPage)
    policies = FixedPolicies(policy)
    enrolment = SetEnrolment(state)
    cache = MemoryKeyCache(clock: clock, availability: availability)
    authenticator = MockAuthenticator(
      passcode: "right", script: script, clock: clock, milliseconds: promptMilliseconds)
    keychain = UserKeychain(
      account: UserAccountName(uid: 1000, name: "alice"), store: store,
      ports: ServicePorts(
        cache: cache, authenticator: authenticator, policies: policies, enrolment: enrolment, log: log, clock: clock,
        host: host))
  }

  static func peer(pid: Int32 = 100, terminal: UInt64? = 1, uid: UInt32 = 1000, session: Int32 = 90) -> PeerFacts {
    let process = ProcessIdentity(pid: pid, startTime: UInt64(pid))
    let leader = ProcessIdentity(pid: session, startTime: UInt64(session))
    return PeerFacts(
      uid: uid, process: process, terminal: terminal.map { TerminalIdentity(device: $0, leader: leader) },
      session: leader, origin: .local)
  }

  /// Sends a request and answers its reply with the secrets beside it.
  func ask(
    _ request: KeychainRequest, options: RequestOptions = RequestOptions(), secrets: [String] = [],
    peer: PeerFacts = peer(), channel: TestChannel = TestChannel()
  ) -> Answer {
    let bytes = secrets.map { try! SecretBytes(copying: Array($0.utf8)) }
    return keychain.answer(
      IncomingRequest(request: request, options: options, secrets: bytes, peer: peer, channel: channel))
  }

  func add(
    _ account: String, _ value: String, _ flags: AccessControlFlags = [],
    accessible: Accessibility = .whenUnlocked, rule: DuplicateRule = .refuse, options: RequestOptions = RequestOptions()
  ) -> Answer {
    let accessControl = try! AccessControl(accessibility: accessible, flags: flags)
    let request = AddRequest(
      itemClass: .genericPassword, attributes: Self.name(account), accessControl: accessControl, value: 0,
      onDuplicate: rule)
    return ask(.add(request), options: options, secrets: [value])
  }

  func read(
    _ account: String, options: RequestOptions = RequestOptions(), peer: PeerFacts = peer(),
    channel: TestChannel = TestChannel()
  ) -> Answer {
    let query = ItemQuery(itemClass: .genericPassword, attributes: Self.name(account))
    return ask(.find(FindRequest(query: query, returns: .data)), options: options, peer: peer, channel: channel)
  }

  static func name(_ account: String) -> ItemAttributes {
    ItemAttributes([.service: .text("mail"), .account: .text(ExactText(account))])
  }
}

extension Answer {
  /// The reason of a refusal, or `nil`.
  var reason: Reason? {
    if case .refused(let refusal) = reply { return refusal.reason }
    return nil
  }

  /// The values beside a page of matches, as text.
  var values: [String] {
    guard case .found = reply else { return [] }
    return secrets.map { $0.withSpan { span in String(decoding: span.indices.map { span[$0] }, as: UTF8.self) } }
  }

  /// The state of everything, or `nil`.
  var status: StatusReply? {
    if case .status(let status) = reply { return status }
    return nil
  }

  /// The page of a search.
  var page: FindReply? {
    if case .found(let page) = reply { return page }
    return nil
  }
}
