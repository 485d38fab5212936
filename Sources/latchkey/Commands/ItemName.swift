internal import KeychainModel
internal import TerminalIO

/// The name of one generic password: `-s SERVICE -a ACCOUNT`, exact bytes.
struct ItemName: Equatable, Sendable {
  let service: ExactText
  let account: ExactText

  static let options: [Option] = [.service, .account]

  init(_ arguments: Arguments) throws(UsageError) {
    try arguments.requireNoOperands()
    service = try arguments.required(.service)
    account = try arguments.required(.account)
  }

  /// The attributes by which it is stored and found.
  var attributes: ItemAttributes { ItemAttributes([.service: .text(service), .account: .text(account)]) }

  /// The search for it.
  var query: ItemQuery { ItemQuery(itemClass: .genericPassword, attributes: attributes) }

  /// Its entries in an answer.
  var json: [(String, JSONText)] { [("service", .exact(service)), ("account", .exact(account))] }
}
