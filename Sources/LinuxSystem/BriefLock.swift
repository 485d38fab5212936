internal import CLinux
public import Synchronization

/// A lock around a value, for brief turns of many threads.
///
/// It differs from Synchronization's `Mutex` in who is next. `Mutex` hands itself to the thread that has waited longest
/// (FUTEX_UNLOCK_PI, futex(2)), which must be woken first: from one sleeper on, every turn costs a change of threads, and threads
/// that take the same locks in the same order go on in step, one at a time. This one is free once it is given back, for whoever
/// runs (pthread_mutex_lock(3)). So nobody is promised a turn: hold it for microseconds, never for a wait.
public struct BriefLock<Value: ~Copyable>: ~Copyable, Sendable {
  @usableFromInline let turn: LockTurn
  // Never waited for: it is taken by the one who has the turn.
  @usableFromInline let value: Mutex<Value>

  /// Locks up a value.
  @inlinable public init(_ value: consuming sending Value) {
    turn = LockTurn()
    self.value = Mutex(value)
  }

  /// Waits for a turn and lends the value for its length. Not to be called by the one who has the turn: that never ends.
  @inlinable public borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    turn.take()
    defer { turn.giveBack() }
    return try value.withLock(body)
  }

  /// Lends the value if nobody else has the turn, else answers `nil` at once.
  @inlinable public borrowing func withLockIfAvailable<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result? {
    guard turn.takeIfFree() == .taken else { return nil }
    defer { turn.giveBack() }
    return try value.withLock(body)
  }
}

/// Whose turn it is: one mutex of the C library, which stays where it is.
@safe @usableFromInline final class LockTurn: @unchecked Sendable {
  // SAFETY: allocated and made in init, destroyed in deinit, and used in between only by calls that any thread may make.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  /// Whether a turn was there to be taken.
  @usableFromInline enum Outcome { case taken, busy }

  @usableFromInline init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    let code = unsafe pthread_mutex_init(mutex, nil)
    precondition(code == 0, "a plain mutex can always be made")
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  @usableFromInline func take() {
    let code = unsafe pthread_mutex_lock(mutex)
    precondition(code == 0, "a plain mutex can always be waited for")
  }

  @usableFromInline func takeIfFree() -> Outcome { unsafe pthread_mutex_trylock(mutex) == 0 ? .taken : .busy }

  @usableFromInline func giveBack() { unsafe pthread_mutex_unlock(mutex) }
}
