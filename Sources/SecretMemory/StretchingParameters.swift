internal import CSodium

/// How a passcode is stretched: salt and cost of Argon2id, bounded on both sides.
///
/// Parameters are read from a file that an attacker may have edited: below the floor the passcode would be cheap to guess, above
/// the ceiling one reading could take the machine's memory.
public struct StretchingParameters: Hashable, Sendable {
  /// Bytes of a salt: 16 (`crypto_pwhash_argon2id_SALTBYTES`).
  public static let saltSize = 16
  /// Passes over memory: 2 (`..._OPSLIMIT_INTERACTIVE`) to 3 (`..._OPSLIMIT_MODERATE`).
  public static let operationsBounds: ClosedRange<UInt64> = 2...3
  /// Bytes of memory: 64 MiB (`..._MEMLIMIT_INTERACTIVE`) to 256 MiB (`..._MEMLIMIT_MODERATE`).
  public static let memoryBounds: ClosedRange<UInt64> = 67_108_864...268_435_456

  /// Random bytes of ``saltSize``; no secret.
  public let salt: [UInt8]
  /// Passes over memory, in ``operationsBounds``.
  public let operations: UInt64
  /// Bytes of memory, in ``memoryBounds``; Argon2 rounds down to KiB.
  public let memoryBytes: UInt64

  /// Checks parameters that were stored.
  ///
  /// - Throws: ``StretchingParameterError`` with the bound that was left.
  public init(salt: [UInt8], operations: UInt64, memoryBytes: UInt64) throws(StretchingParameterError) {
    guard salt.count == Self.saltSize else { throw .saltSize(salt.count) }
    guard operations >= Self.operationsBounds.lowerBound else { throw .operationsBelowFloor(operations) }
    guard operations <= Self.operationsBounds.upperBound else { throw .operationsAboveCeiling(operations) }
    guard memoryBytes >= Self.memoryBounds.lowerBound else { throw .memoryBelowFloor(memoryBytes) }
    guard memoryBytes <= Self.memoryBounds.upperBound else { throw .memoryAboveCeiling(memoryBytes) }
    self.salt = salt
    self.operations = operations
    self.memoryBytes = memoryBytes
  }

  private init(freshSalt salt: [UInt8]) {
    self.salt = salt
    self.operations = Self.operationsBounds.upperBound
    self.memoryBytes = Self.memoryBounds.lowerBound
  }

  /// Parameters for a new passcode: a random salt, 3 passes over 64 MiB (RFC 9106 section 4, second recommendation, on one lane).
  public static func fresh() -> StretchingParameters {
    SodiumLibrary.requireReady()
    return unsafe StretchingParameters(freshSalt: [UInt8](writing: saltSize) { unsafe randombytes_buf($0, saltSize) })
  }
}

/// Which bound stored parameters left, and the value found.
public enum StretchingParameterError: Error, Equatable, Sendable {
  /// The salt is not ``StretchingParameters/saltSize`` bytes long.
  case saltSize(Int)
  /// Fewer passes than ``StretchingParameters/operationsBounds`` allows.
  case operationsBelowFloor(UInt64)
  /// More passes than ``StretchingParameters/operationsBounds`` allows.
  case operationsAboveCeiling(UInt64)
  /// Less memory than ``StretchingParameters/memoryBounds`` allows.
  case memoryBelowFloor(UInt64)
  /// More memory than ``StretchingParameters/memoryBounds`` allows.
  case memoryAboveCeiling(UInt64)
}
