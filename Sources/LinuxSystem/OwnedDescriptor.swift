internal import CLinux

/// A file descriptor that is closed when its last owner lets go.
public final class OwnedDescriptor: Sendable {
  /// The descriptor's number; valid while this object lives.
  public let number: Int32

  /// Takes over an open descriptor; nobody else may close it.
  public init(owning number: Int32) { self.number = number }

  deinit {
    if number >= 0 { _ = close(number) }
  }
}
