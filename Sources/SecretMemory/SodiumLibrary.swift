internal import CSodium

/// The one start of libsodium that every call in this room relies on.
enum SodiumLibrary {
  /// Whether `sodium_init` succeeded; it fails only where the kernel has no random numbers to give.
  static let isReady: Bool = sodium_init() >= 0

  /// Stops the program where going on would mean weak randomness.
  static func requireReady() {
    precondition(isReady, "libsodium could not start: the kernel gives no random numbers")
  }
}
