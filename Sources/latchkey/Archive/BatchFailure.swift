internal import KeychainModel

/// Why a step of an export or import failed.
enum BatchFailure: Error {
  /// The daemon refused; that may be about one item only.
  case refused(Refusal)
  /// The whole ends.
  case ended(Failure)

  /// What the command ends with.
  var failure: Failure {
    switch self {
    case .refused(let refusal): Failure(refusal)
    case .ended(let failure): failure
    }
  }
}
