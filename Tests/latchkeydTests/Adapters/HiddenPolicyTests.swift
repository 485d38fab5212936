import AccessPolicy
import KeychainModel
import KeychainService
import Testing

@testable import latchkeyd

/// What a user's own policy says behind a file of the administrator: it comes into force when that file goes.
@Suite struct HiddenPolicyTests {
  private func shelf(_ folder: ScratchFolder) throws -> PolicyShelf {
    PolicyShelf(store: try folder.store(), places: folder.places)
  }

  private func folder(system: String...) -> ScratchFolder {
    let folder = ScratchFolder()
    _ = folder.places
    for (place, text) in system.enumerated() {
      let name = ["mail.yaml", "zzz.any.yaml", "default.yaml"][place]
      if !text.isEmpty { folder.write(text, to: "system/" + name) }
    }
    return folder
  }

  @Test func `a floor of one's own is not taken away unseen behind the administrator's`() throws {
    let folder = folder(system: "service: mail\nrequire: [devicePasscode]\n")
    let shelf = try shelf(folder)
    try shelf.put(shelf.examine("service: mail\nrequire: [devicePasscode]\n"))
    let removal = try shelf.examineRemoval(of: "mail")
    #expect(removal.strictness == .looserWhereHidden && removal.loosened == [])
    #expect(removal.hidden.map(\.policy.require) == [.devicePasscode])
    #expect(try shelf.examine("service: mail\ntries: 2\n").strictness == .looserWhereHidden)
    #expect(try shelf.examine("service: mail\nrequire: [devicePasscode]\ntries: 2\n").strictness == .sameOrStricter)
    #expect(try shelf.examine("service: \"*\"\nremote: any\n").strictness == .looser)
  }

  @Test func `a group that a file of the administrator's hides is a grant all the same`() throws {
    let folder = folder(system: "", "service: zzz.*\ntries: 3\n")
    let shelf = try shelf(folder)
    let text: ExactText = "service: zzz.mine\ncallers: [{executable: /usr/bin/cat, groups: [org.h]}]\n"
    let proposal = try shelf.examine(text)
    #expect(proposal.strictness == .looserWhereHidden)
    #expect(
      try shelf.examine("service: zzz.mine\ncallers: [{executable: /usr/bin/cat}]\n").strictness == .sameOrStricter)
    try shelf.put(proposal)
    // What was proved for is not asked for again, by another of one's own policies.
    #expect(try shelf.examine(text).strictness == .sameOrStricter)
  }

  /// The shipped grant is silenced by the administrator's file for its service; the user's own would not be.
  @Test func `a group is not the user's to grant because a shipped file grants it`() throws {
    let folder = folder(system: "service: mail\ntries: 3\n", "service: zzz.*\ntries: 3\n")
    let callers = "callers: [{executable: /usr/bin/cat, groups: [shared]}]\n"
    folder.write("service: mail\n" + callers, to: "shipped/mail.yaml")
    #expect(try shelf(folder).examine(ExactText("service: zzz.mine\n" + callers)).strictness == .looserWhereHidden)
  }

  @Test func `what is loosened now and what would be later are both proved`() throws {
    let folder = folder(system: "service: mail\nremote: deny\n")
    let shelf = try shelf(folder)
    try shelf.put(shelf.examine("service: mail\nrequire: [biometryAny]\nremote: passcode\n"))
    let removal = try shelf.examineRemoval(of: "mail")
    #expect(removal.strictness == .looser)
    #expect(removal.loosened.map(\.policy.remote) == [.deny] && removal.hidden.map(\.policy.remote) == [.passcode])
    #expect((removal.loosened + removal.hidden).allSatisfy { $0.policy.require == .biometryAny })
  }

  @Test func `what was no loosening when it was examined is refused once it is one behind a file`() throws {
    let folder = folder(system: "service: mail\ntries: 1\n")
    let shelf = try shelf(folder)
    let early = try shelf.examine("service: mail\ntries: 2\n")
    #expect(early.strictness == .sameOrStricter)
    try shelf.put(shelf.examine("service: mail\ntries: 1\n"))
    #expect(refusal { try shelf.put(early) }?.reason == .policyLooser)
  }
}
