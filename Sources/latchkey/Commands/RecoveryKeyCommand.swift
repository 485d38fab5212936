internal import KeychainClient
internal import KeychainModel
internal import SecretMemory

/// `recovery-key`: makes a key that opens the keybag where the passcode was changed elsewhere.
struct RecoveryKeyCommand: Command {
  static let manual = Manual(
    "recovery-key", "", "make a recovery key and write it to standard output",
    details: "Asks for the passcode. The recovery key before it stops working. Keep it where this machine is not.")

  init(_ arguments: Arguments) throws(UsageError) { try arguments.requireNoOperands() }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let key = try Failure.translating { () throws(Refusal) in
      let key = try session.keychain.makeRecoveryKey(options: session.proving)
      guard Self.isPlain(key) else { throw Refusal(.protocolMismatch, detail: "the recovery key is no plain text") }
      return key
    }
    do throws(Failure) { try show(key, session) } catch {
      // It is in force, whoever saw it: to try again would be the wrong advice.
      throw Failure(Refusal(.recoveryKeyUnseen, detail: "\(error.message.dropLast()): \(error.detail)"))
    }
    return .good
  }

  /// The key never becomes a String.
  private func show(_ key: SecretBytes, _ session: Session) throws(Failure) {
    if session.output.format == .json { try session.output.text("{\"recoveryKey\":\"") }
    try session.output.secret(key)
    try session.output.text(session.output.format == .json ? "\"}\n" : "\n")
  }

  /// Letters, digits and dashes: fit for a terminal, for paper and for JSON.
  static func isPlain(_ key: SecretBytes) -> Bool {
    key.withSpan { bytes in
      bytes.indices.allSatisfy { index in
        switch bytes[index] {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
    }
  }
}
