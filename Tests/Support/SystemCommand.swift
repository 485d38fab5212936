import Foundation
import LinuxSystem

/// What a program of the system printed, and how it ended.
public struct CommandResult: Sendable {
  /// Its exit status, or minus the number of the signal that killed it.
  public let status: Int32
  /// Its standard output, byte for byte.
  public let bytes: [UInt8]
  /// Its standard error.
  public let complaint: String
  /// Its standard output as text.
  public var output: String { String(decoding: bytes, as: UTF8.self) }
}

/// Runs a program to its end. A name without a slash is looked for where the system keeps its programs.
@discardableResult
public func run(
  _ command: [String], input: [UInt8] = [], environment: [String: String] = [:], as account: UserAccount? = nil,
  descriptors more: [SpawnPlan.Descriptor] = [], timeout seconds: Double = 60
) -> CommandResult {
  let program =
    command[0].contains("/")
    ? command[0]
    : ["/usr/sbin/", "/usr/bin/", "/sbin/", "/bin/"].map { $0 + command[0] }.first { access($0, X_OK) == 0 }!
  var variables = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C"]
  variables.merge(environment) { $1 }
  let feed = try! UnixSocket.streamPair()
  let printed = try! OwnedDescriptor.pipe()
  let complained = try! OwnedDescriptor.pipe()
  var plan = SpawnPlan(arguments: command, environment: variables)
  plan.descriptors =
    [.init(feed.1, as: 0), .init(printed.writing, as: 1), .init(complained.writing, as: 2)] + more
  plan.asUser = account
  let child = try! Spawn.start(program, plan)
  plan.descriptors = []
  return collect(child, feed.0, input, printed.reading, complained.reading, seconds)
}

private func collect(
  _ child: SpawnedProcess, _ feed: OwnedDescriptor, _ input: [UInt8], _ printed: OwnedDescriptor,
  _ complained: OwnedDescriptor, _ seconds: Double
) -> CommandResult {
  let writer = Thread {
    // A program may end without reading: that must not end the tests (SIGPIPE).
    var rest = input[...]
    while !rest.isEmpty, let sent = try? UnixSocket.send(feed, Array(rest.prefix(65_536)).span) {
      rest = rest.dropFirst(sent)
    }
    shutdown(feed.number, Int32(SHUT_WR))
  }
  writer.start()
  for descriptor in [printed, complained] { _ = fcntl(descriptor.number, F_SETFL, O_NONBLOCK) }
  var streams: [[UInt8]] = [[], []]
  let end = Date().addingTimeInterval(seconds)
  var exit: ProcessExit?
  while exit == nil, Date() < end {
    exit = (try? child.tryWait()) ?? nil
    var moved = false
    for (index, descriptor) in [printed, complained].enumerated() {
      var chunk = [UInt8](repeating: 0, count: 65_536)
      while case let count = read(descriptor.number, &chunk, chunk.count), count > 0 {
        streams[index] += chunk.prefix(count)
        moved = true
      }
    }
    if exit == nil, !moved { usleep(1000) }
  }
  if exit == nil { child.killAndWait() }
  let status: Int32 =
    switch exit {
    case .exited(let code)?: Int32(code)
    case .signalled(let signal)?: -signal
    case nil: -9999
    }
  return CommandResult(status: status, bytes: streams[0], complaint: String(decoding: streams[1], as: UTF8.self))
}
