public import Foundation

/// A class of this package with a type number of its own.
package protocol CFTypeNumbered: AnyObject {
  /// The number; those of Foundation's classes are below 256.
  static var typeID: CFTypeID { get }
}

/// Whether two objects are equal by value.
@discardableResult
public func CFEqual(_ first: CFTypeRef!, _ second: CFTypeRef!) -> Bool {
  guard let first = first as? NSObject else { return first === second }
  return first.isEqual(second)
}

/// The hash value of an object; equal objects have the same.
@discardableResult
public func CFHash(_ object: CFTypeRef!) -> CFHashCode {
  CFHashCode(bitPattern: (object as? NSObject)?.hash ?? ObjectIdentifier(object).hashValue)
}

/// What an object looks like in a log.
@discardableResult
public func CFCopyDescription(_ object: CFTypeRef!) -> CFString! {
  NSString(string: (object as? NSObject)?.description ?? String(describing: object))
}

/// Whether a truth value is true.
@discardableResult
public func CFBooleanGetValue(_ boolean: CFBoolean!) -> Bool { boolean.boolValue }

/// The type number of an object, to be compared with a `...GetTypeID()`; 0 for a class that has none.
@discardableResult
public func CFGetTypeID(_ object: CFTypeRef!) -> CFTypeID {
  if let own = object as? any CFTypeNumbered { return type(of: own).typeID }
  if let number = object as? NSNumber { return number.isBoolean ? CFBooleanGetTypeID() : CFNumberGetTypeID() }
  return FoundationClass.allCases.first { $0.holds(object) }?.typeID ?? 0
}

/// The type number of ``CFString``.
@discardableResult
public func CFStringGetTypeID() -> CFTypeID { FoundationClass.string.typeID }
/// The type number of ``CFDictionary``.
@discardableResult
public func CFDictionaryGetTypeID() -> CFTypeID { FoundationClass.dictionary.typeID }
/// The type number of ``CFArray``.
@discardableResult
public func CFArrayGetTypeID() -> CFTypeID { FoundationClass.array.typeID }
/// The type number of ``CFSet``.
@discardableResult
public func CFSetGetTypeID() -> CFTypeID { FoundationClass.set.typeID }
/// The type number of ``CFData``.
@discardableResult
public func CFDataGetTypeID() -> CFTypeID { FoundationClass.data.typeID }
/// The type number of ``CFDate``.
@discardableResult
public func CFDateGetTypeID() -> CFTypeID { FoundationClass.date.typeID }
/// The type number of ``CFURL``.
@discardableResult
public func CFURLGetTypeID() -> CFTypeID { FoundationClass.url.typeID }
/// The type number of ``CFNull``.
@discardableResult
public func CFNullGetTypeID() -> CFTypeID { FoundationClass.null.typeID }
/// The type number of ``CFError``.
@discardableResult
public func CFErrorGetTypeID() -> CFTypeID { FoundationClass.error.typeID }
/// The type number of numbers that are no truth values.
@discardableResult
public func CFNumberGetTypeID() -> CFTypeID { FoundationClass.number.typeID }
/// The type number of truth values.
@discardableResult
public func CFBooleanGetTypeID() -> CFTypeID { FoundationClass.boolean.typeID }

/// The classes of Foundation that have a type number.
private enum FoundationClass: CFTypeID, CaseIterable {
  case string = 1
  case dictionary, array, set, data, date, url, null, error, number, boolean

  var typeID: CFTypeID { rawValue }

  func holds(_ object: AnyObject) -> Bool {
    switch self {
    case .string: object is NSString
    case .dictionary: object is NSDictionary
    case .array: object is NSArray
    case .set: object is NSSet
    case .data: object is NSData
    case .date: object is NSDate
    case .url: object is NSURL
    case .null: object is NSNull
    case .error: object is NSError
    case .number, .boolean: object is NSNumber
    }
  }
}

extension NSNumber {
  /// Whether the number was made from a truth value: only then does Foundation unbox it to `Bool`.
  package var isBoolean: Bool {
    (NSArray(object: self) as? [Any])?.first is Bool && objCType.pointee == Self.booleanEncoding
  }

  private static let booleanEncoding = NSNumber(value: true).objCType.pointee
}
