internal import ItemStore
internal import KeychainModel
internal import KeychainService
internal import SecretMemory

/// The class keys of a request, as the store asks for them.
struct RequestStoreKeys: StoreClassKeySource {
  let source: any KeychainService.ClassKeySource

  func key(for protection: ProtectionClass, use: StoreClassKeyUse) -> SecretBytes? {
    source.key(for: protection, use: use.port)
  }
}

/// Keys that a proof opened, as the store asks for them.
struct HeldStoreKeys: StoreClassKeySource {
  let keys: ClassKeys

  func key(for protection: ProtectionClass, use: StoreClassKeyUse) -> SecretBytes? { keys[protection, use.port] }
}

extension StoreClassKeyUse {
  var port: KeychainService.ClassKeyUse {
    switch self {
    case .values: .values
    case .metadata: .metadata
    }
  }
}

extension ClassKeySet {
  /// The same keys, as the service holds them.
  var port: ClassKeys {
    var held = ClassKeys()
    for (name, key) in keys { held[name.protection, name.use.port] = key }
    return held
  }
}
