internal import AccessPolicy
internal import KeychainModel
internal import KeychainService
internal import PolicyFiles

extension PolicyShelf {
  func listing() throws(Refusal) -> PolicyReply {
    try current { (snapshot) throws(Refusal) in
      var page = PolicyPage()
      for folder in [snapshot.layers.user, snapshot.layers.system, snapshot.layers.shipped] {
        for fault in Self.faults(of: folder) { page.add(snapshot.layer(folder.origin, fault)) }
        for file in folder.files {
          page.add(
            snapshot.layer(folder.origin, file.pattern.text, file.locations.file, PolicyPrinter.text(of: file)))
        }
      }
      return PolicyReply(layers: page.ended(), effective: "")
    }
  }

  func explanation(of service: ExactText) throws(Refusal) -> PolicyReply {
    try current { (snapshot) throws(Refusal) in
      let effective: EffectivePolicy
      do throws(PolicyUnavailable) { effective = try snapshot.layers.effective(for: service) } catch {
        throw snapshot.refusal(error)
      }
      var page = PolicyPage()
      for voice in effective.voices {
        let text = PolicyPage.cut(PolicyPrinter.text(of: voice.file), to: PolicyPage.voiceBytes)
        page.add(snapshot.layer(voice.origin, voice.file.pattern.text, voice.file.locations.file, text))
      }
      if effective.voices.isEmpty { page.add(snapshot.layer(.builtIn, "*", "", "")) }
      let text = PolicyPrinter.text(of: effective.policy, for: service)
      return PolicyReply(layers: page.ended(), effective: PolicyPage.cut(text, to: PolicyPage.effectiveBytes))
    }
  }

  func grantingFile(for service: ExactText) -> String {
    let speaking = try? current { (snapshot) throws(Refusal) in
      switch snapshot.layers.system.match(service) {
      case .file(let file): file.locations.file
      case .broken, .silent: ""
      }
    }
    if let speaking, !speaking.isEmpty { return speaking }
    // A service whose name no file can bear is reached by the file of all.
    let pattern = (try? ServicePattern(service.string)) ?? .any
    return "\(places.systemPolicies)/\(PolicyFileName.name(for: pattern))"
  }

  /// The faults of a layer, those of one file together.
  private static func faults(of folder: PolicyFolder) -> [[PolicyFault]] {
    var files: [[PolicyFault]] = []
    for fault in folder.faults {
      if let last = files.last, last[0].file == fault.file {
        files[files.count - 1].append(fault)
      } else {
        files.append([fault])
      }
    }
    return files
  }
}

extension PolicySnapshot {
  /// A file of a layer with the path a person finds it at.
  func layer(_ origin: PolicyOrigin, _ pattern: String, _ file: String, _ text: String) -> PolicyLayer {
    let path =
      switch origin {
      case .system: "\(system.path)/\(file)"
      case .shipped: "\(shipped.path)/\(file)"
      case .user, .builtIn: ""
      }
    return PolicyLayer(origin: origin.rawValue, service: pattern, file: path, text: text)
  }

  /// A file that is not in force, with why: its services are refused.
  func layer(_ origin: PolicyOrigin, _ faults: [PolicyFault]) -> PolicyLayer {
    let file = faults.first?.file ?? ""
    let lines = faults.map { "\(PolicyLayer.faultMark)line \($0.line), column \($0.column): \($0.message)\n" }.joined()
    let pattern = PolicyFileName.pattern(of: file)?.text ?? ""
    return layer(origin, pattern, file, PolicyPage.cut(lines, to: PolicyPage.faultBytes))
  }
}

/// What one reply can hold of policies: 64 KiB in all, less the frame's own needs. What does not fit is left out, and said.
struct PolicyPage {
  /// Most bytes of the layers of a listing.
  static let listingBytes = 60 * 1024
  /// Most bytes of the effective policy in an explanation.
  static let effectiveBytes = 20 * 1024
  /// Most bytes of each of the three layers in an explanation.
  static let voiceBytes = 12 * 1024
  /// Most bytes of what is wrong with one file.
  static let faultBytes = 2 * 1024
  /// Most layers of a listing.
  static let mostLayers = 1000

  private var layers: [PolicyLayer] = []
  private var bytes = 0
  private var leftOut = 0

  /// Adds a layer where it fits.
  mutating func add(_ layer: PolicyLayer) {
    let size = [layer.origin, layer.service, layer.file, layer.text].reduce(16) { $0 + $1.utf8.count }
    guard bytes + size <= Self.listingBytes, layers.count < Self.mostLayers else {
      leftOut += 1
      return
    }
    bytes += size
    layers.append(layer)
  }

  /// The layers, with a note where some were left out.
  func ended() -> [PolicyLayer] {
    guard leftOut > 0 else { return layers }
    let text = "# \(leftOut) more do not fit here; 'latchkey policy explain SERVICE' shows them one by one.\n"
    return layers + [PolicyLayer(origin: "note", service: "", file: "", text: text)]
  }

  /// A text of at most so many bytes, cut behind a whole line where it is longer.
  static func cut(_ text: String, to limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    let note = "# cut here: the whole has \(text.utf8.count) bytes\n"
    var kept = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard kept.utf8.count + line.utf8.count + 1 + note.utf8.count <= limit else { break }
      kept += line + "\n"
    }
    return kept + note
  }
}
