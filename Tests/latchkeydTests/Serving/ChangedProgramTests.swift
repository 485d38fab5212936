import Foundation
import KeychainModel
import KeychainService
import KeychainWire
import LinuxSystem
import TestSupport
import Testing

@testable import latchkeyd

/// A process that connects, leaves its connection to a child and becomes another program.
@Suite struct ChangedProgramTests {
  /// The child passes on what comes from descriptor 0; the parent becomes sleep once descriptor 3 ends.
  private static let script = """
    use IO::Socket::UNIX; use IO::Select;
    $^F = 255;
    my $daemon = IO::Socket::UNIX->new(Peer => $ARGV[0]) or die;
    open(my $test, "+<&=", 0); open(my $word, "<&=", 3);
    if (fork) { sysread($word, my $none, 1); exec "/bin/sleep", "1000"; }
    close $word;
    my $both = IO::Select->new($daemon, $test);
    while (1) {
      for my $from ($both->can_read) {
        sysread($from, my $bytes, 65536) or exit 0;
        syswrite($from == $daemon ? $test : $daemon, $bytes);
      }
    }
    """

  private func client(of server: TestServer) throws -> (FrameSocket, SpawnedProcess, become: OwnedDescriptor) {
    let (near, far) = try UnixSocket.streamPair()
    let word = try OwnedDescriptor.pipe()
    var plan = SpawnPlan(arguments: ["perl", "-e", Self.script, server.path])
    plan.descriptors = [.init(far, as: 0), .init(word.reading, as: 3)]
    let process = try Spawn.start("/usr/bin/perl", plan)
    return (try FrameSocket(near, side: .client, blockMilliseconds: 20_000), process, word.writing)
  }

  private func program(of process: SpawnedProcess) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process.pid)/exe")
  }

  @Test func `its connection answers no request after that, and ends`() throws {
    let asked = Counter()
    let server = try TestServer { _ in
      asked.add()
      return done()
    }
    let (frames, process, become) = try client(of: server)
    defer { process.killAndWait() }
    #expect(try frames.ask(.lock, id: 1).reply == .done(count: 0), "a child of the same program may use it")
    _ = try Files.writeAll(become, [1].span)
    #expect(eventually { program(of: process)?.hasSuffix("sleep") == true })
    guard case .refused(let refusal) = try frames.ask(.lock, id: 2).reply else { throw Unexpected.frame }
    #expect(refusal.reason == .programChanged && refusal.detail.contains("perl"), "\(refusal)")
    #expect(asked.value == 1)
    #expect(eventually { server.shared.table.count == 0 })
  }

  @Test func `a watch is refused as well`() throws {
    let server = try TestServer { _ in done() }
    let (frames, process, become) = try client(of: server)
    defer { process.killAndWait() }
    #expect(try frames.ask(.lock, id: 1).reply == .done(count: 0))
    _ = try Files.writeAll(become, [1].span)
    #expect(eventually { program(of: process)?.hasSuffix("sleep") == true })
    guard case .refused(let refusal) = try frames.ask(.watch(since: 0), id: 2).reply else { throw Unexpected.frame }
    #expect(refusal.reason == .programChanged)
    #expect(eventually { server.shared.table.count == 0 })
  }
}
