/// Bounds the secret bytes that frames of one user may hold at the same time.
public protocol SecretQuota: Sendable {
  /// Takes `bytes` out of what is left, and waits for them where there are too few.
  ///
  /// - Parameters:
  ///   - bytes: 1 or more.
  ///   - deadline: how long to wait at most (boot-time nanoseconds).
  /// - Returns: what holds the bytes; `nil` where too few came back in time.
  func claim(_ bytes: Int, until deadline: UInt64) -> (any SecretClaim)?
}

/// Secret bytes taken out of a ``SecretQuota``; they go back when the last owner of the claim lets go.
public protocol SecretClaim: AnyObject, Sendable {}

/// What becomes of frames with many secret bytes.
public enum SecretQuotaRule {
  /// Frames with at most so many secret bytes are received whatever the quota says, so that a passcode always gets through.
  public static let freeBytes = 4096
  /// How long a frame waits for its share, in nanoseconds: 3 seconds, less than a client waits for a word.
  public static let patience: UInt64 = 3_000_000_000
}

/// Why a frame's secrets found no room.
public enum FrameDrop: Hashable, Sendable {
  /// No locked memory is left.
  case outOfMemory
  /// The quota of its user is used up.
  case overQuota
}
