import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import latchkey

/// What an export leaves beside its place when it is ended before the archive is whole.
@Suite struct UnfinishedArchiveTests {
  let daemon: MemoryDaemon
  let folder: String

  init() throws {
    daemon = try MemoryDaemon()
    folder = daemon.folder.path("place")
    try Files.makeDirectory(folder, mode: 0o700)
    #expect(daemon.latchkey("add", "-s", "a", "-a", "b", input: [1]).status == 0)
  }

  /// Where /proc does not show its descriptors a process cannot give a file a name later: as on a file system without such
  /// files.
  static let named = ["/usr/bin/unshare", "-m", "/bin/sh", "-c", "mount -t tmpfs none /proc/$$/fd; exec \"$@\"", "sh"]

  /// Starts an export and ends it while its file is open, or has its name.
  private func export(_ wrapper: [String], endedBy signal: Int32) throws -> ProcessExit {
    let words = wrapper + [BuiltPrograms.path(of: "latchkey"), "export", folder + "/archive", "--passphrase-fd", "5"]
    var plan = SpawnPlan(arguments: words, environment: ["LATCHKEY_SOCKET": daemon.folder.path("socket")])
    plan.descriptors = [try handed("open sesame", as: 5)]
    let asked = daemon.requests.count
    let child = try Spawn.start(words[0], plan)
    // Once it has looked at what there is, the passphrase is stretched with the file open.
    let isOpen = eventually {
      guard daemon.requests.count >= asked + 5 else { return false }
      // A nameless file is tried before one with a name.
      if !wrapper.isEmpty { return (try? Files.names(in: folder).isEmpty) == false }
      return ((try? Files.names(in: "/proc/\(child.pid)/fd")) ?? []).contains { number in
        (try? Files.readLink("/proc/\(child.pid)/fd/\(number)"))?.hasPrefix(folder + "/") == true
      }
    }
    #expect(isOpen)
    try child.kill(signal)
    return try child.wait()
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGKILL]) func `no signal leaves anything`(signal: Int32) throws {
    _ = try export([], endedBy: signal)
    #expect(try Files.names(in: folder).isEmpty)
  }

  @Test(.enabled(if: getuid() == 0), arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func `where the file needs a name first the program takes it away`(signal: Int32) throws {
    #expect(try export(Self.named, endedBy: signal) == .exited(UInt8(128 + signal)))
    #expect(try Files.names(in: folder).isEmpty)
  }

  @Test(.enabled(if: getuid() == 0)) func `and what a kill leaves there the next export takes away`() throws {
    _ = try export(Self.named, endedBy: SIGKILL)
    #expect(try Files.names(in: folder).count == 1)
    let next = run(
      [BuiltPrograms.path(of: "latchkey"), "export", folder + "/archive", "--passphrase-fd", "5"],
      environment: ["LATCHKEY_SOCKET": daemon.folder.path("socket")], descriptors: [try handed("open sesame", as: 5)])
    #expect(next.status == 0)
    #expect(try Files.names(in: folder) == ["archive"])
  }
}
