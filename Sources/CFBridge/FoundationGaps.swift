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

// On Apple's systems a key is an `NSCopying`, and much code casts a constant to it. Used only where nothing else fits.

extension NSMutableDictionary {
  /// Sets the object under a key.
  @_disfavoredOverload
  public func setObject(_ object: Any, forKey key: any NSCopying) { setObject(object, forKey: AnyHashable(of: key)) }

  /// Removes the object under a key.
  @_disfavoredOverload
  public func removeObject(forKey key: any NSCopying) { removeObject(forKey: AnyHashable(of: key)) }

  /// The object under a key; `nil` removes it.
  @_disfavoredOverload
  public subscript(key: any NSCopying) -> Any? {
    get { object(forKey: AnyHashable(of: key)) }
    set {
      guard let newValue else { return removeObject(forKey: AnyHashable(of: key)) }
      setObject(newValue, forKey: AnyHashable(of: key))
    }
  }
}

extension NSDictionary {
  /// A dictionary of objects and the keys of the same places.
  @_disfavoredOverload
  public convenience init(objects: [Any], forKeys keys: [any NSCopying]) {
    self.init(objects: objects, forKeys: keys.map { $0 as! NSObject })
  }
}

extension AnyHashable {
  /// A key of a dictionary: only Foundation's objects, which are hashable, copy themselves.
  fileprivate init(of key: any NSCopying) { self.init(key as! NSObject) }
}

/// Seconds since 2001.
@discardableResult
public func CFAbsoluteTimeGetCurrent() -> Double { Date().timeIntervalSinceReferenceDate }

/// Four characters as a number, as `kSecAttrCreator` and `kSecAttrType` take them.
public typealias FourCharCode = UInt32
/// Four characters as a number.
public typealias OSType = FourCharCode

/// Which Foundation runs: newer than any of Apple's that old code asks for.
public let NSFoundationVersionNumber = Double.greatestFiniteMagnitude
