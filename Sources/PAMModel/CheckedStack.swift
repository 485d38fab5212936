/// A stack whose file was read and found fit: the only thing a PAM session starts from.
public struct CheckedStack: Hashable, Sendable {
  /// The stack's name, which is its file's name.
  public let name: StackName
  /// The folder it stands in: an absolute path.
  public let directory: String

  /// Checks a stack file that was just read.
  ///
  /// - Parameter contents: the bytes of `directory/name`.
  /// - Parameter read: gives the bytes of a file that the stack includes by absolute path; nil when it cannot.
  /// - Parameter trust: says of a module, by the file's name or absolute path, whether it may be loaded; without it every one may.
  /// - Throws: ``StackFlaw``, the first one.
  public init(
    name: StackName, directory: String, contents: [UInt8], reading read: @escaping (String) -> [UInt8]?,
    trusting trust: @escaping (String) -> ModuleTrust = { _ in .trusted }
  ) throws(StackFlaw) {
    try StackCheck.check(contents, reading: read, trusting: trust)
    self.name = name
    self.directory = directory
  }
}
