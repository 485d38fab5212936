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
    for folder in folders {
      let path = folder + "/" + name.text
      do throws(Errno) {
        _ = try Files.factsNoFollow(path)
      } catch .noSuchFile { continue } catch .notDirectory { continue } catch {
        throw Refusal(.stackInvalid, detail: "\(path): \(error)")
      }
      return try check(name, in: folder, path)
    }
    throw Refusal(.stackMissing, detail: "\(name.text) in \(folders.joined(separator: " or "))")
  }

  private func check(_ name: StackName, in folder: String, _ path: String) throws(Refusal) -> CheckedStack {
    let contents: [UInt8]
    switch read(path) {
    case .success(let bytes): contents = bytes
    case .failure(let refusal): throw refusal
    }
    do throws(StackFlaw) {
      return try CheckedStack(
        name: name, directory: folder, contents: contents, reading: { try? read($0).get() }, trusting: trust)
    } catch {
      throw Refusal(
        error.reason.cannotFail ? .stackCannotFail : .stackInvalid,
        detail: "\(path):\(error.line): \(error.reason.explanation)")
    }
  }

  /// A module's code runs in the helper, which is root's in system mode.
  private func trust(_ module: String) -> ModuleTrust {
    switch TrustedPath.check(module, owners: owners) {
    case .trusted: .trusted
    // libpam says what is missing.
    case .refused(_, .unreadable(.noSuchFile)): .trusted
    case .refused: .untrusted
    }
  }

  /// The bytes of a file that nobody but the trusted owners could have changed.
  private func read(_ path: String) -> Result<[UInt8], Refusal> {
    switch TrustedPath.check(path, owners: owners) {
    case .refused(let component, let reason):
      return .failure(Refusal(.stackInvalid, detail: "\(path): \(component) \(reason.words)"))
    case .trusted(let facts):
      guard facts.kind == .regular else { return .failure(Refusal(.stackInvalid, detail: "\(path): not a file")) }
    }
    do throws(Errno) {
      return .success(try Files.readAll(path, limit: StackCheck.maximumFileBytes))
    } catch { return .failure(Refusal(.stackInvalid, detail: "\(path): \(error)")) }
  }
}

extension TrustedPath.Reason {
  /// What is wrong, to follow the component's name.
  fileprivate var words: String {
    switch self {
    case .owner(let uid): "belongs to user \(uid)"
    case .writable: "can be written by others"
    case .notAbsolute: "is not an absolute path"
    case .tooManyLinks: "leads through too many links"
    case .unreadable(let failure): "cannot be looked at (\(failure))"
    }
  }
}
