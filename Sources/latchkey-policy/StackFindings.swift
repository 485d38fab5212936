internal import LinuxSystem
internal import PAMModel
internal import PolicyFiles

/// What is wrong with the PAM stacks of a folder, as the daemon would find it there. Files that are not named like a stack are
/// passed over.
struct StackFindings {
  private(set) var count = 0
  private(set) var faults: [PolicyFault] = []
  /// The folder that is looked at.
  private let folder: String
  /// Whose files may decide how a proof is made: root's, and where an ordinary user looks that user's own, as in user mode.
  private let owners: Set<UInt32> = [0, Users.effectiveUserID]

  /// - Parameters:
  ///   - folder: the folder to look at.
  ///   - shipped: the folder that serves where `folder` holds no stack of a method.
  init(folder: String, shipped: String) {
    let folder = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    self.folder = folder
    do throws(Errno) {
      let names = try Files.names(in: folder)
      requireTrusted(folder)
      for name in names where StackName(name) != nil && !name.contains(".") { check("\(folder)/\(name)") }
      for stack in [StackName.passcode, .biometry] where !names.contains(stack.text) {
        requireShipped(stack, for: folder, in: shipped)
      }
    } catch {
      tell(folder, 1, "the folder cannot be read: \(error.sentence)")
    }
  }

  private mutating func tell(_ file: String, _ line: Int, _ message: String) {
    faults.append(PolicyFault(file: file, line: line, column: 1, message: message))
  }

  /// The daemon falls back on what was shipped.
  private mutating func requireShipped(_ stack: StackName, for folder: String, in shipped: String) {
    guard (try? Files.facts("\(shipped)/\(stack.text)")) == nil else { return }
    let other = shipped == folder ? "" : ", nor in \(shipped)"
    tell("\(folder)/\(stack.text)", 1, "no such stack here\(other): its method cannot be used. Run: make install")
  }

  private mutating func requireTrusted(_ path: String) {
    guard let absolute = Self.absolute(path),
      case .refused(let component, let reason) = TrustedPath.check(absolute, owners: owners)
    else { return }
    // A draft may lie in somebody's home: what is above the folder is not to be given to root for it.
    let isAbove = Self.absolute(folder).map { $0 != component && $0.hasPrefix(component + "/") } ?? true
    let mend =
      (isAbove ? nil : reason.command(for: component)).map { " Run: \($0)" }
      ?? " Stacks are read from /etc/latchkey/pam.d, where nobody but root may write: put them there when they are done."
    tell(path, 1, "the daemon refuses what is here: \(component) \(reason.words).\(mend)")
  }

  private mutating func check(_ path: String) {
    count += 1
    let bytes: [UInt8]
    do { bytes = try DiskFolder.bytes(of: path) } catch { return faults.append(error) }
    if let facts = try? Files.factsNoFollow(path), !owners.contains(facts.owner) || facts.isWritableByOthers {
      requireTrusted(path)
    }
    do throws(StackFlaw) {
      try StackCheck.check(bytes, reading: { try? DiskFolder.bytes(of: $0) }, trusting: trust)
    } catch {
      tell(path, error.line, error.sentence + "." + mend(error))
    }
  }

  private func trust(_ module: String) -> ModuleTrust {
    switch ModuleFolder.place(of: module) {
    case .missing: .missing
    case .unknown: .trusted
    case .found(let path): if case .trusted = TrustedPath.check(path, owners: owners) { .trusted } else { .untrusted }
    }
  }

  private func mend(_ flaw: StackFlaw) -> String {
    guard let module = flaw.module else { return "" }
    switch flaw.reason {
    case .missingModule: return ModulePackage.name(of: module).map { " Run: apt-get install --reinstall \($0)" } ?? ""
    case .untrustedModule:
      guard case .found(let path) = ModuleFolder.place(of: module),
        case .refused(let component, let reason) = TrustedPath.check(path, owners: owners)
      else { return "" }
      return reason.command(for: component).map { " Run: \($0)" } ?? " Keep it where nobody but root may write."
    default: return ""
    }
  }

  private static func absolute(_ path: String) -> String? {
    path.hasPrefix("/") ? path : (try? Files.readLink("/proc/self/cwd")).map { "\($0)/\(path)" }
  }
}
