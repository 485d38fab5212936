internal import SecretMemory

/// The cipher as the store uses it, with the store's errors.
enum Seal {
  static func seal(_ plaintext: SecretBytes, _ key: SecretBytes, _ data: [UInt8]) throws(StoreError) -> [UInt8] {
    do { return try AuthenticatedCipher.seal(plaintext, key: key, associatedData: data) } catch {
      throw .internalFailure
    }
  }

  /// The plaintext, or `nil` where seal, key and associated data do not belong together.
  static func open(_ sealed: [UInt8], _ key: SecretBytes, _ data: [UInt8]) throws(StoreError) -> SecretBytes? {
    do { return try AuthenticatedCipher.open(sealed, key: key, associatedData: data) } catch {
      switch error {
      case .memory: throw .outOfMemory
      case .wrongKeySize: throw .internalFailure
      case .truncated, .notAuthentic: return nil
      }
    }
  }

  static func secret(_ bytes: [UInt8]) throws(StoreError) -> SecretBytes {
    do { return try SecretBytes(copying: bytes) } catch { throw .outOfMemory }
  }
}
