internal import LinuxSystem

/// Where writes go on record that a subscript could not do.
enum DiscardedWrites {
  private static let syslog = Syslog(identifier: KeychainAttributes.defaultService)

  /// Says which service could not be written and why; never the account, which may be a name, and never the value.
  static let log: @Sendable (KeychainError, KeychainAttributes) -> Void = { error, key in
    try? syslog.log(.warning, "KeychainKit: a value of service \"\(key.service)\" was not written: \(error)")
  }
}
