import Foundation
import KeychainModel
import LinuxSystem
import Synchronization
import TestSupport
import Testing

@testable import KeychainClient

/// A daemon of a few lines of Perl, which is part of every Debian: one that holds the lock serves, any other says so.
private let perlDaemon = """
  #!/usr/bin/perl
  use strict; use Socket; use Fcntl qw(:flock);
  my $folder = FOLDER;
  open(my $ready, '>&=', 3) or die;
  open(my $lock, '>>', "$folder/lock") or die;
  unless (flock($lock, LOCK_EX | LOCK_NB)) { syswrite($ready, "alreadyRunning\\n"); exit 1; }
  select(undef, undef, undef, 0.2);
  open(my $log, '>>', "$folder/served"); syswrite($log, "$$\\n");
  mkdir("$folder/latchkey", 0700); unlink("$folder/latchkey/socket");
  socket(my $server, PF_UNIX, SOCK_STREAM, 0) or die;
  bind($server, sockaddr_un("$folder/latchkey/socket")) or die;
  listen($server, 20) or die;
  syswrite($ready, "R"); close($ready);
  alarm(20);
  while (accept(my $client, $server)) {
    next if fork();
    alarm(20);
    while (sysread($client, my $header, 24) == 24) {
      sysread($client, my $public, unpack('V', substr($header, 12, 4)));
      syswrite($client, "LKEY" . pack('vCC', 1, 4, 0) . substr($header, 8, 4) . pack('VVV', 6, 0, 0)
        . pack('CCV', 0, 1, 7));
    }
    exit 0;
  }
  """

@Suite struct StartingTests {
  let folder: ScratchFolder
  init() throws { folder = try ScratchFolder() }

  func keychain(_ program: String, start: UInt64 = 5000) -> Keychain {
    let places = ServicePlaces(
      systemSocket: "/nonexistent", runtimeFolder: folder.path, daemonPrograms: ["/nonexistent/latchkeyd", program])
    return Keychain(
      KeychainConfiguration(places: places, prompt: .none, timeouts: KeychainTimeouts(start: start)))
  }

  @Test func `eight clients at once start one daemon and are all served`() throws {
    let program = try folder.write(
      "latchkeyd", perlDaemon.replacingOccurrences(of: "FOLDER", with: "'\(folder.path)'"), mode: 0o700)
    let outcomes = Mutex<[Reason?]>([])
    for _ in 0..<8 {
      let keychain = keychain(program)
      try Threads.start {
        let outcome = reason { try keychain.lock() }
        outcomes.withLock { $0.append(outcome) }
      }
    }
    let end = Clock.boottime + 30_000_000_000
    while outcomes.withLock({ $0.count }) < 8, Clock.boottime < end { _ = try Poll.wait([], timeoutMilliseconds: 10) }
    #expect(outcomes.withLock { $0 } == [Reason?](repeating: nil, count: 8))
    let served = folder.read("served").split(separator: "\n")
    #expect(served.count == 1)
    for pid in served.compactMap({ Int32($0) }) { kill(pid, SIGKILL) }
  }

  @Test func `a daemon gets few variables, no descriptors and a session of its own`() throws {
    setenv("LATCHKEY_CANARY", "1", 1)
    setenv("LC_TIME", "C", 1)
    let program = try folder.write(
      "latchkeyd",
      """
      #!/bin/sh
      { echo "args $*"; echo "cwd $(pwd)"; echo "umask $(umask)"; env | sort;
        echo "session $(cut -d' ' -f6 /proc/$$/stat) $$"; for f in /proc/$$/fd/*; do echo "fd ${f##*/} $(readlink $f)"; done
      } > \(folder.path)/seen
      printf 'storeForeign of somebody else\\n' >&3
      """, mode: 0o700)
    let open = try Files.open("/etc/passwd", .reading)
    #expect(throws: Refusal(.storeForeign, detail: "of somebody else")) { try keychain(program).lock() }
    withExtendedLifetime(open) {}
    let seen = folder.read("seen").split(separator: "\n").map(String.init)
    #expect(seen.contains("args --user --ready-fd 3"))
    #expect(seen.contains("cwd /"))
    #expect(seen.contains("umask 0077"))
    #expect(seen.contains("LC_TIME=C"))
    let session = try #require(seen.first { $0.hasPrefix("session ") }).split(separator: " ")
    #expect(session[1] == session[2])
    let names = seen.filter { $0.contains("=") && !$0.hasPrefix("fd ") }.map { String($0.prefix { $0 != "=" }) }
    // The shell itself adds PWD and the like.
    let added: Set = ["SWIFT_BACKTRACE", "PWD", "_", "OLDPWD", "SHLVL"]
    #expect(Set(names).subtracting(DaemonLauncher.variables).isSubset(of: added))
    #expect(seen.contains("SWIFT_BACKTRACE=enable=no"))
    let descriptors = seen.filter { $0.hasPrefix("fd ") }
    #expect(descriptors.contains { $0.hasPrefix("fd 3 pipe:") })
    let others = descriptors.filter { line in !(0...3).contains { line.hasPrefix("fd \($0) ") } }
    // The shell's own script, and what it put aside while it redirects.
    #expect(others.allSatisfy { $0.hasSuffix("latchkeyd") || $0.contains("/dev/null") || $0.contains("pipe:") })
  }

  @Test func `a daemon that dies, hangs or is not there is told`() throws {
    let dying = try folder.write("dying", "#!/bin/sh\nexit 1\n", mode: 0o700)
    #expect(reason { try keychain(dying).lock() } == .serviceUnavailable)
    let hanging = try folder.write("hanging", "#!/bin/sh\nexec sleep 3\n", mode: 0o700)
    var refused: Reason?
    let waited = milliseconds { refused = reason { try keychain(hanging, start: 300).lock() } }
    #expect(refused == .serviceTimedOut)
    #expect(waited < 2500)
    #expect(reason { try keychain("/nonexistent").lock() } == .serviceUnavailable)
    let lying = try folder.write("lying", "#!/bin/sh\nprintf R >&3\n", mode: 0o700)
    #expect(reason { try keychain(lying, start: 1500).lock() } == .serviceUnavailable)
  }

  @Test(arguments: [
    ("", Reason.serviceUnavailable), ("R", nil), ("alreadyRunning\n", nil), ("diskFull /var\n", .diskFull),
    ("what is this", .serviceUnavailable), ("storeNewer", .storeNewer),
  ])
  func `the daemon's word is understood`(word: String, expected: Reason?) {
    #expect(reason { try DaemonWord(Array(word.utf8)).check() } == expected)
  }

  @Test func `a folder that is not the user's own is refused`() throws {
    let user = Users.effectiveUserID
    let good = folder.path + "/good"
    try Files.makeDirectory(good, mode: 0o700)
    #expect(reason { try UserFolder.check(good, owner: user) } == nil)
    #expect(reason { try UserFolder.check(folder.path + "/missing", owner: user) } == nil)
    #expect(reason { try UserFolder.check(good, owner: user + 1) } == .serverNotTrusted)
    for mode in [0o710, 0o701, 0o770, 0o755] {
      #expect(chmod(good, mode_t(mode)) == 0)
      #expect(reason { try UserFolder.check(good, owner: user) } == .serverNotTrusted)
    }
    #expect(chmod(good, 0o700) == 0)
    #expect(symlink(good, folder.path + "/link") == 0)
    #expect(reason { try UserFolder.check(folder.path + "/link", owner: user) } == .serverNotTrusted)
    _ = try folder.write("file", "")
    #expect(reason { try UserFolder.check(folder.path + "/file", owner: user) } == .serverNotTrusted)
  }

  @Test func `the user's own socket is where the environment says, or in the home`() throws {
    var places = ServicePlaces(systemSocket: "/nonexistent", runtimeFolder: folder.path, home: "/nowhere")
    #expect(try places.address().path == folder.path + "/latchkey/socket")
    places.runtimeFolder = "relative"
    #expect(try places.address().path == "/nowhere/.local/state/latchkey/run/socket")
    places.runtimeFolder = nil
    #expect(try places.address().isStartable)
    #expect(try places.address().owners == [Users.effectiveUserID])
    places.systemSocket = folder.path
    #expect(try places.address() == ServiceAddress(path: folder.path, owners: [0], isStartable: false))
  }

  @Test(.enabled(if: geteuid() == 0, "becoming another user needs root"), arguments: [false, true])
  func `a server of another user gets not a byte`(isSystem: Bool) throws {
    let path = folder.path + "/socket"
    #expect(chmod(folder.path, 0o777) == 0)
    let program = try folder.write(
      "server",
      """
      #!/usr/bin/perl
      use strict; use Socket;
      socket(my $server, PF_UNIX, SOCK_STREAM, 0); bind($server, sockaddr_un('\(path)')); listen($server, 5);
      open(my $ready, '>&=', 3); syswrite($ready, 'R'); close($ready); alarm(20);
      accept(my $client, $server); my $got = sysread($client, my $bytes, 100);
      open(my $log, '>', '\(path).got'); syswrite($log, "got $got");
      """, mode: 0o755)
    let nobody = try #require(try Users.account("nobody"))
    let pipe = try OwnedDescriptor.pipe()
    let server = try Spawn.start(
      program, SpawnPlan(arguments: ["server"], descriptors: [.init(pipe.writing, as: 3)], asUser: nobody))
    defer { server.killAndWait() }
    _ = try Poll.wait([PollEntry(pipe.reading)], timeoutMilliseconds: 5000)
    let places = ServicePlaces(
      chosenSocket: isSystem ? nil : path, systemSocket: isSystem ? path : "/nonexistent")
    #expect(
      reason { try Keychain(KeychainConfiguration(places: places, prompt: .none)).lock() } == .serverNotTrusted)
    #expect(eventually { folder.read("socket.got") == "got 0" })
  }
}
