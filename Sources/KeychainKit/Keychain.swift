internal import KeychainModel
internal import Observation
internal import SecretMemory
internal import Synchronization

/// Text values in the keychain, by key, like a dictionary whose readers are told when a key is written.
///
/// Each read asks the storage: nothing is kept here, neither a value nor that there is none, nor an error. Reads and writes of
/// one instance take turns, whatever their keys; a read is one call to the storage, a removal one, a write one where the key
/// has a value, two where it has none, and three where another program stores one in between.
///
/// Whoever reads a key inside `withObservationTracking` or a view is told of the next write or removal of it through this
/// instance, just before it happens, also where it then changes nothing or fails. What other programs and other instances write
/// is read by the next read; to be told of it as well, see ``observeExternalChanges()``.
///
/// A value stored through Apple's API that is no valid UTF-8 reads as absent; the next write replaces it.
///
/// KeychainClient has a type of this name too. A file that imports both writes `KeychainKit.Keychain`.
public final class Keychain<Interface>: KeychainProtocol, Sendable where Interface: KeychainInterfaceProtocol {
  private let storage: Mutex<Interface>
  private let registrar = ObservationRegistrar()
  private let discarded: DiscardedFailure
  private let watch = Mutex<InterfaceWatch?>(nil)

  /// Told of a write that a subscript could not do.
  package typealias DiscardedFailure = @Sendable (KeychainError, KeychainAttributes) -> Void

  /// A keychain over an interface.
  public init(interface: Interface) {
    storage = Mutex(interface)
    discarded = DiscardedWrites.log
  }

  /// A keychain over an interface that tells of the writes it drops.
  package init(interface: Interface, discarded: @escaping DiscardedFailure) {
    storage = Mutex(interface)
    self.discarded = discarded
  }

  /// The user's own keychain, behind the daemon.
  public convenience init() where Interface == SystemKeychainInterface {
    self.init(interface: SystemKeychainInterface())
  }

  /// The value of a key, or `nil` where there is none or it cannot be read; assigning stores it, and `nil` takes it away.
  ///
  /// A write that fails is dropped, and the system's log gets a line with the service and the error.
  public subscript(key: KeychainAttributes) -> String? {
    get { (try? value(forKey: key)) ?? nil }
    set {
      do throws(KeychainError) {
        guard let newValue else { return try removeValue(forKey: key) }
        try updateValue(newValue, forKey: key)
      } catch { discarded(error, key) }
    }
  }

  /// The value of a key, or another one where there is none or it cannot be read.
  public subscript(key: KeychainAttributes, default defaultValue: @autoclosure () -> String) -> String {
    self[key] ?? defaultValue()
  }

  /// The value of a key.
  ///
  /// - Returns: the value, or `nil` where the key has none or what it has is no valid UTF-8.
  /// - Throws: ``KeychainError``, any but `.itemNotFound`; `.interactionNotAllowed` while the keychain is locked.
  public func value(forKey key: KeychainAttributes) throws(KeychainError) -> String? {
    registrar.access(self, keyPath: \.[key])
    registrar.access(self, keyPath: \.externalChange)
    return try storage.withLock { (interface) throws(KeychainError) in
      do throws(KeychainError) {
        var bytes = try interface.read(key)
        defer { bytes.wipe() }
        return String(validating: bytes, as: UTF8.self)
      } catch .itemNotFound { return nil }
    }
  }

  /// Stores the value of a key, whether it has one or not.
  ///
  /// - Parameters:
  ///   - value: at most 1 MiB of UTF-8; may be empty.
  ///   - key: whose value it becomes.
  /// - Throws: ``KeychainError``; the storage then holds what it held. `.duplicateItem` and `.itemNotFound` only where other
  ///   programs kept adding and removing the item.
  public func updateValue(_ value: String, forKey key: KeychainAttributes) throws(KeychainError) {
    try mutate(key) { (interface) throws(KeychainError) in
      // Before it is copied: a copy has to be wiped again.
      guard value.utf8.count <= ItemLimits.valueBytes else { throw KeychainError(Refusal(.valueTooLarge)) }
      var bytes = Array(value.utf8)
      defer { bytes.wipe() }
      do throws(KeychainError) { return try interface.update(bytes, for: key) } catch .itemNotFound {}
      do throws(KeychainError) { return try interface.insert(bytes, for: key) } catch .duplicateItem {}
      // Somebody else stored one between the two calls: theirs is replaced, as if they had been first.
      try interface.update(bytes, for: key)
    }
  }

  /// Takes the value of a key away; a key without one is left as it is.
  ///
  /// - Throws: ``KeychainError``, any but `.itemNotFound`; the value then stays.
  public func removeValue(forKey key: KeychainAttributes) throws(KeychainError) {
    try mutate(key) { (interface) throws(KeychainError) in
      do throws(KeychainError) { try interface.remove(key) } catch .itemNotFound {}
    }
  }

  /// Tells the key's readers, then lets the storage change. They are told outside of the lock: they may read at once.
  private func mutate(
    _ key: KeychainAttributes, _ body: (Interface) throws(KeychainError) -> Void
  ) throws(KeychainError) {
    registrar.willSet(self, keyPath: \.[key])
    defer { registrar.didSet(self, keyPath: \.[key]) }
    try storage.withLock { (interface) throws(KeychainError) in try body(interface) }
  }

  /// Stands for what others do: every reader of any key depends on it.
  private var externalChange: Void { () }

  fileprivate func reportExternalChange() {
    registrar.willSet(self, keyPath: \.externalChange)
    registrar.didSet(self, keyPath: \.externalChange)
  }
}

extension Keychain where Interface: ChangeReportingInterface {
  /// Tells the readers of every key when somebody else may have changed one, until ``stopObservingExternalChanges()`` or the end
  /// of this object.
  ///
  /// The storage tells; nothing is polled, and nothing waits. It says only that something changed, so that all readers look
  /// again, and it tells of writes of this program as well. They are told after the change, on a thread of the storage's, once
  /// at the beginning, and once after each time its daemon was started anew. A second call changes nothing.
  ///
  /// - Throws: ``KeychainError``: `.unknownError` where the process has no thread or descriptor left for it.
  public func observeExternalChanges() throws(KeychainError) {
    try watch.withLock { (watch) throws(KeychainError) in
      guard watch == nil else { return }
      let interface = storage.withLock { $0 }
      watch = try interface.watchChanges { [weak self] in self?.reportExternalChange() }
    }
  }

  /// Ends what ``observeExternalChanges()`` began.
  public func stopObservingExternalChanges() {
    let ended = watch.withLock { watch in
      defer { watch = nil }
      return watch
    }
    ended?.end()
  }
}
