internal import Synchronization

/// A value that is made when it is first wanted, and kept.
final class Once<Value: Sendable>: Sendable {
  private let made = Mutex<Value?>(nil)

  /// The value; `make` runs until it succeeds once.
  func value<Failure: Error>(_ make: () throws(Failure) -> Value) throws(Failure) -> Value {
    try made.withLock { made throws(Failure) in
      if let made { return made }
      let value = try make()
      made = value
      return value
    }
  }
}
