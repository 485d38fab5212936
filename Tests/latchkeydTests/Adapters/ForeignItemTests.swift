import AccessPolicy
import KeychainModel
import KeychainService
import LatchkeyTesting
import SecretMemory
import Testing

@testable import latchkeyd

/// The service hands items and permits back to the store they came from; a store checks that they are its own.
@Suite struct ForeignItemTests {
  private func new(_ account: String) throws -> NewItem {
    NewItem(
      itemClass: .genericPassword,
      attributes: ItemAttributes([
        .service: .text("mail"), .account: .text(ExactText(account)),
        .accessGroup: .text("default"),
        .synchronizable: .number(0),
      ]), accessControl: try AccessControl(accessibility: .whenUnlocked, flags: .userPresence),
      boundEnrolment: nil,
      value: secret("v"), applicationPassword: nil)
  }

  /// What each call answers to an item of another store.
  private func refusals(
    of store: any ItemStoring, to item: any StoredItem, keys: any KeychainService.ClassKeySource
  ) -> [Reason?] {
    [
      refusal {
        try store.open(
          item, grant: grant(item.identifier, .decrypt), keys: keys, itemKey: nil,
          applicationPassword: nil)
      },
      refusal { try store.permit(item, grant: grant(item.identifier, .decrypt)) },
      refusal { try store.update([item], change: ItemChange(), permits: [], keys: keys) },
      refusal { try store.delete([item], permits: []) },
      refusal { try store.invalidate(item, reason: .invalidatedByEnrolment) },
    ].map { $0?.reason }
  }

  @Test func `an item of another store is refused by every call, and its permit permits nothing`()
    throws
  {
    let folder = ScratchFolder()
    let store = try folder.store()
    let memory = MemoryStore()
    let keys = StoreOwnKeys(store: store)
    let item = try store.add(new("a"), keys: keys)
    let foreign = try memory.add(new("a"), keys: keys)
    #expect(
      refusals(of: store, to: foreign, keys: keys) == Array(repeating: .internalFailure, count: 5))
    #expect(
      refusals(of: memory, to: item, keys: keys) == Array(repeating: .internalFailure, count: 5))
    var change = ItemChange()
    change.value = secret("w")
    let permits = [
      try memory.permit(foreign, grant: grant(foreign.identifier, .decrypt)),
      try store.permit(item, grant: grant(item.identifier, .decrypt)),
    ]
    let refused = refusal {
      try store.update([item], change: change, permits: [permits[0]], keys: keys)
    }
    #expect(refused?.reason == .interactionNotAllowed)
    let other = refusal {
      try memory.update([foreign], change: change, permits: [permits[1]], keys: keys)
    }
    #expect(other?.reason == .interactionNotAllowed)
    try store.update([item], change: change, permits: [permits[1]], keys: keys)
    try memory.update([foreign], change: change, permits: [permits[0]], keys: keys)
    #expect(try store.count() == 1)
    #expect(try memory.count() == 1)
  }
}
