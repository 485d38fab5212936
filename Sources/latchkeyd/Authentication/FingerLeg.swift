internal import AccessPolicy
internal import DialogueWire
internal import KeychainModel
internal import KeychainService
internal import LinuxSystem
internal import PAMModel

/// The finger's part of a dialogue: the reader is started again and again until a finger matches or none is taken any more.
///
/// Each start is a helper of its own with one PAM transaction, so that every miss is counted before the next finger is read,
/// and ending the helper gives the reader back at once. It starts none before the reader is this prompt's. It never ends the
/// dialogue itself.
final class FingerLeg {
  private let setting: Setting
  private var helper: HelperProcess?
  private var backoff = FingerBackoff()
  private var startedAt: UInt64 = 0
  private var ticket: ReaderTurns.Ticket?
  /// What the person was told last of whose the reader is.
  private var told = Told.nothing
  /// How it stands.
  private(set) var standing: Standing

  /// How long a helper that is ended may take to give the reader back: nanoseconds.
  private static let endTime: UInt64 = 500_000_000
  /// How long another prompt's turn is waited for before the next look: nanoseconds.
  private static let turnPause: UInt64 = 100_000_000
  /// How long a start runs at least that ends because nobody touched the reader: nanoseconds. pam_fprintd waits 10 s or more.
  private static let shortestWait: UInt64 = 9_000_000_000

  /// What a finger is asked for with.
  struct Setting {
    /// The request.
    var request: ProofRequest
    /// Who asks.
    var peer: PeerFacts
    /// The stack.
    var stack: CheckedStack
    /// What PAM_TTY is set to.
    var terminalName: String
    /// The helper's program.
    var programs: AuthenticationPrograms
    /// What is asked about the reader.
    var reader: any ReaderReading
    /// Whose turn at the reader it is.
    var turns: ReaderTurns
    /// What the turns know of this prompt.
    var prompt: ReaderTurns.Prompt
  }

  private enum Told: Equatable {
    case nothing
    /// To show a finger.
    case wanted
    /// To wait.
    case waits(FingerHolder)
  }

  /// How a leg stands.
  enum Standing: Equatable {
    /// It is not to start before it is told to.
    case held
    /// It starts at this moment (boot-time nanoseconds).
    case waiting(until: UInt64)
    /// The reader is on.
    case running
    /// A finger matched and counts.
    case matched
    /// No finger is taken any more.
    case over
  }

  /// What happened.
  enum News {
    /// The module said something.
    case said(MessageStyle, ShownText)
    /// The reader is this prompt's by now, and waits for a finger. The module said so first.
    case wanted(ShownText)
    /// The reader is not, or no longer, this prompt's.
    case waits(FingerHolder)
    /// A finger matched and counts.
    case matched
    /// No finger is taken any more, and why.
    case over(Refusal)
  }

  init(_ setting: Setting) {
    self.setting = setting
    standing = .waiting(until: 0)
  }

  deinit {
    helper?.kill()
    leave(.brokenOff)
  }

  /// Readable when the reader's helper says something or is gone; `nil` while none runs.
  var descriptor: OwnedDescriptor? { helper?.descriptor }

  /// When it has something to do by itself: boot-time nanoseconds.
  var due: UInt64 {
    guard case .waiting(let moment) = standing else { return .max }
    return moment
  }

  /// Waits for ``release()``: a passcode comes first.
  func hold() { if case .waiting = standing { standing = .held } }

  /// Starts as soon as it may.
  func release() { if standing == .held { standing = .waiting(until: 0) } }

  /// Gives the reader back; it has been given back when this returns. A finger that was read by then and did not match is counted:
  /// who breaks a prompt off at the miss gains no try.
  func end() {
    collect()
    stop()
    if standing != .matched { standing = .over }
  }

  /// Lets the next prompt have the reader: once the person sees no more that this one wants a finger.
  func leave(_ end: ReaderTurns.End) {
    if let ticket { setting.turns.leave(ticket, end, now: Clock.boottime) }
    ticket = nil
  }

  /// Whether the person was told to show a finger.
  var isWanted: Bool { told == .wanted }

  /// Starts the reader, where it is time for that and this prompt's turn.
  func startIfDue() -> News? {
    guard case .waiting(let moment) = standing, moment <= Clock.boottime else { return nil }
    let own = ticket ?? setting.turns.enter(setting.prompt)
    ticket = own
    switch setting.turns.turn(of: own, now: Clock.boottime) {
    case .ours: return start()
    case .next(from: let moment):
      standing = .waiting(until: moment)
      return nil
    case .theirs(let holder):
      standing = .waiting(until: Clock.boottime + Self.turnPause)
      return tell(holder)
    }
  }

  /// Says whose the reader is, where that is news.
  private func tell(_ holder: FingerHolder) -> News? {
    guard told != .waits(holder) else { return nil }
    told = .waits(holder)
    return .waits(holder)
  }

  private func start() -> News? {
    if case .stop(let refusal) = setting.request.finger.standing() { return over(refusal) }
    if case .unavailable(let refusal) = setting.reader.facts(for: setting.request.account, peer: setting.peer) {
      return refusal.reason == .readerBusy ? pause(refusal) : over(refusal)
    }
    do throws(Refusal) {
      helper = try HelperProcess(setting.programs, order, prompter: nil)
    } catch { return over(error) }
    startedAt = Clock.boottime
    standing = .running
    return nil
  }

  /// Takes the helper's next word, which is there already.
  func heed() -> News? {
    guard let helper else { return nil }
    let event: HelperEvent
    do throws(Refusal) { event = try helper.event() } catch { return over(error) }
    switch event {
    case .started: return nil
    // The module speaks first when it has claimed the reader and waits for a finger.
    case .message(.info, let text) where told != .wanted:
      told = .wanted
      return .wanted(text)
    case .message(let style, let text): return .said(style, text)
    case .result(.proved(let proof)): return judge(proof)
    case .result(.failed(let failure)): return judge(failure)
    case .asking, .answered, .miss, .stretched, .cancelled:
      return over(Refusal(.helperFailed, detail: "it spoke out of turn"))
    }
  }

  private var order: HelperRequest {
    let account = setting.request.account
    var order = HelperRequest(
      stack: setting.stack.name, pamDirectory: setting.stack.directory, user: account.name, uid: account.uid,
      answers: .none)
    order.terminalName = setting.terminalName
    order.deadline = setting.request.deadline.nanoseconds
    return order
  }

  private func judge(_ proof: HelperProof) -> News {
    stop()
    guard proof.user == setting.request.account.name else { return over(Refusal(.userChanged)) }
    if case .refused(let refusal) = setting.request.finger.matched() { return over(refusal) }
    standing = .matched
    return .matched
  }

  private func judge(_ failure: HelperFailure) -> News? {
    stop()
    guard failure.cause == .refusedByStack, failure.stage == .authenticate else {
      return over(ReasonTable.refusal(for: failure))
    }
    guard failure.missCount == 0 else { return missed() }
    return notRead(PAMResult(code: failure.result.code))
  }

  private func missed() -> News? {
    backoff.worked()
    if case .stop(let refusal) = setting.request.finger.missed() { return over(refusal) }
    standing = .waiting(until: 0)
    return nil
  }

  /// No finger was read. PAM has one code for every cause of that, so the reader is asked.
  private func notRead(_ result: PAMResult) -> News? {
    if case .unavailable(let refusal) = setting.reader.diagnosis(for: setting.request.account, peer: setting.peer) {
      switch refusal.reason {
      // One that fails may be falling asleep with the machine, which ends the dialogue by a reason of its own.
      case .readerBusy, .readerBroken: return pause(refusal)
      default: return over(refusal)
      }
    }
    guard Clock.boottime - startedAt < Self.shortestWait else {
      backoff.worked()
      standing = .waiting(until: 0)
      return nil
    }
    return pause(Refusal(.readerBroken, detail: "it fails at once, PAM \(result.code)"))
  }

  /// Waits for the reader. A program that has it is told of, but for one that is just about to leave and misleads nobody.
  private func pause(_ refusal: Refusal) -> News? {
    switch backoff.failed() {
    case .pause(let nanoseconds):
      standing = .waiting(until: Clock.boottime + nanoseconds)
      guard refusal.reason == .readerBusy, told == .wanted || backoff.failures > 1 else { return nil }
      return tell(.somebody)
    case .giveUp: return over(refusal)
    }
  }

  private func over(_ refusal: Refusal) -> News {
    stop()
    standing = .over
    return .over(refusal)
  }

  /// Has the helper end in order, and takes its result where it brings one in time.
  private func collect() {
    guard let helper else { return }
    helper.interrupt()
    let moment = Clock.boottime + Self.endTime
    while let event = try? helper.event(until: moment) {
      guard case .result(let outcome) = event else { continue }
      if case .failed(let failure) = outcome, Self.isMiss(failure) { _ = setting.request.finger.missed() }
      return helper.end(by: moment)
    }
  }

  private static func isMiss(_ failure: HelperFailure) -> Bool {
    failure.cause == .refusedByStack && failure.stage == .authenticate && failure.missCount > 0
  }

  private func stop() {
    helper?.kill()
    helper = nil
  }
}
