internal import Foundation

/// The name of one generic password: an account of a service.
///
/// A string literal is an account of ``defaultService``.
public struct KeychainAttributes: Equatable, ExpressibleByStringLiteral, Hashable, Sendable {
  /// The service where none is named: this program's bundle identifier or, since few programs on Linux have one, its name.
  ///
  /// Foundation reads a bundle identifier from an `Info.plist` beside the program. Two programs of one name share a service:
  /// name one of your own where that matters.
  public static let defaultService: String =
    Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName

  /// Whose password it is; the item's `kSecAttrAccount`, at most 4096 bytes of UTF-8.
  public let account: String
  /// What it is for; the item's `kSecAttrService`, at most 4096 bytes of UTF-8.
  public let service: String

  /// Names an account of a service.
  public init(account: String, service: String = KeychainAttributes.defaultService) {
    self.account = account
    self.service = service
  }

  /// Names an account of ``defaultService``.
  public init(stringLiteral account: String) { self.init(account: account) }
}
