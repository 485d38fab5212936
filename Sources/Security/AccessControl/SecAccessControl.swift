public import CFBridge
package import KeychainModel

/// When and on which proof an item opens.
///
/// Two are equal when they say the same of every operation, as with Apple: a joiner that joins nothing makes no difference.
public final class SecAccessControl: NSObject, CFTypeNumbered, @unchecked Sendable {
  package static let typeID: CFTypeID = 257

  /// The access control as the keychain knows it.
  package let control: AccessControl

  /// Wraps an access control, as one comes back with an item's attributes.
  package init(_ control: AccessControl) { self.control = control }

  /// Whether both say the same.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? SecAccessControl else { return false }
    return control == other.control || text == other.text
  }

  /// Hashes what ``isEqual(_:)`` compares.
  public override var hash: Int { text.hashValue }

  /// The text form: "ak;od(cpo(DeviceOwnerAuthentication));odel(true);oe(true)".
  public override var description: String { text }

  /// As ``description``.
  public override var debugDescription: String { text }

  /// The text form of ``AccessControlText``.
  package var text: String { AccessControlText.write(control) }
}

/// The type number of ``SecAccessControl``.
@discardableResult
public func SecAccessControlGetTypeID() -> CFTypeID { SecAccessControl.typeID }

/// Makes an access control from an accessibility and flags.
///
/// The flags must go together: not ``SecAccessControlCreateFlags/or`` with `and`, not `biometryAny` with
/// `biometryCurrentSet`, and `userPresence` only with `applicationPassword` and `privateKeyUsage`. Whether the machine can
/// prove them is asked when an item is added.
///
/// - Parameters:
///   - allocator: Not used; `nil`.
///   - protection: One of the `kSecAttrAccessible...` values.
///   - flags: What must be proved.
///   - error: Where an error is left that the caller releases: domain `NSOSStatusErrorDomain`, code `errSecParam`.
/// - Returns: The access control, or `nil`.
@discardableResult
public func SecAccessControlCreateWithFlags(
  _ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
  guard let name = protection as? NSString, let accessibility = Accessibility(rawValue: name as String) else {
    error.leave(errSecParam, "The protection is none of the kSecAttrAccessible values.")
    return nil
  }
  do {
    let flags = AccessControlFlags(rawValue: UInt64(flags.rawValue))
    return SecAccessControl(try AccessControl(accessibility: accessibility, flags: flags))
  } catch let fault {
    error.leave(errSecParam, fault.explanation)
    return nil
  }
}

/// The access control as bytes that ``SecAccessControlCreateFromData(_:_:_:)`` takes: its text form in UTF-8.
///
/// Apple has functions of these names outside of the public headers; the bytes are not the same.
@discardableResult
public func SecAccessControlCopyData(_ accessControl: SecAccessControl) -> CFData? {
  NSData(data: Data(accessControl.text.utf8))
}

/// The access control that ``SecAccessControlCopyData(_:)`` wrote.
///
/// - Parameters:
///   - allocator: Not used; `nil`.
///   - data: The bytes; anything more than one access control is refused.
///   - error: Where an error is left that the caller releases: domain `NSOSStatusErrorDomain`, code `errSecDecode`.
/// - Returns: An access control that is equal to the one written, or `nil`.
@discardableResult
public func SecAccessControlCreateFromData(
  _ allocator: CFAllocator?, _ data: CFData, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
  guard let text = String(data: data as Data, encoding: .utf8), let control = AccessControlText.read(text) else {
    error.leave(errSecDecode, ResultCodeMessages.sentence(for: errSecDecode))
    return nil
  }
  return SecAccessControl(control)
}

extension UnsafeMutablePointer<Unmanaged<CFError>?>? {
  /// Leaves an error for the caller to release; nothing where none is wanted.
  fileprivate func leave(_ code: OSStatus, _ sentence: String?) {
    guard let self else { return }
    let facts = sentence.map { [NSLocalizedDescriptionKey: $0] }
    self.pointee = .passRetained(NSError(domain: NSOSStatusErrorDomain, code: Int(code), userInfo: facts))
  }
}
