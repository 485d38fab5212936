public import CFBridge
package import KeychainModel

/// What stands behind a key, a certificate or an identity: the item it was found as.
package struct ItemReference: Hashable, Sendable {
  /// The item's class.
  package let itemClass: ItemClass
  /// The item's identifier.
  package let identifier: ItemIdentifier

  /// Makes a reference.
  package init(itemClass: ItemClass, identifier: ItemIdentifier) {
    self.itemClass = itemClass
    self.identifier = identifier
  }
}

/// A cryptographic key in the keychain, found with `kSecReturnRef`. It is stored and searched; it computes nothing here.
public final class SecKey: NSObject, CFTypeNumbered, @unchecked Sendable {
  package static let typeID: CFTypeID = 258
  /// The item.
  package let reference: ItemReference
  /// Makes a key from the item it was found as.
  package init(_ reference: ItemReference) { self.reference = reference }
  /// Whether both are the same item.
  public override func isEqual(_ object: Any?) -> Bool { (object as? SecKey)?.reference == reference }
  /// Hashes what ``isEqual(_:)`` compares.
  public override var hash: Int { reference.hashValue }
}

/// A certificate in the keychain, found with `kSecReturnRef`.
public final class SecCertificate: NSObject, CFTypeNumbered, @unchecked Sendable {
  package static let typeID: CFTypeID = 259
  /// The item.
  package let reference: ItemReference
  /// Makes a certificate from the item it was found as.
  package init(_ reference: ItemReference) { self.reference = reference }
  /// Whether both are the same item.
  public override func isEqual(_ object: Any?) -> Bool { (object as? SecCertificate)?.reference == reference }
  /// Hashes what ``isEqual(_:)`` compares.
  public override var hash: Int { reference.hashValue }
}

/// A certificate with its private key, found with `kSecReturnRef`.
public final class SecIdentity: NSObject, CFTypeNumbered, @unchecked Sendable {
  package static let typeID: CFTypeID = 260
  /// The item.
  package let reference: ItemReference
  /// Makes an identity from the item it was found as.
  package init(_ reference: ItemReference) { self.reference = reference }
  /// Whether both are the same item.
  public override func isEqual(_ object: Any?) -> Bool { (object as? SecIdentity)?.reference == reference }
  /// Hashes what ``isEqual(_:)`` compares.
  public override var hash: Int { reference.hashValue }
}

/// The type number of ``SecKey``.
@discardableResult
public func SecKeyGetTypeID() -> CFTypeID { SecKey.typeID }
/// The type number of ``SecCertificate``.
@discardableResult
public func SecCertificateGetTypeID() -> CFTypeID { SecCertificate.typeID }
/// The type number of ``SecIdentity``.
@discardableResult
public func SecIdentityGetTypeID() -> CFTypeID { SecIdentity.typeID }
