import Foundation
import LinuxSystem

/// An account's own daemon, started by its own client from a root-owned installation.
///
/// No socket is named: the client finds the folder of the user and starts the daemon beside its own program.
public struct UserDaemon {
  /// The programs it starts.
  public let installation: Installation
  /// Whose daemon it is.
  public let account: TestAccount

  /// Names the account; its client starts the daemon.
  public init(_ installation: Installation = .shared, account: TestAccount) {
    self.installation = installation
    self.account = account
  }

  /// The command line of the account.
  public var commandLine: CommandLine { CommandLine(latchkey: installation.latchkey, account: account.account) }

  /// Ends the daemon as a crash would.
  public func crash() { account.killEverything() }
}
