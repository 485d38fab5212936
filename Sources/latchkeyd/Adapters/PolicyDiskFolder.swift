internal import LinuxSystem
internal import PolicyFiles

/// A folder of policy files that only root and the daemon's own user can change.
struct PolicyDiskFolder: PolicySource {
  let path: String

  /// What a look at the folder saw, without reading a file. Contents cannot differ without it, but for changes within one tick
  /// of the kernel's clock; those ``isSettled`` tells.
  struct Stamp: Equatable {
    private enum Sight: Equatable {
      case missing
      case unreadable(Errno)
      case listed(FileFacts, [String: FileFacts])
    }

    private let sight: Sight
    /// Whether everything had been as it is for longer than the steps of file times.
    let isSettled: Bool

    /// Longer than any kernel's tick: 50 ms.
    private static let tick: UInt64 = 50_000_000

    fileprivate init(of folder: PolicyDiskFolder) {
      let now = Clock.realtime
      do throws(Errno) {
        let facts = try Files.facts(folder.path)
        let files = try folder.names().reduce(into: [:]) { $0[$1] = try? Files.factsNoFollow("\(folder.path)/\($1)") }
        let newest = files.values.map(\.changeTime).max() ?? 0
        isSettled = max(facts.changeTime, newest).addingReportingOverflow(Self.tick).partialValue < now
        sight = .listed(facts, files)
      } catch {
        isSettled = true
        sight = error == .noSuchFile ? .missing : .unreadable(error)
      }
    }
  }

  /// Looks at the folder.
  var stamp: Stamp { Stamp(of: self) }

  func entries() throws(PolicySourceError) -> [PolicySourceEntry] {
    let refused: String
    do throws(Errno) {
      let facts = try Files.facts(path)
      guard let objection = Self.objection(to: facts) else {
        return try names().map { PolicySourceEntry(name: $0, content: content(of: $0)) }
      }
      refused = objection
    } catch {
      if error == .noSuchFile { return [] }
      refused = "the folder cannot be read (\(error))."
    }
    throw PolicySourceError(folder: path, message: refused)
  }

  private func names() throws(Errno) -> [String] {
    try Files.names(in: path).filter {
      switch PolicyFileName.kind(of: $0) {
      case .policy, .misnamed: true
      case .test, .other: false
      }
    }
  }

  private func content(of name: String) -> PolicySourceEntry.Content {
    do throws(Errno) {
      let file = try Files.openNoFollow("\(path)/\(name)", [.reading, .nonBlocking, .notControlling])
      let facts = try Files.facts(file)
      guard facts.kind == .regular else { return .refused("it is not a regular file.") }
      if let objection = Self.objection(to: facts) { return .refused(objection) }
      return .text(try Files.readAll(file, limit: 2 * PolicyLimits.textBytes))
    } catch .symbolicLink {
      return .refused("it is a symbolic link; put the file itself here.")
    } catch .fileTooLarge {
      return .refused("it is longer than \(PolicyLimits.textBytes) bytes.")
    } catch {
      return .refused("it cannot be read (\(error)).")
    }
  }

  /// Why what is there cannot be trusted, or `nil`.
  private static func objection(to facts: FileFacts) -> String? {
    guard facts.owner == 0 || facts.owner == Users.effectiveUserID else {
      return "it belongs to the user id \(facts.owner), who could change it."
    }
    guard facts.isWritableByOthers else { return nil }
    return "others may write it (mode \(String(facts.mode, radix: 8))); run 'chmod go-w' on it."
  }
}
