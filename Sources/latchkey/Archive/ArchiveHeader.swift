internal import SecretMemory

/// The first bytes of an archive: how its passphrase is stretched, and what tells a wrong one from damage.
struct ArchiveHeader {
  static let size = 88
  static let magic = Array("LKEYARCH".utf8)
  static let version: UInt16 = 1
  /// Argon2id's cost: libsodium's "moderate".
  private static let operations = StretchingParameters.operationsBounds.upperBound
  private static let memoryBytes = StretchingParameters.memoryBounds.upperBound

  let parameters: StretchingParameters
  /// The keyed hash of what stands before it; shows whether a passphrase fits, and names the archive in its chunks.
  let check: [UInt8]

  private init(_ parameters: StretchingParameters, check: [UInt8]) {
    self.parameters = parameters
    self.check = check
  }

  /// A header for a new archive, and its key.
  static func make(passphrase: SecretBytes) throws(ArchiveError) -> (header: ArchiveHeader, key: SecretBytes) {
    var generator = SystemRandomNumberGenerator()
    let salt = (0..<StretchingParameters.saltSize).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    guard let parameters = try? StretchingParameters(salt: salt, operations: operations, memoryBytes: memoryBytes)
    else {
      throw .malformed
    }
    let keys = try ArchiveKeys(passphrase, parameters)
    let header = ArchiveHeader(parameters, check: keys.check(of: start(parameters)))
    return (header, keys.chunks)
  }

  /// Reads a header.
  ///
  /// - Throws: ``ArchiveError``: `.notAnArchive`, `.otherVersion`, `.headerDamaged`.
  init(_ bytes: [UInt8]) throws(ArchiveError) {
    guard bytes.starts(with: Self.magic) else { throw .notAnArchive }
    guard bytes.count == Self.size else { throw .cutShort }
    var parser = ArchiveParser(Array(bytes.dropFirst(Self.magic.count)))
    let version = try parser.number(UInt16.self)
    guard version == Self.version else { throw .otherVersion(version) }
    guard bytes.suffix(16) == Digest.sha256(Array(bytes.prefix(72))).prefix(16) else { throw .headerDamaged }
    guard try parser.number(UInt16.self) == 0 else { throw .headerDamaged }
    let operations = UInt64(try parser.number(UInt32.self))
    let memory = try parser.number(UInt64.self)
    let salt = try parser.raw(StretchingParameters.saltSize)
    do throws(StretchingParameterError) {
      parameters = try StretchingParameters(salt: salt, operations: operations, memoryBytes: memory)
    } catch { throw .headerDamaged }
    check = try parser.raw(32)
  }

  /// The key of the archive.
  ///
  /// - Throws: ``ArchiveError``: `.passphraseWrong`, `.outOfMemory`.
  func key(passphrase: SecretBytes) throws(ArchiveError) -> SecretBytes {
    let keys = try ArchiveKeys(passphrase, parameters)
    guard keys.check(of: Self.start(parameters)) == check else { throw .passphraseWrong }
    return keys.chunks
  }

  var bytes: [UInt8] {
    let checked = Self.start(parameters) + check
    return checked + Digest.sha256(checked).prefix(16)
  }

  private static func start(_ parameters: StretchingParameters) -> [UInt8] {
    var bytes = ArchiveBytes()
    bytes.raw(magic)
    bytes.number(version)
    bytes.number(UInt16(0))
    bytes.number(UInt32(parameters.operations))
    bytes.number(parameters.memoryBytes)
    bytes.raw(parameters.salt)
    return bytes.bytes
  }
}

/// What a passphrase gives: one key to check it by, one for the chunks.
private struct ArchiveKeys {
  let chunks: SecretBytes
  private let checking: SecretBytes

  init(_ passphrase: SecretBytes, _ parameters: StretchingParameters) throws(ArchiveError) {
    do throws(SecretMemoryError) {
      let root = try PasscodeStretching.stretch(passphrase, parameters: parameters)
      chunks = try KeyedHash.derive(key: root, label: "latchkey archive chunks", context: parameters.salt)
      checking = try KeyedHash.derive(key: root, label: "latchkey archive check", context: parameters.salt)
    } catch { throw .outOfMemory }
  }

  func check(of start: [UInt8]) -> [UInt8] { KeyedHash.hash(start, key: checking) }
}
