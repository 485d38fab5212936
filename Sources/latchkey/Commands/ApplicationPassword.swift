internal import KeychainModel
internal import SecretMemory

/// `--application-password-fd N`: the password of items with the flag applicationPassword.
struct ApplicationPassword: Equatable, Sendable {
  static let option = Option(
    "application-password-fd", value: "N", "read the application's password from descriptor N instead of asking")

  /// The descriptor, or `nil`.
  let descriptor: Int32?

  init(_ arguments: Arguments) throws(UsageError) { descriptor = try arguments.descriptor(Self.option) }

  /// The password, where one was handed in.
  func handedIn(_ session: Session) throws(Failure) -> SecretBytes? {
    guard descriptor != nil else { return nil }
    return try read(session, asking: .once)
  }

  /// The password; asked for where none was handed in.
  func read(_ session: Session, asking: Session.Asking) throws(Failure) -> SecretBytes {
    try session.readLine("application password", descriptor, Self.option, asking: asking)
  }
}
