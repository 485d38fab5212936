import Foundation
import LinuxSystem
import TestSupport

/// An account's own daemon, started by its own client from a root-owned installation.
///
/// No socket is named: the client finds the folder of the user and starts the daemon beside its own program.
struct UserDaemon {
  let installation: Installation
  let account: TestAccount

  init(_ installation: Installation = .shared, account: TestAccount) {
    self.installation = installation
    self.account = account
  }

  /// The command line of the account.
  var commandLine: CommandLine { CommandLine(latchkey: installation.latchkey, account: account.account) }

  /// Ends the daemon as a crash would.
  func crash() { account.killEverything() }
}
