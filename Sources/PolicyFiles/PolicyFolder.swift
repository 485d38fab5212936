public import KeychainModel

/// The policies of one layer, ready to be looked up.
///
/// A file that cannot be used takes only its own service down with it: every lookup of that pattern is answered `broken`,
/// the others stay in force. Files say whose they are twice, by name and by `service`; where the two differ, both
/// patterns are broken.
public struct PolicyFolder: Sendable {
  /// The layer.
  public let origin: PolicyOrigin
  /// What is wrong in the layer, sorted by file and place.
  public private(set) var faults: [PolicyFault] = []

  private var exact: [ExactText: Entry] = [:]
  private var prefixes: [ExactText: Entry] = [:]
  private var any: Entry?
  private var unreadable: [PolicyFault]?

  private enum Entry {
    case file(PolicyFile)
    case broken([PolicyFault])
  }

  /// A layer without files.
  public init(origin: PolicyOrigin) { self.origin = origin }

  /// Reads every file of a layer.
  public init(origin: PolicyOrigin, reading source: some PolicySource) {
    self.origin = origin
    do throws(PolicySourceError) {
      for entry in try source.entries().sorted(by: { ExactText($0.name) < ExactText($1.name) }) { add(entry) }
    } catch {
      faults = [PolicyFault(file: error.folder, line: 1, column: 1, message: error.message)]
      unreadable = faults
    }
  }

  /// A layer of one file.
  public init(origin: PolicyOrigin, only file: PolicyFile) {
    self.origin = origin
    put(.file(file), under: file.pattern)
  }

  /// What the layer says of a service.
  public enum Match: Hashable, Sendable {
    /// Nothing.
    case silent
    /// This file, the best match: the exact one, else the longest prefix, else the one for every service.
    case file(PolicyFile)
    /// A file that matters here cannot be used.
    case broken([PolicyFault])
  }

  /// Looks a service up: two dictionary lookups where a file names it, one more for each dot in it otherwise.
  public func match(_ service: ExactText) -> Match {
    if let unreadable { return .broken(unreadable) }
    switch exact[service] ?? longestPrefix(of: service) ?? any {
    case nil: return .silent
    case .file(let file): return .file(file)
    case .broken(let faults): return .broken(faults)
    }
  }

  /// The usable files, ordered by their patterns' text.
  public var files: [PolicyFile] {
    let all = Array(exact.values) + Array(prefixes.values) + (any.map { [$0] } ?? [])
    let usable = all.compactMap { if case .file(let file) = $0 { file } else { nil } }
    return usable.sorted { ExactText($0.pattern.text) < ExactText($1.pattern.text) }
  }

  /// Every usable file that speaks of a service, the best match first: each speaks once those before it are gone.
  public func files(of service: ExactText) -> [PolicyFile] {
    let entries: [Entry?] = [exact[service]] + Array(prefixEntries(of: service)) + [any]
    return entries.compactMap { if case .file(let file)? = $0 { file } else { nil } }
  }

  private func longestPrefix(of service: ExactText) -> Entry? { prefixEntries(of: service).first { _ in true } }

  /// The prefixes of a service, the longest first.
  private func prefixEntries(of service: ExactText) -> some Sequence<Entry> {
    let bytes = service.bytes
    let ends = prefixes.isEmpty ? 0..<0 : bytes.indices.dropLast()
    return ends.reversed().lazy.filter { bytes[$0] == UInt8(ascii: ".") }.compactMap {
      prefixes[ExactText(bytes: Array(bytes[...$0]))]
    }
  }

  private mutating func add(_ entry: PolicySourceEntry) {
    switch PolicyFileName.kind(of: entry.name) {
    case .other, .test: return
    case .misnamed:
      let stem = entry.name.lastIndex(of: ".").map { entry.name[..<$0] } ?? entry.name[...]
      let message = "the name must end in .yaml, in small letters."
      refuse(entry, [fault(entry, message)], [PolicyFileName.pattern(of: stem + ".yaml")])
    case .policy: read(entry)
    }
  }

  private mutating func read(_ entry: PolicySourceEntry) {
    let named = PolicyFileName.pattern(of: entry.name)
    guard case .text(let bytes) = entry.content else {
      if case .refused(let why) = entry.content { refuse(entry, [fault(entry, why)], [named]) }
      return
    }
    do throws(PolicyFileError) {
      let file = try PolicyFile.parse(bytes, file: entry.name)
      let expected = PolicyFileName.name(for: file.pattern)
      guard ExactText(expected) == ExactText(entry.name) else {
        let place = file.locations.service
        let message = "the file of \(shown(file.pattern.text)) is called \(shown(expected)), not \(shown(entry.name))."
        let fault = PolicyFault(file: entry.name, line: place.line, column: place.column, message: message)
        return refuse(entry, [fault], [named, file.pattern])
      }
      put(.file(file), under: file.pattern)
    } catch {
      refuse(entry, error.faults, [named, error.pattern])
    }
  }

  private func fault(_ entry: PolicySourceEntry, _ message: String) -> PolicyFault {
    PolicyFault(file: entry.name, line: 1, column: 1, message: message)
  }

  private mutating func refuse(_ entry: PolicySourceEntry, _ found: [PolicyFault], _ patterns: [ServicePattern?]) {
    faults += found
    for pattern in patterns.compactMap({ $0 }) { put(.broken(found), under: pattern) }
  }

  /// A broken entry is never replaced by an intact one.
  private mutating func put(_ entry: Entry, under pattern: ServicePattern) {
    func merged(_ old: Entry?) -> Entry { if case .broken? = old { old ?? entry } else { entry } }
    switch pattern {
    case .exact(let service): exact[service] = merged(exact[service])
    case .prefix(let prefix): prefixes[prefix] = merged(prefixes[prefix])
    case .any: any = merged(any)
    }
  }
}
