internal import AccessPolicy
internal import KeychainModel
internal import KeychainService

/// Asks whether a finger could be shown at this moment. pam_fprintd answers a dozen different causes with one code, so this is
/// asked before it runs and again after it failed.
protocol ReaderReading: Sendable {
  /// What stands between this user, asking through this program, and the reader. Never prompts and never waits for long.
  func facts(for account: UserAccountName, peer: PeerFacts) -> ReaderFacts

  /// As ``facts(for:peer:)``, and whether the reader can be claimed: `readerBusy`, `readerBroken`. That opens the device, so it
  /// is for after a failure.
  func diagnosis(for account: UserAccountName, peer: PeerFacts) -> ReaderFacts
}

/// Whether a finger can be shown.
enum ReaderFacts: Equatable, Sendable {
  /// It can: the names of the fingers that are enrolled (`right-index-finger`), at least one.
  case ready(fingers: [String])
  /// It cannot: `biometryNotAvailable`, `biometryNotEnrolled`, `readerBusy`, `readerBroken`, `lidClosed`,
  /// `biometryRemote`, with the detail.
  case unavailable(Refusal)
}
