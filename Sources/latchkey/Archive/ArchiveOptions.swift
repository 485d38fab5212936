internal import KeychainClient
internal import KeychainModel
internal import LinuxSystem
internal import SecretMemory

/// The file of an archive: the operand of `export` and `import`; `-` is the standard stream.
struct ArchiveFile: Equatable, Sendable {
  let name: String

  init(_ arguments: Arguments) throws(UsageError) {
    let bytes = try arguments.onlyOperand("file, or - for the standard stream")
    guard let name = String(validating: bytes, as: UTF8.self) else { throw UsageError("the file's name is not UTF-8.") }
    self.name = name
  }

  /// Whether it is the standard stream.
  var isStream: Bool { name == "-" }
}

/// `--passphrase-fd N`.
struct Passphrase: Equatable, Sendable {
  static let option = Option(
    "passphrase-fd", value: "N", "read the archive's passphrase from descriptor N instead of asking")

  let descriptor: Int32?

  init(_ arguments: Arguments) throws(UsageError) { descriptor = try arguments.descriptor(Self.option) }

  /// The passphrase of an archive.
  func read(_ session: Session, asking: Session.Asking) throws(Failure) -> SecretBytes {
    try session.readLine("passphrase", descriptor, Self.option, asking: asking)
  }
}

extension Session {
  /// Unlocks the keybag where it is locked and a proof is welcome, so that a batch does not find half of it hidden.
  func openKeybag() throws(Failure) {
    let options = proving
    try Failure.translating { () throws(Refusal) in
      switch try keychain.status(options: quiet).keybag {
      case .locked, .beforeFirstUnlock: try keychain.unlock(options: options)
      default: break
      }
    }
  }
}
