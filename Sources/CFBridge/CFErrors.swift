public import Foundation

/// The domain of an error; the code means something only inside of it.
@discardableResult
public func CFErrorGetDomain(_ error: CFError!) -> CFErrorDomain! { NSString(string: error.domain) }

/// The code of an error.
@discardableResult
public func CFErrorGetCode(_ error: CFError!) -> CFIndex { error.code }

/// What else an error carries.
@discardableResult
public func CFErrorCopyUserInfo(_ error: CFError!) -> CFDictionary! { error.userInfo as NSDictionary }

/// The sentence of an error.
@discardableResult
public func CFErrorCopyDescription(_ error: CFError!) -> CFString! { NSString(string: error.localizedDescription) }

/// Why an error happened, or `nil` where it does not say.
@discardableResult
public func CFErrorCopyFailureReason(_ error: CFError!) -> CFString! {
  error.localizedFailureReason.map { NSString(string: $0) }
}

/// Makes an error.
@discardableResult
public func CFErrorCreate(
  _ allocator: CFAllocator!, _ domain: CFErrorDomain!, _ code: CFIndex, _ userInfo: CFDictionary!
) -> CFError! {
  NSError(domain: domain as String, code: code, userInfo: userInfo as? [String: Any])
}
