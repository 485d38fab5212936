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

    check and test need no daemon. FILE may be - (standard input) for diff and apply; diff ends with 1 where
    anything differs. Exit status: 0 good, 1 something was found or refused, 2 usage.
    The format of the files is in latchkey-policy(5).
    """
}
