public import Foundation

/// The code of success.
public var noErr: OSStatus { 0 }

/// The default allocator: `nil`, as every function here takes it.
public let kCFAllocatorDefault: CFAllocator! = nil

/// The object for true. Implicitly unwrapped as with Apple, so that it goes bare, with `!` and `as Any` into a dictionary.
public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)

/// The object for false.
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)

/// The object that stands for nothing.
public let kCFNull: CFNull! = NSNull()

/// The domain of errors that carry a result code.
public nonisolated(unsafe) let kCFErrorDomainOSStatus: CFErrorDomain! = NSString(string: NSOSStatusErrorDomain)

/// The domain of errors that carry an errno(3).
public nonisolated(unsafe) let kCFErrorDomainPOSIX: CFErrorDomain! = NSString(string: NSPOSIXErrorDomain)

/// The domain of errors of Foundation itself.
public nonisolated(unsafe) let kCFErrorDomainCocoa: CFErrorDomain! = NSString(string: NSCocoaErrorDomain)

/// The key of an error's sentence.
public nonisolated(unsafe) let kCFErrorLocalizedDescriptionKey: CFString! = NSString(string: NSLocalizedDescriptionKey)

/// The key of an error's cause in one sentence.
public nonisolated(unsafe) let kCFErrorLocalizedFailureReasonKey: CFString! =
  NSString(string: NSLocalizedFailureReasonErrorKey)

/// The key of the error behind an error.
public nonisolated(unsafe) let kCFErrorUnderlyingErrorKey: CFString! = NSString(string: NSUnderlyingErrorKey)
