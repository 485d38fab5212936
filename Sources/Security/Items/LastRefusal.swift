internal import CFBridge
internal import Foundation
internal import KeychainModel

/// Why the last item verb of this thread was refused: more than its OSStatus says. Not part of Apple's API.
///
/// `errSecItemNotFound` alone does not tell an item that never was from one whose key is gone. Import with
/// `@_spi(Latchkey) import Security` and read ``current`` right behind the call, on the same thread.
@_spi(Latchkey) public struct LastRefusal: Hashable, Sendable {
  /// The stable code, as in docs/reasons.md and the decision log (`invalidatedByEnrolment`).
  public let code: String
  /// What happened, one sentence.
  public let explanation: String
  /// What to do next, one sentence.
  public let nextStep: String
  /// What it is about, where that helps: a file, a key; never a secret. Else empty.
  public let detail: String

  /// The thread's last one, or `nil` where its last item verb succeeded.
  public static var current: LastRefusal? { kept.value.map(LastRefusal.init) }

  private init(_ refusal: Refusal) {
    code = refusal.reason.rawValue
    explanation = refusal.reason.explanation
    nextStep = refusal.reason.nextStep
    detail = refusal.detail
  }

  /// The thread's own place for it.
  fileprivate static var kept: Kept {
    let place = Thread.current.threadDictionary
    if let kept = place[key] as? Kept { return kept }
    let made = Kept()
    place[key] = made
    return made
  }

  private static let key = "latchkey.last-refusal"

  /// Used by one thread alone.
  fileprivate final class Kept {
    var value: Refusal?
  }
}

/// Runs a verb; a refusal becomes its OSStatus.
func status(_ body: () throws(Refusal) -> Void) -> OSStatus {
  do throws(Refusal) {
    try body()
    LastRefusal.kept.value = nil
    return 0
  } catch {
    LastRefusal.kept.value = error
    return error.reason.status.rawValue
  }
}
