import Foundation
import LinuxSystem

/// Cleans up behind a test process however it ends: a shell that waits for the end of a pipe, then ends the processes it was
/// told of and removes their folder.
final class Guardian {
  private let process: SpawnedProcess
  private var pipe: OwnedDescriptor?

  private static let script = """
    trap '' HUP INT TERM
    pids=
    while read -r word pid; do
      case $word in
      runs) pids="$pids $pid " ;;
      gone) pids=$(printf %s "$pids" | sed "s/ $pid //") ;;
      esac
    done
    for pid in $pids; do kill -9 "$pid" 2>/dev/null; done
    rm -rf "$1"
    """

  init(of folder: String) throws {
    let ends = try OwnedDescriptor.pipe()
    process = try Spawn.start(
      "/bin/sh",
      SpawnPlan(
        arguments: ["sh", "-c", Self.script, "guardian", folder],
        environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"], descriptors: [.init(ends.reading, as: 0)]))
    pipe = ends.writing
  }

  /// A process is to be ended with us.
  func note(_ pid: pid_t) { tell("runs \(pid)") }

  /// A process was ended already.
  func forget(_ pid: pid_t) { tell("gone \(pid)") }

  /// Does the work now and waits for it.
  func clear() {
    pipe = nil
    _ = process.status(within: 10_000)
  }

  private func tell(_ line: String) {
    guard let pipe else { return }
    try? Files.writeAll(pipe, Array((line + "\n").utf8).span)
  }
}
