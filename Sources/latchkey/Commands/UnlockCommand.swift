internal import KeychainClient
internal import KeychainModel
internal import LinuxSystem
internal import SecretMemory
internal import TerminalIO

/// `unlock`: opens the keybag; the first time it binds it to the passcode.
struct UnlockCommand: Command {
  static let recoveryKey = Option(
    "recovery-key", "use the recovery key, from standard input or asked for, then bind the keybag to the passcode anew")
  static let manual = Manual(
    "unlock", "[--recovery-key]", "unlock the keychain with the passcode", options: [recoveryKey],
    details: """
      The first unlock binds the keychain to the login passcode; from then on items need one unlock after each boot.
      """)

  let way: Way

  /// What opens it.
  enum Way: Equatable, Sendable { case passcode, recoveryKey }

  init(_ arguments: Arguments) throws(UsageError) {
    try arguments.requireNoOperands()
    way = arguments.has(Self.recoveryKey) ? .recoveryKey : .passcode
  }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    switch way {
    case .passcode:
      try Failure.translating { () throws(Refusal) in try session.keychain.unlock(options: session.proving) }
    case .recoveryKey:
      let key = try readKey(session)
      try Failure.translating { () throws(Refusal) in
        try session.keychain.unlock(recoveryKey: key, options: session.proving)
      }
    }
    try session.output.answer(.object(["unlocked": .truth(true)]))
    return .good
  }

  private func readKey(_ session: Session) throws(Failure) -> SecretBytes {
    let isTyped = Terminal.isTerminal(StandardStreams.input)
    if !isTyped, session.globals.passcodeDescriptor == 0 {
      throw Failure(UsageError("standard input cannot hold both the passcode and the recovery key."))
    }
    return try session.readLine("recovery key", isTyped ? nil : 0, Self.recoveryKey, asking: .once)
  }
}
