/// One thing wrong with a policy file, and where.
public struct PolicyFault: Hashable, Error, Sendable, CustomStringConvertible {
  /// The file as its caller named it.
  public let file: String
  /// The line, counted from 1.
  public let line: Int
  /// The column in characters, counted from 1.
  public let column: Int
  /// What is wrong and what would be right, one sentence.
  public let message: String

  /// Puts a finding at a place.
  public init(file: String, line: Int, column: Int, message: String) {
    self.file = file
    self.line = line
    self.column = column
    self.message = message
  }

  /// `FILE:LINE:COLUMN: MESSAGE`, the form compilers use and editors jump to.
  public var description: String { "\(file):\(line):\(column): \(message)" }
}

/// Why a text is no policy: every fault that could be told, in the order of their places.
public struct PolicyFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The faults; never empty, at most ``most``.
  public let faults: [PolicyFault]
  /// The pattern of the service, where that much could be read: this service fails closed.
  public let pattern: ServicePattern?

  /// Gathers faults.
  public init(faults: [PolicyFault], pattern: ServicePattern? = nil) {
    self.faults = faults
    self.pattern = pattern
  }

  /// Most faults told of one file: 100.
  public static let most = 100

  /// One line for each fault.
  public var description: String { faults.map(\.description).joined(separator: "\n") }
}
