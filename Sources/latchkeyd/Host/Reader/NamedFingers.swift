internal import KeychainModel
internal import KeychainService
internal import SecretMemory

/// The set of a user's fingers as a user's own daemon can know it: their names. What fprintd stores of them is root's.
struct NamedFingers: EnrolmentReading {
  let reader: FingerprintReader

  /// Why no more is known.
  static let refusal = Refusal(
    .enrolmentUnreadable, detail: "a user's own daemon may not read what fprintd stores of a finger")

  func currentSet(of account: UserAccountName) -> EnrolmentState {
    do throws(Refusal) {
      let names = try reader.fingers(of: account).joined(separator: "\n")
      return .named(Digest.sha256(Array("latchkey finger names 1\n".utf8) + Array(names.utf8)), Self.refusal)
    } catch {
      return error.reason == .biometryNotEnrolled ? .nothingEnrolled : .unavailable(error)
    }
  }
}
