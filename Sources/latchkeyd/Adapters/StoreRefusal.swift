internal import ItemStore
internal import KeychainModel

extension Refusal {
  /// What the store's error means to a request: its reason, and the place where the file itself is at fault.
  init(_ error: StoreError, at file: String) {
    self.init(error.reason, detail: Self.detail(of: error, file))
  }

  private static func detail(of error: StoreError, _ file: String) -> String {
    switch error {
    case .missing: "\(file) is missing"
    case .damaged(let what): "\(file): its \(what.rawValue) cannot be read"
    case .replaced: "\(file) was removed or replaced under the daemon; end it, so that the next one opens what is there"
    case .newer(let format): "\(file) is of format \(format)"
    case .foreign(.uid(let uid)): "\(file) belongs to the user id \(uid)"
    case .foreign(.userName): "\(file) belongs to an earlier holder of this user id"
    case .foreign(.deviceKey): "\(file) was made with another device key"
    case .readOnly, .diskFull: file
    case .ioFailed(let code): "\(file): SQLite error \(code)"
    case .busy: "\(file) is held by another process"
    case .attributeRefused(let key): key.rawValue
    case .permitRequired: "the change needs a proof"
    default: ""
    }
  }
}
