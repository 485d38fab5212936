internal import KeychainModel

/// The item that a stored right is: a generic password whose value is the secret and whose access control is the
/// requirement.
struct RightItem: Sendable {
  /// The service of all rights' items, for policies about them.
  static let service: ExactText = "latchkey.rights"

  let identifier: String

  /// Its name.
  var query: ItemQuery { Self.query([.service: .text(Self.service), .account: .text(ExactText(identifier))]) }

  /// The rights of every identifier.
  static var all: ItemQuery {
    var query = query([.service: .text(service)])
    query.limit = .all
    return query
  }

  /// Its attributes.
  var attributes: ItemAttributes {
    ItemAttributes([
      .service: .text(Self.service), .account: .text(ExactText(identifier)),
      .label: .text(ExactText("Right \(identifier)")),
    ])
  }

  /// What it demands: the owner, on this machine only.
  static func accessControl(_ rule: RightRule) throws(Refusal) -> AccessControl {
    do throws(AccessControlError) {
      return try AccessControl(accessibility: .whenUnlockedThisDeviceOnly, flags: rule.flags)
    } catch { throw Refusal(.invalidParameter, detail: error.explanation) }
  }

  private static func query(_ attributes: [AttributeKey: AttributeValue]) -> ItemQuery {
    ItemQuery(itemClass: .genericPassword, attributes: ItemAttributes(attributes))
  }
}
