/// Where libpam looks for a module that a stack names without a folder (pam.conf(5)).
public enum ModuleFolder {
  /// Where a module's file is.
  public enum Place: Hashable, Sendable {
    /// There.
    case found(String)
    /// Nowhere among this machine's modules.
    case missing
    /// It cannot be told: no folder of modules was found.
    case unknown
  }

  /// Looks for a module.
  ///
  /// - Parameter module: the file's name as a stack writes it, `pam_unix.so`, or an absolute path.
  public static func place(of module: String) -> Place {
    place(of: module, among: folders)
  }

  static func place(of module: String, among folders: [String]) -> Place {
    if module.hasPrefix("/") { return isThere(module) ? .found(module) : .missing }
    // Every libpam comes with this one: a folder without it is not where the running libpam looks.
    let known = folders.filter { isThere("\($0)/pam_permit.so") }
    if let folder = known.first(where: { isThere("\($0)/\(module)") }) { return .found("\(folder)/\(module)") }
    return known.isEmpty ? .unknown : .missing
  }

  private static func isThere(_ path: String) -> Bool { (try? Files.facts(path)) != nil }

  /// Distributions keep them in one of these; Debian's name is that of the architecture.
  private static var folders: [String] {
    let architectures = ((try? Files.names(in: "/usr/lib")) ?? []).filter { $0.contains("-linux-") }.sorted()
    return architectures.map { "/usr/lib/\($0)/security" } + ["/usr/lib64/security", "/usr/lib/security"]
  }
}
