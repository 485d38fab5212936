public import Foundation

// What Foundation on Linux leaves out of what keychain code calls.

extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
  /// A key of either kind of string is the same key: `dictionary[kSecClass]` finds what a `String` stored.
  public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(self as String) }
}

extension NSMutableDictionary {
  /// Sets the object under a key; `nil` removes it.
  public func setValue(_ value: Any?, forKey key: String) {
    guard let value else { return removeObject(forKey: key) }
    self[key] = value
  }
}
