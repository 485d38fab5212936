internal import KeychainModel
internal import KeychainService

/// Stands where fingerprint readers will: this build reads no finger.
struct NoReader: EnrolmentReading {
  /// Why.
  static let detail = "this build has no fingerprint support yet"

  func currentSet(of account: UserAccountName) -> EnrolmentState {
    .unavailable(Refusal(.biometryNotAvailable, detail: Self.detail))
  }
}
