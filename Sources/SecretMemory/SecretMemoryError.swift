/// Why secret memory could not be had.
public enum SecretMemoryError: Error, Equatable, Sendable {
  /// More bytes than ``SecretBytes/maximumCount``, or a negative number.
  case tooLarge
  /// No memory, the bound of ``SecretMemory/limit`` is reached, or the kernel refused to lock it (RLIMIT_MEMLOCK).
  case unavailable
  /// A range outside of the bytes there are.
  case outOfRange
}

/// Why secret bytes could not be filled: the memory, or what they were to be read from.
public enum SecretFillError<Source: Error>: Error {
  /// No locked memory for them.
  case memory(SecretMemoryError)
  /// What the fill closure threw.
  case source(Source)
}

extension SecretFillError: Equatable where Source: Equatable {}
