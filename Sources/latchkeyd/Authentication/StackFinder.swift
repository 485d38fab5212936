internal import KeychainModel
internal import LinuxSystem
internal import PAMModel

/// Finds a method's PAM stack: the first folder that holds it wins, and a file that cannot be trusted is refused, never
/// passed over.
struct StackFinder: Sendable {
  private let folders: [String]
  private let owners: Set<UInt32>

  init(places: DaemonPlaces) {
    folders = places.pamFolders
    owners = places.trustedOwners
  }

  /// The stack, read and found fit.
  ///
  /// - Throws: ``Refusal``: `stackMissing`, `stackCannotFail`, `stackInvalid`, each with the place.
  func find(_ name: StackName) throws(Refusal) -> CheckedStack {
    do throws(StackFault) { return try search(name) } catch { throw error.refusal }
  }

  /// As ``find(_:)``, with what is wrong taken apart.
  func search(_ name: StackName) throws(StackFault) -> CheckedStack {
    for folder in folders {
      let path = folder + "/" + name.text
      do throws(Errno) {
        _ = try Files.factsNoFollow(path)
      } catch .noSuchFile { continue } catch .notDirectory { continue } catch { throw .unreadable(path, error) }
      return try check(name, in: folder, path)
    }
    throw .missing(name, in: folders)
  }

  private func check(_ name: StackName, in folder: String, _ path: String) throws(StackFault) -> CheckedStack {
    let contents = try read(path).get()
    do throws(StackFlaw) {
      return try CheckedStack(
        name: name, directory: folder, contents: contents, reading: { try? read($0).get() }, trusting: trust)
    } catch {
      throw .flawed(path, error, component: error.module.flatMap(objection))
    }
  }

  /// A module's code runs in the helper, which is root's in system mode.
  private func trust(_ module: String) -> ModuleTrust {
    switch ModuleFolder.place(of: module) {
    case .missing: .missing
    case .unknown: .trusted
    case .found(let path): if case .trusted = TrustedPath.check(path, owners: owners) { .trusted } else { .untrusted }
    }
  }

  /// What of a module's path others could change.
  private func objection(to module: String) -> StackFault.Component? {
    guard case .found(let path) = ModuleFolder.place(of: module),
      case .refused(let component, let reason) = TrustedPath.check(path, owners: owners)
    else { return nil }
    return StackFault.Component(path: component, reason: reason)
  }

  /// The bytes of a file that nobody but the trusted owners could have changed.
  private func read(_ path: String) -> Result<[UInt8], StackFault> {
    switch TrustedPath.check(path, owners: owners) {
    case .refused(let component, let reason):
      return .failure(.untrusted(path, StackFault.Component(path: component, reason: reason)))
    case .trusted(let facts): guard facts.kind == .regular else { return .failure(.notFile(path)) }
    }
    do throws(Errno) {
      return .success(try Files.readAll(path, limit: StackCheck.maximumFileBytes))
    } catch { return .failure(.unreadable(path, error)) }
  }
}

/// Why a method has no stack to run.
enum StackFault: Error {
  /// No folder holds one.
  case missing(StackName, in: [String])
  /// Others could change the file.
  case untrusted(String, Component)
  /// Something else than a file.
  case notFile(String)
  /// It cannot be read.
  case unreadable(String, Errno)
  /// What it says makes it unfit; with the part of a module's path that others could change.
  case flawed(String, StackFlaw, component: Component?)

  /// A part of a path, and what is wrong with it.
  struct Component {
    let path: String
    let reason: TrustedPath.Reason

    var words: String { "\(path) \(reason.words)" }
  }

  /// The refusal, with the place.
  var refusal: Refusal {
    switch self {
    case .missing(let name, let folders):
      Refusal(.stackMissing, detail: "\(name.text) in \(folders.joined(separator: " or "))")
    case .untrusted(let path, let component): Refusal(.stackInvalid, detail: "\(path): \(component.words)")
    case .notFile(let path): Refusal(.stackInvalid, detail: "\(path): not a file")
    case .unreadable(let path, let errno): Refusal(.stackInvalid, detail: "\(path): \(errno)")
    case .flawed(let path, let flaw, let component):
      Refusal(
        flaw.reason.cannotFail ? .stackCannotFail : .stackInvalid,
        detail: "\(path):\(flaw.line): \(flaw.sentence)" + (component.map { " (\($0.words))" } ?? ""))
    }
  }
}
