@_exported public import Foundation

// Apple's C names of the Foundation types. On Linux `as` bridges Swift values to the NS classes and back, so a plain name
// for each class is all that a query needs; the toolchain's own CoreFoundation classes bridge to nothing.

/// A result code of the Security framework: 0 for success, negative otherwise (`SecBase.h`).
public typealias OSStatus = Int32
/// A count or an index.
public typealias CFIndex = Int
/// The number of an object's type.
public typealias CFTypeID = UInt
/// The bits of a set of options.
public typealias CFOptionFlags = UInt
/// A hash value.
public typealias CFHashCode = UInt
/// A span of time in seconds.
public typealias CFTimeInterval = Double
/// Seconds since 2001-01-01 UTC.
public typealias CFAbsoluteTime = Double

/// Any object.
public typealias CFTypeRef = AnyObject
/// Any object a property list may hold.
public typealias CFPropertyList = AnyObject
/// Text.
public typealias CFString = NSString
/// Text that can be changed.
public typealias CFMutableString = NSMutableString
/// The name of a kind of errors.
public typealias CFErrorDomain = NSString
/// A dictionary.
public typealias CFDictionary = NSDictionary
/// A dictionary that can be changed.
public typealias CFMutableDictionary = NSMutableDictionary
/// An array.
public typealias CFArray = NSArray
/// An array that can be changed.
public typealias CFMutableArray = NSMutableArray
/// A set.
public typealias CFSet = NSSet
/// A set that can be changed.
public typealias CFMutableSet = NSMutableSet
/// Bytes.
public typealias CFData = NSData
/// Bytes that can be changed.
public typealias CFMutableData = NSMutableData
/// A point in time.
public typealias CFDate = NSDate
/// An address.
public typealias CFURL = NSURL
/// The object that stands for nothing.
public typealias CFNull = NSNull
/// A number.
public typealias CFNumber = NSNumber
/// A truth value.
public typealias CFBoolean = NSNumber
/// An error; a class that is an `Error`, so that `Unmanaged<CFError>` and `as Error` both work.
public typealias CFError = NSError
/// A universally unique identifier.
public typealias CFUUID = NSUUID

/// Where a function leaves an error, or `nil` (absent from Foundation on Linux).
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// What makes objects; there is only the default one, and it is `nil`.
public final class CFAllocator: NSObject, @unchecked Sendable {
  private override init() {}
}
