internal import Foundation
internal import KeychainModel

// A persistent reference has Apple's shape: 4 letters of the class and the 16 bytes of the item's name for life.
extension ItemReference {
  /// 20 bytes.
  var persistent: Data { Data(itemClass.rawValue.utf8) + Data(identifier.bytes) }

  /// Reads 20 bytes; `nil` for anything else.
  init?(persistent data: Data) {
    let bytes = Array(data)
    guard bytes.count == 20, let name = String(validating: bytes.prefix(4), as: UTF8.self),
      let itemClass = ItemClass(rawValue: name), let identifier = ItemIdentifier(bytes: Array(bytes.dropFirst(4)))
    else { return nil }
    self.init(itemClass: itemClass, identifier: identifier)
  }

  /// The object that stands for the item; a password has none.
  var object: AnyObject? {
    switch itemClass {
    case .genericPassword, .internetPassword: nil
    case .certificate: SecCertificate(self)
    case .key: SecKey(self)
    case .identity: SecIdentity(self)
    }
  }
}
