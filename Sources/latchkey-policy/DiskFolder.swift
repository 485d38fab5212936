internal import LinuxSystem
internal import PolicyFiles

/// A folder of policies on the disk, read as whoever runs the program: nobody's ownership is checked here, the daemon does.
struct DiskFolder: PolicySource {
  let path: String

  func entries() throws(PolicySourceError) -> [PolicySourceEntry] {
    do throws(Errno) {
      return try Files.names(in: path).compactMap { name in
        switch PolicyFileName.kind(of: name) {
        case .other, .test: nil
        case .policy, .misnamed: PolicySourceEntry(name: name, content: Self.content(of: "\(path)/\(name)"))
        }
      }
    } catch {
      throw PolicySourceError(folder: path, message: "the folder cannot be read: \(error.sentence)")
    }
  }

  /// The names of its tests.
  func tests() -> [String] {
    ((try? Files.names(in: path)) ?? []).filter { PolicyFileName.kind(of: $0) == .test }
  }

  static func content(of file: String) -> PolicySourceEntry.Content {
    do throws(PolicyFault) {
      return .text(try bytes(of: file))
    } catch {
      return .refused(error.message)
    }
  }

  /// Reads a file, one byte more than a policy may have at most, so that the parser says what is too long.
  static func bytes(of file: String) throws(PolicyFault) -> [UInt8] {
    do throws(Errno) {
      return try Files.readAll(file, limit: 16 * PolicyLimits.textBytes)
    } catch {
      throw PolicyFault(file: file, line: 1, column: 1, message: "the file cannot be read: \(error.sentence)")
    }
  }
}

extension Errno {
  /// What happened, for people.
  var sentence: String {
    switch self {
    case .noSuchFile: "it is not there."
    case .accessDenied, .notPermitted: "permission denied."
    case .notDirectory: "it is no folder."
    case .fileTooLarge: "it is too large."
    default: "error \(rawValue)."
    }
  }
}
