import AccessPolicy
import ItemStore
import KeychainModel
import LinuxSystem
import SecretMemory

/// A store as a daemon would hold it, with its plain keys.
///
/// Item n is a generic password of a service of its own and of one of 100 accounts, with a label, and a value of 32 bytes.
struct SampleStore {
  let folder: String
  let store: ItemStore
  let keys: any ClassKeySource
  let accessibility: Accessibility

  static let valueBytes = 32

  /// A store of the benchmark's own.
  init(_ folder: String) throws {
    try self.init(
      folder, deviceKey: SecretBytes(copying: [UInt8](repeating: 7, count: 32)),
      owner: StoreOwner(uid: 1000, userName: "bench"), accessibility: .whenUnlocked)
  }

  /// Anybody's store, made where there is none; its items will have this accessibility.
  init(_ folder: String, deviceKey: SecretBytes, owner: StoreOwner, accessibility: Accessibility) throws {
    self.folder = folder
    self.accessibility = accessibility
    store = try ItemStore.open(
      location: StoreLocation(folder: folder), deviceKey: deviceKey, owner: owner, mode: .createIfMissing)
    keys = try store.deviceWrappedKeys()
  }

  static func attributes(_ number: Int) -> ItemAttributes {
    ItemAttributes([
      .service: .text(ExactText("com.example.service-\(number)")),
      .account: .text(ExactText("account-\(number % 100)")),
      .label: .text("An item of the benchmark"), .accessGroup: .text("default"), .synchronizable: .number(0),
    ])
  }

  func item(_ number: Int) throws -> NewItem {
    NewItem(
      itemClass: .genericPassword, attributes: Self.attributes(number), accessControl: .unconstrained(accessibility),
      value: try SecretBytes(copying: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: Self.valueBytes)))
  }

  /// Adds items of these numbers, `batch` in each transaction; nanoseconds of the adding alone.
  func add(_ numbers: Range<Int>, batch: Int) throws -> Double {
    var whole = 0.0
    for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: batch) {
      let items = try (start..<min(start + batch, numbers.upperBound)).map(item)
      whole += try time { _ = try store.add(items, onDuplicate: .refuse, keys: keys, now: 1_700_000_000) }
    }
    return whole
  }

  /// Adds items one by one, each acknowledged; nanoseconds.
  func addSingly(_ numbers: Range<Int>) throws -> Double {
    var whole = 0.0
    for number in numbers {
      let item = try item(number)
      whole += try time { _ = try store.add(item, keys: keys, now: 1_700_000_000) }
    }
    return whole
  }

  /// Finds an item by its name and opens it, as a read does.
  func read(_ number: Int) throws {
    var query = ItemQuery(
      itemClass: .genericPassword,
      attributes: ItemAttributes([
        .service: .text(ExactText("com.example.service-\(number)")),
        .account: .text(ExactText("account-\(number % 100)")),
      ]))
    query.twin = .any
    let page = try store.find(query, groups: ["default"], limit: 1, keys: keys)
    guard let item = page.items.first else { throw BenchFailure("item \(number) is not in the store") }
    let opened = try store.open(item, grant: Self.grant(item), keys: keys)
    guard opened.value?.count == Self.valueBytes else { throw BenchFailure("item \(number) did not open") }
  }

  private static func grant(_ item: SealedItem) throws -> Grant {
    var trace = DecisionTrace.off
    let request = AccessRequest(
      item: item.identifier, service: "", operation: .decrypt, accessControl: item.accessControl, policy: .builtIn,
      policyDigest: PolicyDigest(bytes: [UInt8](repeating: 0, count: 32)), keybag: .unlocked,
      peer: PeerFacts(uid: 1000, process: ProcessIdentity(pid: 1, startTime: 1), origin: .local),
      now: Instant(nanoseconds: 1), bootID: [])
    switch AccessEvaluator.evaluate(request, trace: &trace) {
    case .allow(let grant): return grant
    case .authenticate: throw BenchFailure("a plain item wants a proof")
    case .deny(let reason): throw BenchFailure("a plain item is refused: \(reason)")
    }
  }
}
