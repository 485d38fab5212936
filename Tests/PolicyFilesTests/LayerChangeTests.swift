import AccessPolicy
import KeychainModel
import PolicyFiles
import TestSupport
import Testing

/// A change of a user's own policies, judged with and without what hides it.
@Suite struct LayerChangeTests {
  private func change(
    system: [String: String], from old: String?, to new: String?, shipped: String? = nil
  ) -> LayerChange {
    func user(_ body: String?) -> PolicyFolder {
      folder(.user, body.map { ["mail.box.yaml": "service: mail.box\n" + $0] } ?? [:])
    }
    let shipped = folder(.shipped, shipped.map { ["default.yaml": "service: \"*\"\n" + $0] } ?? [:])
    return LayerChange(
      of: PolicyLayers(system: folder(.system, system), user: user(old), shipped: shipped), user: user(new))
  }

  private func isLooserUncovered(_ change: LayerChange) -> Bool {
    change.uncovered(for: "mail.box").contains { $0.isLooser(for: "mail.box") }
  }

  @Test func `a floor that a file of the administrator has too is not missed before that file goes`() {
    let mail = ["mail.box.yaml": "service: mail.box\nrequire: [devicePasscode]"]
    let removal = change(system: mail, from: "require: [devicePasscode]", to: nil)
    #expect(!removal.isLooser(for: "mail.box") && isLooserUncovered(removal))
    let kept = change(system: mail, from: "require: [devicePasscode]", to: "require: [devicePasscode]\ntries: 1")
    #expect(!kept.isLooser(for: "mail.box") && !isLooserUncovered(kept))
    let stricter = change(system: mail, from: nil, to: "remote: deny")
    #expect(!isLooserUncovered(stricter))
  }

  /// Without any file of the administrator the shipped one is as strict as the user's own: only `"*"` uncovered is not.
  @Test func `the wider file of the administrator that speaks once the narrow one is gone counts`() {
    let system = [
      "mail.box.yaml": "service: mail.box\ntries: 1", "mail.any.yaml": "service: mail.*\ntries: 2",
      "default.yaml": "service: \"*\"\ntries: 5",
    ]
    let removal = change(system: system, from: "tries: 2", to: nil, shipped: "tries: 2")
    #expect(!removal.isLooser(for: "mail.box") && !removal.withoutSystem.isLooser(for: "mail.box"))
    #expect(isLooserUncovered(removal))
    var narrow = system
    narrow["default.yaml"] = nil
    #expect(!isLooserUncovered(change(system: narrow, from: "tries: 2", to: nil, shipped: "tries: 2")))
  }

  @Test func `a file of the administrator that cannot be used is gone one day as well`() {
    let broken = ["mail.box.yaml": "service: mail.box\nwrong: 1"]
    let removal = change(system: broken, from: "tries: 1", to: nil)
    #expect(!removal.isLooser(for: "mail.box") && isLooserUncovered(removal))
  }

  /// Every way in which files of the administrator may go, against those that are looked at.
  @Test(arguments: 1...8) func `whichever files of the administrator go, a change that loosens was told`(
    seed: UInt64
  ) {
    var generator = PolicyFileGenerator(seed: seed &* 0x9E37_79B9_7F4A_7C15)
    var (loosened, hidden) = (0, 0)
    for _ in 0..<60 {
      let places: [(ServicePattern, String)] = [
        (.exact("mail.box"), "mail.box.yaml"), (.prefix("mail."), "mail.any.yaml"), (.any, "default.yaml"),
      ]
      let files = places.map { pattern, name in
        let file = generator.file()
        return (name, PolicyPrinter.text(of: PolicyFile(pattern: pattern, policy: file.policy, stated: file.stated)))
      }
      func own() -> PolicyFolder {
        let file = generator.file()
        let text = PolicyPrinter.text(
          of: PolicyFile(pattern: .exact("mail.box"), policy: file.policy, stated: file.stated))
        return folder(.user, ["mail.box.yaml": text])
      }
      let (before, after) = (own(), own())
      func change(_ kept: Int) -> LayerChange {
        let system = files.enumerated().filter { kept & 1 << $0.offset != 0 }.map(\.element)
        return LayerChange(
          of: PolicyLayers(system: folder(.system, Dictionary(uniqueKeysWithValues: system)), user: before),
          user: after)
      }
      let whole = change(0b111)
      let isTold = whole.isLooser(for: "mail.box") || isLooserUncovered(whole)
      #expect((0..<0b111).allSatisfy { isTold || !change($0).isLooser(for: "mail.box") })
      loosened += isTold ? 1 : 0
      hidden += isTold && !whole.isLooser(for: "mail.box") ? 1 : 0
    }
    #expect(loosened > 0 && hidden > 0, "both kinds were met")
  }
}
