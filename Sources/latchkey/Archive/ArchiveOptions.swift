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

  /// The fewest bytes of a new archive's: whoever has the file can try as many as a machine can stretch.
  static let leastBytes = 8

  /// The passphrase of an archive that is there.
  func read(_ session: Session) throws(Failure) -> SecretBytes {
    try session.readLine("passphrase", descriptor, Self.option, asking: .once)
  }

  /// The passphrase of a new archive.
  func readNew(_ session: Session) throws(Failure) -> SecretBytes {
    let passphrase = try session.readLine("passphrase", descriptor, Self.option, asking: .twice)
    guard passphrase.count >= Self.leastBytes else {
      throw Failure(
        .invalidParameter, "the passphrase is shorter than \(Self.leastBytes) bytes.",
        nextStep: "Give a longer one; a few words that do not belong together are good.")
    }
    return passphrase
  }
}
