import AccessPolicy
import Foundation
import KeychainModel
import KeychainService
import LinuxSystem
import SecretMemory
import TestSupport
import Testing

@testable import latchkeyd

extension AuthenticationTests {
  /// Which terminals and displays a prompt may appear on.
  @Suite struct SurfaceCheckTests {
    /// A shell that has the person's terminal for its own, with a job in the background.
    private func shell(on person: Person) throws -> (shell: SpawnedProcess, background: pid_t) {
      let plan = SpawnPlan(
        arguments: ["setsid", "--ctty", "sh", "-m", "-c", "sleep 60 & echo job=$!.; read wait"],
        environment: ["PATH": "/usr/bin:/bin"],
        descriptors: [.init(person.terminal, as: 0), .init(person.terminal, as: 1), .init(person.terminal, as: 2)],
        newSession: true)
      let child = try Spawn.start("/usr/bin/setsid", plan)
      try person.see("job=")
      try person.see(".")
      let number = try #require(person.screen.firstMatch(of: /job=(\d+)\./)?.1)
      return (child, try #require(pid_t(number)))
    }

    private func peer(_ pid: pid_t) throws -> PeerFacts {
      let status = try ProcessStatus.read(pid)
      return PeerFacts(uid: 0, process: ProcessIdentity(pid: pid, startTime: status.startTime))
    }

    @Test func `a program's own terminal will do whoever owns it, but not from the background`() throws {
      let owner = TestAccount(password: "x")
      let person = try Person(owner: owner.account)
      let (shell, background) = try shell(on: person)
      defer {
        shell.killAndWait()
        kill(background, SIGKILL)
      }
      // Somebody else's program may not, where the terminal is neither its own nor its user's.
      let root = UserAccountName(uid: 0, name: "root")
      // setsid(1) forks only where it leads a group already; here it leads a session, so it did.
      let front = try ProcessStatus.read(background).parent
      #expect(try TerminalCheck(person.terminal, account: root, peer: peer(front)).name() == person.path)
      #expect(throws: Refusal(.noWayToPrompt, detail: "the program runs in the background of its terminal")) {
        try TerminalCheck(person.terminal, account: root, peer: peer(background)).name()
      }
      #expect(throws: Refusal(.noWayToPrompt, detail: "the terminal belongs to another user")) {
        try TerminalCheck(person.terminal, account: root, peer: Scene.peer).name()
      }
      let own = UserAccountName(uid: owner.uid, name: owner.name)
      #expect(try TerminalCheck(person.terminal, account: own, peer: Scene.peer).name() == person.path)
      kill(front, SIGKILL)
    }

    @Test func `a job that has given up the terminal of its session is not prompted there, a session of its own is`()
      throws
    {
      let owner = TestAccount(password: "x")
      let person = try Person(owner: owner.account)
      let jobs = """
        import fcntl, os, sys, termios, time
        kind = sys.argv[1]
        if kind == "job": fcntl.ioctl(os.open("/dev/tty", os.O_RDWR), termios.TIOCNOTTY)
        else: os.setsid()
        print("ready.", flush=True)
        time.sleep(60)
        """
      for kind in ["job", "session"] {
        let plan = SpawnPlan(
          arguments: ["setsid", "--ctty", "sh", "-c", "python3 -c '\(jobs)' \(kind) & echo job=$!.; wait"],
          environment: ["PATH": "/usr/bin:/bin"],
          descriptors: [.init(person.terminal, as: 0), .init(person.terminal, as: 1), .init(person.terminal, as: 2)],
          newSession: true)
        let shell = try Spawn.start("/usr/bin/setsid", plan)
        try person.see("job=")
        try person.see("ready.")
        let number = try #require(person.screen.matches(of: /job=(\d+)\./).last?.1)
        let job = try #require(pid_t(number))
        let own = UserAccountName(uid: owner.uid, name: owner.name)
        let name = { try TerminalCheck(person.terminal, account: own, peer: self.peer(job)).name() }
        if kind == "job" {
          #expect(throws: Refusal(.noWayToPrompt, detail: "the program has given up the terminal of its session")) {
            try name()
          }
        } else {
          #expect(try name() == person.path)
        }
        let leader = try ProcessStatus.read(job).parent
        kill(job, SIGKILL)
        kill(leader, SIGKILL)
        shell.killAndWait()
      }
    }

    @Test func `a terminal of another devpts is only its own user's, and is not called by a name from here`() throws {
      let owner = TestAccount(password: "x")
      let here = try Person(owner: owner.account)
      let number = try #require(Int(here.path.dropFirst("/dev/pts/".count)))
      let terminals = try ForeignTerminals()
      let twin = try terminals.person(number: number, owner: owner.account)
      let (shell, background) = try shell(on: twin)
      defer {
        shell.killAndWait()
        kill(background, SIGKILL)
      }
      let front = try ProcessStatus.read(background).parent
      let (root, own) = (UserAccountName(uid: 0, name: "root"), UserAccountName(uid: owner.uid, name: owner.name))
      #expect(throws: Refusal(.noWayToPrompt, detail: "the terminal belongs to another user")) {
        try TerminalCheck(twin.terminal, account: root, peer: peer(front)).name()
      }
      #expect(try TerminalCheck(twin.terminal, account: own, peer: peer(front)).name() == "")
      #expect(throws: Refusal(.noWayToPrompt, detail: "the program runs in the background of its terminal")) {
        try TerminalCheck(twin.terminal, account: own, peer: peer(background)).name()
      }
      let place = PromptPlace.terminal(twin.terminal, name: "")
      #expect(place.site == .ownTerminal && place.terminalName.isEmpty)
      kill(front, SIGKILL)
    }

    @Test func `a program that is gone, or whose number is in use again, is refused`() throws {
      let person = try Person()
      let root = UserAccountName(uid: 0, name: "root")
      var peer = Scene.peer
      peer.process = ProcessIdentity(pid: peer.process.pid, startTime: peer.process.startTime + 1)
      #expect(throws: Refusal(.clientGone)) {
        try TerminalCheck(person.terminal, account: root, peer: peer).name()
      }
    }

    @Test func `only the variables of the list reach pinentry, and only a program of root's is one`() throws {
      let folder = RootFolder()
      let loose = folder.write("loose", "#!/bin/sh\n", mode: 0o777)
      let plain = folder.write("plain", "#!/bin/sh\n", mode: 0o644)
      let good = folder.write("good", "#!/bin/sh\n", mode: 0o755)
      let variables = [
        "DISPLAY": ":7", "LD_PRELOAD": "/tmp/evil.so", "LANG": "de_DE.UTF-8", "LC_ALL": "",
        "XAUTHORITY": String(repeating: "x", count: 513), "XDG_RUNTIME_DIR": String(repeating: "x", count: 512),
      ]
      let plan = try DisplayCheck.plan(variables, programs: [folder.path + "/none", loose, plain, good])
      #expect(plan.program == good)
      #expect(plan.environment.keys.sorted() == ["DISPLAY", "LANG", "XDG_RUNTIME_DIR"])
      for (variables, programs) in [(variables, [loose, plain]), (["LANG": "C"], [good]), ([:], [good])] {
        #expect { try DisplayCheck.plan(variables, programs: programs) } throws: {
          ($0 as? Refusal)?.reason == .noWayToPrompt
        }
      }
    }

    @Test(arguments: [("D right", Reason?.none), ("ERR 83886179 cancelled", .userCancelled)])
    func `a dialogue on a display goes through pinentry, as the person`(reply: String, reason: Reason?) throws {
      let scene = Scene()
      let account = TestAccount(password: "right")
      let record = scene.folder.path + "/record"
      scene.folder.write("record", "", mode: 0o666)
      let pinentry = scene.folder.write(
        "pinentry",
        """
        #!/bin/sh
        echo "OK hello"
        while read -r line; do
          echo "$(id -u) $DISPLAY $line" >> \(record)
          case "$line" in GETPIN*) echo "\(reply)"; [ "\(reply)" = "D right" ] && echo OK;; *) echo OK;; esac
        done
        """, mode: 0o755)
      scene.places.pinentries = [pinentry]
      let authenticator = PAMAuthenticator(places: scene.places, reader: AbsentReader())
      let channel = ClientDouble(.display(["DISPLAY": ":7"]))
      let outcome = Proving(authenticator, scene.request(account), channel).outcome
      #expect(outcome.reason == reason, "\(String(describing: outcome.refusal))")
      let told = try String(contentsOfFile: record, encoding: .utf8)
      #expect(told.contains("\(account.uid) :7 SETDESC"))
      #expect(told.contains("com.example.mail"))
      #expect(leftovers.isEmpty)
    }
  }
}
