internal import KeychainClient
internal import KeychainModel
internal import LinuxSystem
internal import SecretMemory
internal import TerminalIO

/// What a command works with: the keychain, the streams, and how anything may be asked.
struct Session: Sendable {
  let globals: GlobalOptions
  let output: Output
  let keychain: Keychain

  /// Opens nothing before the first request.
  init(_ globals: GlobalOptions, _ output: Output) throws(Failure) {
    self.globals = globals
    self.output = output
    keychain = Keychain(
      KeychainConfiguration(
        prompt: try Self.prompt(globals),
        notice: { notice in output.complain("latchkey: \(UntrustedText(notice.text).sentence)") }))
  }

  private static func prompt(_ globals: GlobalOptions) throws(Failure) -> PromptSource {
    if let number = globals.passcodeDescriptor {
      return HandedPasscode(try InputDescriptor.open(number, for: .passcodeFD)).source
    }
    return globals.prompting == .allowed ? .automatic : .none
  }

  /// Whether the daemon may be given a proof.
  private var isProofWelcome: Bool { globals.prompting == .allowed || globals.passcodeDescriptor != nil }

  /// For requests that never prompt. Not `fail`, which would refuse the attributes of protected items.
  var quiet: CallOptions {
    var options = CallOptions()
    options.prompt = PromptSource.none
    return options
  }

  /// For requests that may need a proof, also to unlock the keybag.
  var proving: CallOptions {
    CallOptions(interaction: isProofWelcome ? .allow : .fail, mayUnlock: isProofWelcome)
  }

  /// For requests that store: a protected item that is replaced may need a proof, a locked keybag answers "locked".
  var storing: CallOptions { CallOptions(interaction: isProofWelcome ? .allow : .fail) }
}

/// A passcode that stands ready on a descriptor. It serves for the first proof of each request: one command may send several.
private final class HandedPasscode: Sendable {
  private let descriptor: OwnedDescriptor
  private let passcode = Once<SecretBytes>()

  init(_ descriptor: OwnedDescriptor) { self.descriptor = descriptor }

  var source: PromptSource {
    .passcode { [self] (attempt) throws(Refusal) in
      guard attempt == 1 else { throw Refusal(.passcodeSuppliedTwice) }
      return try passcode.value { () throws(Refusal) in try PasscodeDescriptor.read(descriptor) }
    }
  }
}
