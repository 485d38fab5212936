internal import CPAM
public import PAMModel

/// One PAM transaction: the only owner of a handle of libpam, from pam_start_confdir(3) to pam_end(3).
///
/// PAM_DISALLOW_NULL_AUTHTOK is always given and PAM_SILENT never. PAM never sleeps here: the delay that a stack asks
/// for is recorded and told. A session stays on the thread that made it.
@safe public final class PAMSession {
  private let handle: OpaquePointer
  private let conversation: Conversation
  private var lastResult: Int32 = PAM_SUCCESS

  /// Starts a transaction.
  ///
  /// - Parameter subject: whom to authenticate, and from where.
  /// - Parameter stack: a stack whose file was checked; PAM's stack `other` is never run.
  /// - Parameter conversant: who answers.
  /// - Throws: ``PAMStartFailure``.
  public init(_ subject: PAMSubject, stack: CheckedStack, conversant: any PAMConversant) throws(PAMStartFailure) {
    conversation = Conversation(conversant)
    let appdata = unsafe Unmanaged.passUnretained(conversation).toOpaque()
    // SAFETY: libpam copies the structure; the object it points to lives as long as this session, which ends the
    // transaction before it lets go.
    var callbacks = unsafe pam_conv(conv: converse, appdata_ptr: appdata)
    var made: OpaquePointer?
    let result = unsafe pam_start_confdir(stack.name.text, subject.user, &callbacks, stack.directory, &made)
    guard result == PAM_SUCCESS, let made = unsafe made else { throw PAMStartFailure(result: PAMResult(code: result)) }
    unsafe handle = unsafe made
    try prepare(subject)
  }

  deinit {
    unsafe pam_end(handle, lastResult)
  }

  /// Runs the `auth` lines (pam_authenticate(3)); may be called again after a wrong answer.
  public func authenticate() -> PAMReply {
    conversation.begin()
    return reply(unsafe pam_authenticate(handle, Int32(PAM_DISALLOW_NULL_AUTHTOK)))
  }

  /// Runs the `account` lines (pam_acct_mgmt(3)). Questions they ask are counted with those of ``authenticate()``.
  public func checkAccount() -> PAMReply {
    reply(unsafe pam_acct_mgmt(handle, Int32(PAM_DISALLOW_NULL_AUTHTOK)))
  }

  /// Who the stack says was authenticated: PAM_USER now; nil when it has none or no text.
  public var user: String? {
    var item: UnsafeRawPointer?
    guard unsafe pam_get_item(handle, PAM_USER, &item) == PAM_SUCCESS, let item = unsafe item else { return nil }
    // SAFETY: the item PAM_USER is a NUL-terminated string that lives until it is set again; it is copied here.
    return unsafe String(validatingCString: item.assumingMemoryBound(to: CChar.self))
  }

  private func reply(_ code: Int32) -> PAMReply {
    lastResult = code
    return PAMReply(
      result: PAMResult(code: code), refusal: conversation.refusal, hiddenAnswers: conversation.hiddenAnswers,
      delayMicroseconds: conversation.delayMicroseconds, text: conversation.told)
  }

  private func prepare(_ subject: PAMSubject) throws(PAMStartFailure) {
    // SAFETY: PAM_FAIL_DELAY takes the function itself in the place of a pointer to an item (pam_fail_delay(3)).
    unsafe try set(PAM_FAIL_DELAY, unsafe unsafeBitCast(recordDelay, to: UnsafeRawPointer.self))
    if !subject.terminalName.isEmpty { unsafe try set(PAM_TTY, subject.terminalName) }
    if !subject.remoteHost.isEmpty { unsafe try set(PAM_RHOST, subject.remoteHost) }
  }

  private func set(_ item: Int32, _ value: UnsafeRawPointer) throws(PAMStartFailure) {
    let result = unsafe pam_set_item(handle, item, value)
    guard result == PAM_SUCCESS else { throw PAMStartFailure(result: PAMResult(code: result)) }
  }
}

/// The conversation function that libpam calls.
private let converse:
  @convention(c) (
    Int32, UnsafeMutablePointer<UnsafePointer<pam_message>?>?,
    UnsafeMutablePointer<UnsafeMutablePointer<pam_response>?>?, UnsafeMutableRawPointer?
  ) -> Int32 = { count, messages, place, appdata in
    guard let appdata = unsafe appdata else { return PAM_CONV_ERR }
    // SAFETY: the session passed its own conversation and outlives the call.
    let conversation = unsafe Unmanaged<Conversation>.fromOpaque(appdata).takeUnretainedValue()
    return unsafe conversation.converse(count, messages, place)
  }

/// The function that libpam calls in place of sleeping.
private let recordDelay: @convention(c) (Int32, UInt32, UnsafeMutableRawPointer?) -> Void = { result, delay, appdata in
  guard let appdata = unsafe appdata else { return }
  // SAFETY: as for the conversation function.
  let conversation = unsafe Unmanaged<Conversation>.fromOpaque(appdata).takeUnretainedValue()
  conversation.record(delay: delay, after: PAMResult(code: result))
}
