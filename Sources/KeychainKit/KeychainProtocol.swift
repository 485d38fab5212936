public import Observation

/// Text values by key, observable one by one: what ``Keychain`` offers, for code that takes any such store.
public protocol KeychainProtocol: AnyObject, Observable, Sendable {
  /// The value of a key, or `nil`; assigning stores it, and `nil` takes it away. Failures count as absent or are dropped.
  subscript(key: KeychainAttributes) -> String? { get set }

  /// The value of a key, or another one where there is none or it cannot be read.
  subscript(key: KeychainAttributes, default defaultValue: @autoclosure () -> String) -> String { get }

  /// The value of a key, or `nil` where there is none.
  func value(forKey key: KeychainAttributes) throws(KeychainError) -> String?

  /// Stores the value of a key, whether it has one or not.
  func updateValue(_ value: String, forKey key: KeychainAttributes) throws(KeychainError)

  /// Takes the value of a key away; a key without one is left as it is.
  func removeValue(forKey key: KeychainAttributes) throws(KeychainError)
}
