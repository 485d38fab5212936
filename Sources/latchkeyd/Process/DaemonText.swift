/// What the program says of itself on the command line.
enum DaemonText {
  /// The version of Latchkey.
  static let version = "0.1.0"

  /// The answer to --help.
  static let help = """
    latchkeyd - keeps secrets and asks for proof before it gives them out

    usage: latchkeyd --user|--system [options]

      --user                 serve the user that starts it
      --system               serve every user; as root
      --socket PATH          listen here
      --state DIR            keep the store here
      --pam DIR              read PAM stacks here only
      --policies DIR         the administrator's policies
      --fingerprints DIR     with --system: where fprintd keeps what is enrolled
      --bus ADDRESS          the system bus, as unix:path=PLACE
      --pinentry PROGRAM     asks on displays; only root may be able to change it
      --stretching STRENGTH  how hard a first passcode is stretched: interactive or moderate
      --ready-fd N           write one byte there when it serves, or a line that says why not
      --idle SECONDS         with --user: end after so long without use, while nothing is unlocked
      --help, --version

    """
}
