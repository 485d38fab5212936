internal import ItemStore
internal import KeychainModel

extension UserStore {
  /// The user's own policies, by pattern. Throws `storeDamaged` where one does not open, `ioFailed`, `outOfMemory`.
  func policies() throws(Refusal) -> [StoredPolicy] { try call { store throws(StoreError) in try store.policies() } }

  /// Keeps a policy for a pattern, or takes it away. Throws `invalidParameter` (one too many, too long), `itemNotFound` (nothing
  /// to take away), `diskFull`, `ioFailed`.
  func putPolicy(_ pattern: ExactText, text: ExactText?) throws(Refusal) {
    try call { store throws(StoreError) in
      if let text {
        try store.putPolicy(pattern: pattern, text: text)
      } else {
        try store.deletePolicy(pattern: pattern)
      }
    }
  }
}
