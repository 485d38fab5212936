import ItemStore
import KeychainModel
import SecretMemory

@testable import latchkeyd

/// Stores many plain items in one transaction.
func addMany(_ store: UserStore, _ count: Int) throws {
  let value = try SecretBytes(copying: [1])
  let items = (0..<count).map { number in
    NewItem(
      itemClass: .genericPassword,
      attributes: ItemAttributes([
        .service: .text("other"), .account: .text(ExactText("n\(number)")), .accessGroup: .text("default"),
      ]), accessControl: .unconstrained(.whenUnlocked), value: value)
  }
  _ = try store.store.add(items, onDuplicate: .refuse, keys: try store.store.deviceWrappedKeys(), now: 1)
}
