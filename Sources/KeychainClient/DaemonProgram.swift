internal import LinuxSystem

/// Where the user's own daemon is looked for.
enum DaemonProgram {
  /// Where packages install it.
  static let installed = ["/usr/libexec/latchkey/latchkeyd", "/usr/local/libexec/latchkey/latchkeyd"]

  /// The installed places, then `../libexec/latchkey` as seen from this program, then this program's own folder (a build).
  static func places() -> [String] {
    guard let own = try? ThisProcess.executablePath(), let slash = own.lastIndex(of: "/") else { return installed }
    let folder = own[..<slash]
    guard let above = folder.lastIndex(of: "/") else { return installed + ["\(folder)/latchkeyd"] }
    return installed + ["\(folder[..<above])/libexec/latchkey/latchkeyd", "\(folder)/latchkeyd"]
  }

  /// The first place that holds a regular file.
  static func find(in places: [String]) -> String? {
    places.first { place in (try? Files.facts(place))?.kind == .regular }
  }
}
