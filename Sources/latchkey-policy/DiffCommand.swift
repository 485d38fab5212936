internal import AccessPolicy
internal import KeychainModel
internal import PolicyFiles
internal import TerminalIO

/// `diff FILE`: what would change if the file were applied: in the user's own policy and in the one in force.
///
/// A pattern for several services is judged by a service that no better file speaks of. Ends with 1 where anything differs,
/// as diff(1) does.
struct DiffCommand {
  let file: String

  func run(_ daemon: some PolicyDaemon, _ report: inout Report) -> Ending {
    let text: PolicyTextFile
    do { text = try PolicyTextFile(reading: file) } catch { return report.refuse(error.faults) }
    do throws(Refusal) {
      let layers = try daemon.policies(.list).layers
      return tell(try PolicyChange(applying: text, to: layers), &report)
    } catch {
      return report.refuse(error)
    }
  }

  private func tell(_ change: PolicyChange, _ report: inout Report) -> Ending {
    report.say("# your own policy for \(change.pattern.text)")
    for line in change.own { report.say(line) }
    report.say("# in force")
    for line in change.effective { report.say(line) }
    if let note = change.looseness.note { report.say("# \(note): applying it asks for a proof") }
    report.answer(
      .object([
        "good": .truth(true), "service": .string(change.pattern.text), "own": .list(change.own.map(JSONText.string)),
        "effective": .list(change.effective.map(JSONText.string)), "looser": .truth(change.looseness != .none),
      ]))
    return change.own.isEmpty && change.effective.isEmpty ? .good : .findings
  }
}

/// The difference one file makes.
struct PolicyChange {
  let pattern: ServicePattern
  /// Lines with `-` and `+` in front.
  let own: [String]
  /// Lines with `-` and `+` in front.
  let effective: [String]
  let looseness: Looseness

  /// What the change would make easier.
  enum Looseness: Equatable {
    case none, inForce
    /// What files of the administrator hide now.
    case hidden

    /// As a line says it.
    var note: String? {
      switch self {
      case .none: nil
      case .inForce: "looser than what is in force"
      case .hidden: "looser than what a system file hides now"
      }
    }
  }

  init(applying text: PolicyTextFile, to layers: [PolicyLayer]) throws(Refusal) {
    pattern = text.file.pattern
    let name = PolicyFileName.name(for: pattern)
    let now = LayerTexts(layers)
    var then = now
    then.texts[.user, default: [:]][name] = text.bytes
    let (old, new) = (now.layers, then.layers)
    own = Self.difference(Self.text(of: old.user, pattern), PolicyPrinter.text(of: text.file))
    // No file is exact for a name with a star, so this service finds what the pattern itself decides.
    let probe = ExactText(pattern.text)
    let before = try Self.effective(old, probe)
    let after = try Self.effective(new, probe)
    effective = Self.difference(PolicyPrinter.text(of: before, for: probe), PolicyPrinter.text(of: after, for: probe))
    looseness = Self.looseness(LayerChange(of: old, user: new.user), probe)
  }

  private static func looseness(_ change: LayerChange, _ service: ExactText) -> Looseness {
    if change.isLooser(for: service) { return .inForce }
    return change.uncovered(for: service).contains { $0.isLooser(for: service) } ? .hidden : .none
  }

  private static func effective(_ layers: PolicyLayers, _ service: ExactText) throws(Refusal) -> ServicePolicy {
    do throws(PolicyUnavailable) {
      return try layers.effective(for: service).policy
    } catch {
      throw Refusal(error.reason, detail: error.detail)
    }
  }

  private static func text(of folder: PolicyFolder, _ pattern: ServicePattern) -> String {
    folder.files.first { $0.pattern == pattern }.map { PolicyPrinter.text(of: $0) } ?? ""
  }

  /// Canonical texts have one line for each key, so lines are compared as sets.
  private static func difference(_ old: String, _ new: String) -> [String] {
    let (before, after) = (old.split(separator: "\n"), new.split(separator: "\n"))
    return before.filter { !after.contains($0) }.map { "- \($0)" }
      + after.filter { !before.contains($0) }.map { "+ \($0)" }
  }
}

/// The texts of an answer, sorted into layers.
private struct LayerTexts {
  var texts: [PolicyOrigin: [String: [UInt8]]] = [:]

  init(_ layers: [PolicyLayer]) {
    for layer in layers {
      guard let origin = PolicyOrigin(rawValue: layer.origin), let pattern = try? ServicePattern(layer.service) else {
        continue
      }
      texts[origin, default: [:]][PolicyFileName.name(for: pattern)] = Array(layer.text.utf8)
    }
  }

  var layers: PolicyLayers {
    PolicyLayers(system: folder(.system), user: folder(.user), shipped: folder(.shipped))
  }

  private func folder(_ origin: PolicyOrigin) -> PolicyFolder {
    let entries = (texts[origin] ?? [:]).map { PolicySourceEntry(name: $0.key, content: .text($0.value)) }
    return PolicyFolder(origin: origin, reading: NamedFiles(files: entries))
  }
}
