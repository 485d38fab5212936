import Foundation
import LinuxSystem
import ItemScript
import Security
import TestSupport

/// One daemon and its users, for all rows.
final class RowHouse {
  let daemon: SystemDaemon
  let account: TestAccount
  let password = "horse-\(UInt32.random(in: 0 ... .max))"
  /// A program without groups of its own.
  let program: String
  /// A program that a policy file grants the groups `row.a` and `row.b`.
  let member: String
  /// A program that nobody else runs: for tests that grant it something.
  let newcomer: String
  private(set) var agent: ItemAgent
  private var others: [TestAccount] = []

  /// The house of this process; it goes away with it.
  nonisolated(unsafe) static var shared: RowHouse = {
    atexit { RowHouse.end() }
    return try! RowHouse()
  }()

  private nonisolated(unsafe) static var isEnded = false

  private static func end() {
    guard !isEnded else { return }
    isEnded = true
    shared.close()
  }

  private init() throws {
    daemon = try SystemDaemon(
      policy: [
        "single": "service: single\ntries: 1\n", "hasty": "service: hasty\ndeadline: 5s\n",
        "sticky": "service: sticky\nreuse: {window: 1h, scope: process}\n",
      ])
    account = TestAccount(password: password, home: .made)
    program = daemon.folder + "/item-agent"
    member = daemon.folder + "/item-member"
    newcomer = daemon.folder + "/item-newcomer"
    for path in [program, member, newcomer] {
      try FileManager.default.copyItem(atPath: BuiltPrograms.path(of: "item-agent"), toPath: path)
      chmod(path, 0o755)
    }
    try daemon.write(
      "service: row.groups\ncallers:\n  - executable: \(member)\n    groups: [row.a, row.b]\n",
      to: "policies/row.groups.yaml")
    agent = try ItemAgent(program, as: account.account, socket: daemon.socket)
    unlock()
  }

  /// Opens the keybag of the house's user; the first time binds it.
  private func unlock() { _ = commandLine(of: account).run("unlock", passcode: password) }

  private func close() {
    daemon.crash()
    try? FileManager.default.removeItem(atPath: daemon.folder)
    for account in others + [account] {
      account.killEverything()
      run(["userdel", "-r", account.name])
    }
  }

  /// An agent of the house's user.
  func newAgent(_ program: String? = nil) throws -> ItemAgent {
    try ItemAgent(program ?? self.program, as: account.account, socket: daemon.socket)
  }

  /// A user of its own, for rows that change the account or its store.
  func guest(password: String? = "guest") throws -> (account: TestAccount, agent: ItemAgent) {
    let guest = TestAccount(password: password, home: .made)
    others.append(guest)
    return (guest, try ItemAgent(program, as: guest.account, socket: daemon.socket))
  }

  /// The command line of a user, to lock and unlock.
  func commandLine(of account: TestAccount) -> CommandLine { daemon.commandLine(of: account) }

  /// The store of a user.
  func store(of account: TestAccount) -> String { "\(daemon.state)/\(account.uid)/keychain.db" }

  /// Stops the daemon, does something with its files and starts it again.
  func whileStopped(_ body: () throws -> Void) throws {
    daemon.crash()
    try body()
    try daemon.start()
    unlock()
  }
}

/// A generic password of a row.
func password(_ service: String, _ account: String = "me", _ more: Items = [:]) -> Items {
  let base: Items = [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account]
  return base.merging(more) { $1 }
}

/// What is added of it: a value, and more.
func value(_ text: String) -> Items { [kSecValueData: Data(text.utf8)] }

/// What makes a query answer the value.
var returningData: Items { [kSecReturnData: true] }
/// What makes a query answer all matches.
var matchingAll: Items { [kSecMatchLimit: kSecMatchLimitAll] }

/// An access control.
func controlled(_ flags: SecAccessControlCreateFlags, _ protection: CFString = kSecAttrAccessibleWhenUnlocked) -> Items
{
  [kSecAttrAccessControl: SecAccessControlCreateWithFlags(nil, protection, flags, nil)!]
}

infix operator ++ : AdditionPrecedence

/// Puts dictionaries together; the right one counts. An operator of its own, because `+` has too many meanings to infer one.
func ++ (left: Items, right: Items) -> Items { left.merging(right) { $1 } }

/// A context of the agent, by its name.
typealias ItemContext = ItemScript.Context
