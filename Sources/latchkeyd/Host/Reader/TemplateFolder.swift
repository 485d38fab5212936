internal import KeychainModel
internal import KeychainService
internal import LinuxSystem
internal import SecretMemory

/// The set of a user's fingers by what fprintd stores of them: `USER/DRIVER/DEVICE/FINGER` below its state folder, which only
/// root may read.
///
/// The names of the fingers alone would miss one that took another's place. So the set's hash is SHA-256 over the sorted paths
/// and the files' own hashes; a finger that is enrolled anew is another file, also where it is the same finger.
struct TemplateFolder: EnrolmentReading {
  /// fprintd's state folder.
  let path: String

  /// Most files of one user, over all readers.
  static let maximumFiles = 256
  /// Most bytes of one file: 1 MiB.
  static let maximumFileBytes = 1 << 20
  /// How often the folder is looked at anew because a finger was enrolled or removed meanwhile.
  private static let rounds = 5

  func currentSet(of account: UserAccountName) -> EnrolmentState {
    do throws(Refusal) {
      try requireTrusted(account.name)
      for _ in 0..<Self.rounds {
        guard let files = try files(of: account.name) else { continue }
        return files.isEmpty ? .nothingEnrolled : .enrolled(Self.hash(files))
      }
      throw Refusal(.readerBusy, detail: "fingers are being enrolled at this moment")
    } catch { return .unavailable(error) }
  }

  /// Whoever could write there could say which fingers are enrolled.
  private func requireTrusted(_ user: String) throws(Refusal) {
    guard !user.isEmpty, !user.contains("/"), user != ".", user != ".." else {
      throw Refusal(.enrolmentUnreadable, detail: "a user of this name has no folder")
    }
    switch TrustedPath.check(path) {
    case .trusted(let facts) where facts.kind == .directory: return
    case .trusted: throw Refusal(.biometryNotAvailable, detail: "\(path) is no folder")
    case .refused(let component, .unreadable(let error)):
      throw Refusal(.biometryNotAvailable, detail: "\(component): \(error.words)")
    case .refused(let component, _):
      throw Refusal(.enrolmentUnreadable, detail: "\(component) is not root's alone")
    }
  }

  /// Path and hash of every template; `nil` where something went away between two looks.
  private func files(of user: String) throws(Refusal) -> [(path: String, hash: [UInt8])]? {
    var found: [(path: String, hash: [UInt8])] = []
    guard try isFolder(path + "/" + user) else { return [] }
    do throws(Errno) {
      for driver in try folders(in: user) {
        for device in try folders(in: driver) {
          for finger in try Files.names(in: "\(path)/\(device)") where Self.isFinger(finger) {
            found.append(("\(device)/\(finger)", try hash("\(device)/\(finger)")))
            guard found.count <= Self.maximumFiles else { throw .fileTooLarge }
          }
        }
      }
    } catch .noSuchFile { return nil } catch {
      throw Refusal(.ioFailed, detail: "the fingers of \(user) below \(path) cannot be read: \(error)")
    }
    return found
  }

  private func isFolder(_ place: String) throws(Refusal) -> Bool {
    do throws(Errno) {
      guard try Files.factsNoFollow(place).kind == .directory else { throw Errno.notDirectory }
      return true
    } catch .noSuchFile { return false } catch {
      throw Refusal(.ioFailed, detail: "\(place): \(error)")
    }
  }

  private func folders(in place: String) throws(Errno) -> [String] {
    var folders: [String] = []
    for name in try Files.names(in: "\(path)/\(place)") {
      if try Files.factsNoFollow("\(path)/\(place)/\(name)").kind == .directory { folders.append("\(place)/\(name)") }
    }
    return folders
  }

  private func hash(_ file: String) throws(Errno) -> [UInt8] {
    guard try Files.factsNoFollow("\(path)/\(file)").kind == .regular else { throw .invalidArgument }
    return Digest.sha256(try Files.readAll("\(path)/\(file)", limit: Self.maximumFileBytes))
  }

  /// fprintd names a template by its finger, one digit from 1 to a; it writes one beside it and renames it.
  private static func isFinger(_ name: String) -> Bool {
    name.utf8.count == 1 && name.utf8.allSatisfy { "123456789a".utf8.contains($0) }
  }

  /// label | for each file: length of the path (4), path, hash of the file (32).
  private static func hash(_ files: [(path: String, hash: [UInt8])]) -> [UInt8] {
    var bytes = Array("latchkey enrolled set 1".utf8)
    for file in files.sorted(by: { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }) {
      let path = Array(file.path.utf8)
      for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: path.count >> shift)) }
      bytes += path + file.hash
    }
    return Digest.sha256(bytes)
  }
}

extension DaemonPlaces {
  /// Where the enrolled fingers are read: the system's daemon reads what fprintd stores, a user's own sees their names.
  var enrolment: any EnrolmentReading {
    switch mode {
    case .system: TemplateFolder(path: fingerprints)
    case .user: NamedFingers(reader: FingerprintReader(places: self))
    }
  }
}
