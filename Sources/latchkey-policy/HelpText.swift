/// What `--help` says.
enum HelpText {
  static let text = """
    usage: latchkey policy COMMAND [--json] [--no-prompt] [--passcode-fd N]

      check FILE|DIR... [--pam DIR]   read policies, tests and PAM stacks; tell every fault with its line
      test FILE...                    play the rows of FILE.test.yaml without an authenticator
      explain SERVICE                 the policy in force for SERVICE and the files that had a say
      diff FILE                       what would change if FILE were applied
      apply FILE                      put FILE in force for you; a looser one asks for a proof
      remove SERVICE                  take your own policy for SERVICE away
      list                            the policies in force
      help [COMMAND]                  this text, or what a command does

    --version says which version this is.

    'latchkey policy COMMAND --help' says more of one.
    \(ending)
    """

  private static let ending = """
    Exit status: 0 good, 1 something was found or refused, 2 usage.
    The format of the files is in latchkey-policy(5).
    """

  /// The help of one command; `nil` where there is no such command.
  static func text(of command: String) -> String? {
    guard let (synopsis, details) = pages[command] else { return nil }
    return "usage: latchkey policy \(command) \(synopsis)\n\n\(details)\n\n\(ending)"
  }

  private static let pages: [String: (synopsis: String, details: String)] = [
    "check": (
      "FILE|DIR... [--pam DIR] [--json]",
      """
      Reads policies, their tests and, in folders given by --pam, PAM stacks, and tells every fault with its file, line
      and column. Needs no daemon and changes nothing. A folder stands for the .yaml files in it.
      """
    ),
    "test": (
      "FILE... [--json]",
      """
      Plays the given/expect rows of FILE.test.yaml against FILE, as the daemon would decide, without asking for a proof.
      Needs no daemon. Ends with 1 where a row is not as expected.
      """
    ),
    "explain": (
      "SERVICE [--json]",
      "Shows the policy in force for SERVICE and which files had a say. Never asks for a proof."
    ),
    "diff": (
      "FILE [--json]",
      "Shows what would change if FILE (- for standard input) were applied. Ends with 1 where anything differs."
    ),
    "apply": (
      "FILE [--json] [--no-prompt] [--passcode-fd N]",
      """
      Puts FILE (- for standard input) in force for you and no other user. One that makes anything easier asks for a
      proof under the policy in force.
      """
    ),
    "remove": (
      "SERVICE [--json] [--no-prompt] [--passcode-fd N]",
      """
      Takes your own policy for SERVICE away. Asks for a proof where that makes anything easier.
      """
    ),
    "list": ("[--json]", "Lists the policies in force, those of the system, your own and those that were shipped."),
  ]
}
