/// Where a daemon finds and keeps everything; made once from the command line and checked there.
struct DaemonPlaces: Hashable, Sendable {
  /// Which of the two ways to run.
  var mode: DaemonMode
  /// The socket's path.
  var socket: String
  /// System mode: the folder with one folder for each uid. User mode: the user's own store folder.
  var state: String
  /// Folders that are searched for PAM stacks, the first that holds one wins: an administrator's, then what was shipped.
  var pamFolders: [String]
  /// The folder of the administrator's policy files.
  var systemPolicies: String
  /// The folder of the policy files that serve where nobody else speaks.
  var shippedPolicies: String
  /// The PAM helper's program file.
  var helperProgram: String
  /// The prompter's program file.
  var prompterProgram: String
  /// How hard a first passcode is stretched.
  var stretching: StretchingStrength
  /// Where fprintd keeps the enrolled fingers: one folder for each user's name.
  var fingerprints = "/var/lib/fprint"
  /// The address of the system bus (D-Bus specification, "Server Addresses"); `nil` for the usual one.
  var systemBus: String?
  /// Where pinentry may stand; the first that only root can change is taken.
  var pinentries = DisplayCheck.programs
}

/// The two ways to run.
enum DaemonMode: String, Hashable, Sendable {
  /// As root, for every user.
  case system
  /// As one user, for that user.
  case user
}

/// How hard a first passcode is stretched (crypto_pwhash, libsodium).
enum StretchingStrength: String, CaseIterable, Hashable, Sendable {
  /// The least that is accepted: 64 MiB.
  case interactive
  /// The most that is accepted: 256 MiB.
  case moderate
}
