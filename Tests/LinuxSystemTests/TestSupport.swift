import CLinux
import LinuxSystem
import Testing

/// Whether the tests run as root, as those that need other users must.
let isRoot = Users.effectiveUserID == 0

/// A folder of the test's own, removed with all that is in it.
final class TemporaryFolder {
  let path: String

  init(mode: UInt16 = 0o700) throws {
    path = "/tmp/latchkey-test-\(UInt64.random(in: 0...UInt64.max))"
    try Files.makeDirectory(path, mode: mode)
  }

  deinit { _ = try? Spawn.start("/bin/rm", SpawnPlan(arguments: ["rm", "-rf", path])).wait() }

  /// A path inside.
  func path(_ name: String) -> String { path + "/" + name }

  /// Puts a program inside. Another process writes it: a descriptor that is open for writing here could be copied into a
  /// child that another test starts at this moment, and the program could then not be executed (ETXTBSY).
  func install(program text: [UInt8], as name: String) throws -> String {
    try Files.writeAtomically(text.span, to: path(name + ".text"), mode: 0o600)
    let arguments = ["install", "-m", "755", path(name + ".text"), path(name)]
    try #require(try Spawn.start("/usr/bin/install", SpawnPlan(arguments: arguments)).wait() == .exited(0))
    return path(name)
  }

  /// The names inside.
  var names: [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var found: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { found.append(name) }
    }
    return found.sorted()
  }
}

/// Reads what arrives within a second, at least `count` bytes if they come.
func receive(_ descriptor: OwnedDescriptor, atLeast count: Int) throws -> [UInt8] {
  var bytes: [UInt8] = []
  while bytes.count < count, try Poll.wait([PollEntry(descriptor)], timeoutMilliseconds: 2000)[0].isReadable {
    var chunk = [UInt8](repeating: 0, count: 4096)
    var span = chunk.mutableSpan
    let read = try Files.read(descriptor, into: &span)
    if read == 0 { break }
    bytes += chunk.prefix(read)
  }
  return bytes
}
