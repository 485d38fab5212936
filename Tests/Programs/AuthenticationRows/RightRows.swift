import Foundation
import LocalAuthentication
import Observation
import Synchronization

enum RightRows {
  /// Runs something and says how it ended.
  static func outcome<Value>(_ body: () async throws -> Value) async -> String {
    do { return "\(try await body())" } catch { return describe(error) }
  }

  /// A right in memory.
  static func right() async throws {
    let right = LARight()
    say("new", right.state)
    say("can", await outcome { try await right.checkCanAuthorize() })
    let changes = Mutex(0)
    withObservationTracking {
      _ = right.state
    } onChange: {
      changes.withLock { $0 += 1 }
    }
    say("authorize", await outcome { try await right.authorize(localizedReason: "do it") })
    say("state", right.state)
    say("observed", changes.withLock { $0 } > 0)
    await right.deauthorize()
    say("after", right.state)
    say("finger", await outcome { try await LARight(requirement: .biometry).authorize(localizedReason: "do it") })
    say("empty", await outcome { try await right.authorize(localizedReason: "") })
    let asking = Task.detached { try await right.authorize(localizedReason: "do it again") }
    try await awaitGo()
    await right.deauthorize()
    say("taken back", await outcome { try await asking.value })
    say("end", right.state)
  }

  /// Rights in the store.
  static func stored() async throws {
    let store = LARightStore.shared
    say("missing", await outcome { try await store.right(forIdentifier: "door") })
    let saved = try await store.saveRight(LARight(), identifier: "door", secret: Data("open sesame".utf8))
    say("twice", await outcome { try await store.saveRight(LARight(), identifier: "door") })
    say("unauthorized", await outcome { try await saved.secret.rawData })
    let found = try await store.right(forIdentifier: "door")
    say("authorize", await outcome { try await found.authorize(localizedReason: "open the door") })
    for _ in 0..<2 {
      say("secret", await outcome { String(decoding: try await found.secret.rawData, as: UTF8.self) })
    }
    say("other", await outcome { try await saved.secret.rawData })
    await found.deauthorize()
    say("deauthorized", await outcome { try await found.secret.rawData })
    let bare = try await store.saveRight(LARight(), identifier: "bare")
    say("bare", await outcome { try await bare.authorize(localizedReason: "open the door") })
    say("no secret", await outcome { try await bare.secret.rawData })
    say("signs", bare.key.canSign(using: .ecdsaSignatureMessageX962SHA256))
    say(
      "sign", await outcome { try await bare.key.sign(Data(), algorithm: .ecdsaSignatureMessageX962SHA256) })
    say(
      "finger", await outcome { _ = try await store.saveRight(LARight(requirement: .biometry), identifier: "finger") })
    try await store.removeRight(found)
    say("removed", await outcome { try await store.right(forIdentifier: "door") })
    try await store.removeAllRights()
    say("all", await outcome { try await store.right(forIdentifier: "bare") })
    say("none", await outcome { try await store.removeAllRights() })
  }
}
