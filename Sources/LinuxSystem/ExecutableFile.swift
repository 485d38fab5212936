/// A running program's file. Two are the same if device and inode are: a path can be faked with a mount in a namespace
/// of one's own.
public struct ExecutableFile: Hashable, Sendable {
  /// Device number.
  public let device: UInt64
  /// Inode number.
  public let inode: UInt64
  /// The file's owner.
  public let owner: UInt32
  /// Permission bits.
  public let mode: UInt16
  /// The path that the peer's own namespace gives it: for display and logs only. It may end in ` (deleted)`.
  public let displayPath: String

  /// Takes the facts of a file and the path it is shown by.
  public init(facts: FileFacts, displayPath: String) {
    self.device = facts.device
    self.inode = facts.inode
    self.owner = facts.owner
    self.mode = facts.mode
    self.displayPath = displayPath
  }

  /// The same file, whatever it is called.
  public static func == (left: Self, right: Self) -> Bool { left.device == right.device && left.inode == right.inode }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(device)
    hasher.combine(inode)
  }
}
