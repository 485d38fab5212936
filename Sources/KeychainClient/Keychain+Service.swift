public import KeychainModel
public import SecretMemory

extension Keychain {
  /// Revokes what this user's proofs unlocked; `afterFirstUnlock` items stay open.
  public func lock(options: CallOptions = CallOptions()) throws(Refusal) { _ = try count(.lock, options) }

  /// As ``lock(options:)``, and forgets the `afterFirstUnlock` keys too.
  public func lockAll(options: CallOptions = CallOptions()) throws(Refusal) { _ = try count(.lockAll, options) }

  /// Unlocks the keybag by the passcode; binds it at the first proof.
  public func unlock(options: CallOptions = CallOptions()) throws(Refusal) {
    _ = try count(.unlock(.passcode), options)
  }

  /// Unlocks the keybag by the recovery key, then the passcode, and binds it anew.
  ///
  /// - Throws: `Refusal`: `recoveryKeyWrong`, `noRecoveryKey` and others.
  public func unlock(recoveryKey: SecretBytes, options: CallOptions = CallOptions()) throws(Refusal) {
    var list = SecretList()
    guard let place = list.place(recoveryKey) else { throw .unexpected }
    _ = try count(.unlock(.recoveryKey(place)), options, list)
  }

  /// The state of the daemon and of this user's keychain; never prompts.
  public func status(options: CallOptions = CallOptions()) throws(Refusal) -> StatusReply {
    guard case .status(let status) = try perform(.status, options).reply else { throw .unexpected }
    return status
  }

  /// What is wrong and what mends it; never prompts and changes nothing.
  public func doctor(options: CallOptions = CallOptions()) throws(Refusal) -> [DoctorFinding] {
    guard case .doctor(let findings) = try perform(.doctor, options).reply else { throw .unexpected }
    return findings
  }

  /// Makes a recovery key after a proof; the old one stops working.
  ///
  /// - Returns: printable text.
  public func makeRecoveryKey(options: CallOptions = CallOptions()) throws(Refusal) -> SecretBytes {
    let answer = try perform(.makeRecoveryKey, options)
    guard case .recoveryKey(let place) = answer.reply, answer.secrets.indices.contains(Int(place)) else {
      throw .unexpected
    }
    return answer.secrets[Int(place)]
  }

  /// Puts a policy of the user's own in force, or takes one away.
  ///
  /// - Returns: how many policies it touched.
  /// - Throws: `Refusal`: `policyInvalid`, `policyLooser` and others; `invalidParameter` for a request that only looks.
  @discardableResult
  public func changePolicy(_ request: PolicyRequest, options: CallOptions = CallOptions()) throws(Refusal) -> UInt32 {
    switch request {
    case .apply, .remove: return try count(.policy(request), options)
    case .list, .explain: throw Refusal(.invalidParameter)
    }
  }

  /// The policies in force.
  public func policies(options: CallOptions = CallOptions()) throws(Refusal) -> PolicyReply {
    try policyReply(.list, options)
  }

  /// The effective policy of a service and the layers it came from.
  public func explainPolicy(of service: ExactText, options: CallOptions = CallOptions()) throws(Refusal) -> PolicyReply
  {
    try policyReply(.explain(service: service), options)
  }

  private func policyReply(_ request: PolicyRequest, _ options: CallOptions) throws(Refusal) -> PolicyReply {
    guard case .policy(let policy) = try perform(.policy(request), options).reply else { throw .unexpected }
    return policy
  }

  /// A page of the decision log, oldest line first.
  ///
  /// - Parameters:
  ///   - limit: the newest so many lines, at most 200.
  ///   - before: only lines before this one, from an earlier page.
  ///   - options: what it says about prompting; reading the log never prompts.
  public func log(
    limit: UInt32 = 200, before: UInt64? = nil, options: CallOptions = CallOptions()
  ) throws(Refusal) -> LogReply {
    guard case .log(let page) = try perform(.log(LogRequest(limit: limit, before: before)), options).reply else {
      throw .unexpected
    }
    return page
  }

  /// Makes an authentication context, tied to this process.
  ///
  /// - Returns: its number, for ``CallOptions/context``.
  public func makeContext(options: CallOptions = CallOptions()) throws(Refusal) -> UInt64 {
    guard case .context(let number) = try perform(.context(.create), options).reply else { throw .unexpected }
    return number
  }

  /// Asks something of the context that the options name.
  ///
  /// - Throws: `Refusal`: `contextInvalid` and the reasons of a proof; `invalidParameter` for `create` and `enrolment`,
  ///   which have calls of their own.
  public func useContext(_ request: ContextRequest, options: CallOptions) throws(Refusal) {
    if request == .create || request == .enrolment { throw Refusal(.invalidParameter) }
    _ = try count(.context(request), options)
  }

  /// What stands for the set of enrolled fingers; never prompts.
  ///
  /// - Returns: 32 bytes that change with the set and say nothing else.
  /// - Throws: `Refusal`: `biometryNotEnrolled`, or why the set cannot be told.
  public func enrolmentState(options: CallOptions = CallOptions()) throws(Refusal) -> [UInt8] {
    guard case .enrolment(let state) = try perform(.context(.enrolment), options).reply else { throw .unexpected }
    return state
  }
}
