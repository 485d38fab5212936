internal import KeychainModel
internal import LinuxSystem

/// The helper's and the prompter's program files.
struct AuthenticationPrograms: Sendable {
  /// The helper's path.
  let helper: String
  /// The prompter's path.
  let prompter: String
  /// The helper's environment: modules speak English, and find the system bus where the daemon was told it is.
  let helperEnvironment: [String: String]
  private let owners: Set<UInt32>

  init(places: DaemonPlaces) {
    helper = places.helperProgram
    prompter = places.prompterProgram
    var environment = ["LANG": "C.UTF-8"]
    environment[ProcessHardening.noBacktrace.name] = ProcessHardening.noBacktrace.value
    environment["DBUS_SYSTEM_BUS_ADDRESS"] = places.systemBus
    helperEnvironment = environment
    owners = places.trustedOwners
  }

  /// Refuses where the helper is missing or somebody else could have replaced it: `helperFailed`.
  func requireHelper() throws(Refusal) { try require(helper) }

  /// Refuses where the prompter is missing or somebody else could have replaced it: `helperFailed`.
  func requirePrompter() throws(Refusal) { try require(prompter) }

  /// The file and its folder: whoever may write one of them chooses what runs here.
  private func require(_ path: String) throws(Refusal) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    for (place, kind) in [(folder.isEmpty ? "/" : folder, FileFacts.Kind.directory), (path, .regular)] {
      let facts: FileFacts
      do { facts = try Files.facts(place) } catch { throw Refusal(.helperFailed, detail: "\(place): \(error)") }
      guard facts.kind == kind else { throw Refusal(.helperFailed, detail: "\(place) is not a program's place") }
      guard owners.contains(facts.owner) else {
        throw Refusal(.helperFailed, detail: "\(place) belongs to user \(facts.owner)")
      }
      guard !facts.isWritableByOthers else { throw Refusal(.helperFailed, detail: "\(place) can be written by others") }
    }
  }
}

extension DaemonPlaces {
  /// Whose files may decide how a proof is made: root's, and in user mode the user's own.
  var trustedOwners: Set<UInt32> {
    switch mode {
    case .system: [0]
    case .user: [0, Users.effectiveUserID]
    }
  }
}
