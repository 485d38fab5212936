import Foundation
import ItemScript
import LinuxSystem
import Security
import TestSupport

/// What a verb answered.
struct VerbAnswer {
  let status: Int32
  /// The reason's code, or empty.
  let reason: String
  let detail: String
  /// What came back, or `nil` where the result was left alone.
  let result: Any?

  var data: Data? { result as? Data }
  var text: String? { data.map { String(decoding: $0, as: UTF8.self) } }
  var attributes: [String: Any] { result as? [String: Any] ?? [:] }
  var list: [Any]? { result as? [Any] }
  /// The list's values as text, in its order.
  var texts: [String]? { list?.compactMap { ($0 as? Data).map { String(decoding: $0, as: UTF8.self) } } }
  /// The list's dictionaries.
  var dictionaries: [[String: Any]]? { list as? [[String: Any]] }
}

/// A program that runs the item verbs as a user at a terminal of its own.
final class ItemAgent {
  let person: Person
  private let process: SpawnedProcess
  private let orders: OwnedDescriptor
  private let answers: OwnedDescriptor
  private var pending = Data()

  /// Starts it.
  init(_ program: String, as account: UserAccount, socket: String) throws {
    person = try Person(owner: account)
    let (theirOrders, ours) = try OwnedDescriptor.pipe()
    let (answers, theirAnswers) = try OwnedDescriptor.pipe()
    orders = ours
    self.answers = answers
    var plan = SpawnPlan(
      arguments: ["setsid", "-c", "-w", program],
      environment: [
        "HOME": account.home, "USER": account.name, "LATCHKEY_SOCKET": socket, "SWIFT_BACKTRACE": "enable=no",
      ])
    plan.newSession = false
    plan.asUser = account
    plan.descriptors = [
      .init(person.terminal, as: 0), .init(person.terminal, as: 1), .init(person.terminal, as: 2),
      .init(theirOrders, as: 3), .init(theirAnswers, as: 4),
    ]
    process = try Spawn.start("/usr/bin/setsid", plan)
  }

  deinit { process.killAndWait() }

  /// Why there was no answer.
  struct Silent: Error, CustomStringConvertible {
    let order: String
    let screen: String
    var description: String { "no answer to \(order), the screen shows \(screen.debugDescription)" }
  }

  /// How often the person was asked so far.
  var prompts: Int {
    person.readOn()
    return person.screen.components(separatedBy: "Passcode for").count - 1
  }

  /// Runs an order, with these keys typed at the prompts it brings up.
  @discardableResult
  func run(_ order: [String: Any], typing keys: [String] = []) throws -> VerbAnswer {
    try Files.writeAll(orders, Array(ItemScript.line(order)).span)
    for key in keys {
      try person.see("Passcode for")
      try person.type(key)
    }
    let line = try nextLine(order)
    let json = ItemScript.object(line)
    let result = (json["result"] as? [String: Any]).map { ItemScript.decode($0) }
    return VerbAnswer(
      status: Int32(truncatingIfNeeded: json["status"] as? Int ?? 1), reason: json["reason"] as? String ?? "",
      detail: json["detail"] as? String ?? "", result: result)
  }

  private func nextLine(_ order: [String: Any]) throws -> Data {
    let deadline = Clock.boottime + 30_000_000_000
    while true {
      if let end = pending.firstIndex(of: 0x0A) {
        let line = pending[..<end]
        pending = Data(pending[(end + 1)...])
        return Data(line)
      }
      guard try Poll.wait([PollEntry(answers)], until: deadline)[0].isReadable else { break }
      var chunk = [UInt8](repeating: 0, count: 65_536)
      var span = chunk.mutableSpan
      let count = try Files.read(answers, into: &span)
      guard count > 0 else { break }
      pending.append(contentsOf: chunk.prefix(count))
    }
    person.readOn()
    throw Silent(order: "\(order)", screen: person.screen)
  }
}

/// Item dictionaries as tests write them.
typealias Items = [CFString: Any]

extension [CFString: Any] {
  /// For an order.
  var encoded: [String: Any] {
    ItemScript.encode(Dictionary<String, Any>(uniqueKeysWithValues: map { ($0.key as String, $0.value) }))
  }
}

extension ItemAgent {
  @discardableResult
  func add(_ query: Items, wants: Bool = true) throws -> VerbAnswer {
    try run(["verb": "add", "query": query.encoded, "wants": wants])
  }
  @discardableResult
  func read(_ query: Items, typing keys: [String] = [], wants: Bool = true) throws -> VerbAnswer {
    try run(["verb": "read", "query": query.encoded, "wants": wants], typing: keys)
  }
  @discardableResult
  func update(_ query: Items, _ change: Items, typing keys: [String] = []) throws -> VerbAnswer {
    try run(["verb": "update", "query": query.encoded, "change": change.encoded], typing: keys)
  }
  @discardableResult
  func delete(_ query: Items, typing keys: [String] = []) throws -> VerbAnswer {
    try run(["verb": "delete", "query": query.encoded], typing: keys)
  }
  /// Does something with a context of the agent: `make`, `invalidate`, `forbid`, `password`.
  func context(_ deed: String, _ name: String, password: String? = nil) throws {
    var order: [String: Any] = ["verb": "context.\(deed)", "name": name]
    order["password"] = password
    try run(order)
  }
  /// Has a context prove that its user is there.
  func prove(_ name: String, typing keys: String) throws {
    try run(["verb": "context.prove", "name": name], typing: [keys])
  }
}
