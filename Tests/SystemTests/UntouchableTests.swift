import Foundation
import LinuxSystem
import TestSupport
import Testing

/// Daemon, helper and prompter while they run: a program of the same user gets neither memory nor a core of them.
@Suite(.serialized, .enabled(if: isRoot, "makes accounts"))
struct UntouchableTests {
  /// What the same user finds out about a process, by python3 that runs as that user.
  private func attack(_ process: pid_t, as account: UserAccount) -> [String: Bool] {
    let script = """
      import ctypes, os, sys, json
      process = int(sys.argv[1])
      libc = ctypes.CDLL(None, use_errno=True)
      class vector(ctypes.Structure):
          _fields_ = [("base", ctypes.c_void_p), ("count", ctypes.c_size_t)]
      def opens(path):
          try:
              with open(path, "rb") as file:
                  return len(file.read(1)) >= 0
          except OSError:
              return False
      buffer = ctypes.create_string_buffer(16)
      local = vector(ctypes.cast(buffer, ctypes.c_void_p), 16)
      remote = vector(0x400000, 16)
      libc.process_vm_readv.restype = ctypes.c_ssize_t
      libc.process_vm_readv(process, ctypes.byref(local), 1, ctypes.byref(remote), 1, 0)
      refused = ctypes.get_errno() == 1
      libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
      traced = libc.ptrace(16, process, None, None) == 0
      print(json.dumps({
          "vm": not refused, "trace": traced, "mem": opens("/proc/%d/mem" % process),
          "maps": opens("/proc/%d/maps" % process), "environ": opens("/proc/%d/environ" % process)}))
      """
    let result = run(["python3", "-c", script, String(process)], as: account)
    return (try? JSONSerialization.jsonObject(with: Data(result.bytes))) as? [String: Bool] ?? [:]
  }

  private func processes(_ name: String, of uid: uid_t?) -> [pid_t] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { pid_t($0) } ?? []
    return all.filter { process in
      guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else { return false }
      return text.hasPrefix("Name:\t\(name.prefix(15))\n") && uid.map { text.contains("\nUid:\t\($0)\t") } ?? true
    }
  }

  @Test func `the same user can neither trace nor read daemon, helper and prompter`() throws {
    let house = try Household(.user)
    house.add("mail", Array("value".utf8))
    let person = try Person(owner: house.account.account)
    let process = try house.commandLine.start("get", "-s", "mail", "-a", "me", at: person)
    try person.see("Passcode for")
    for name in ["latchkeyd", "latchkey-pam-helper", "latchkey-prompter"] {
      let found = processes(name, of: house.account.uid)
      #expect(found.count == 1, "\(name)")
      for target in found {
        let answers = attack(target, as: house.account.account)
        #expect(answers.count == 5)
        #expect(answers.values.allSatisfy { !$0 }, "\(name): \(answers)")
        let limits = try String(contentsOfFile: "/proc/\(target)/limits", encoding: .utf8)
        #expect(limits.split(separator: "\n").contains { $0.hasPrefix("Max core file size") && $0.contains(" 0 ") })
      }
    }
    try person.type("\u{3}")
    #expect(process.status() == 128)
    // So that the attack can fail: a process that hides nothing is read.
    let open = try Spawn.start(
      "/usr/bin/sleep", SpawnPlan(arguments: ["sleep", "60"], asUser: house.account.account))
    defer { open.killAndWait() }
    usleep(100_000)
    #expect(attack(open.pid, as: house.account.account)["trace"] == true)
  }

  @Test(arguments: Mode.allCases)
  func `a crash of daemon, helper and prompter starts no program that is given their memory`(
    _ mode: Mode
  ) throws {
    let house = try Household(mode)
    house.add("mail", Array("value".utf8))
    let person = try Person(owner: house.account.account)
    let process = try house.commandLine.start("get", "-s", "mail", "-a", "me", at: person)
    try person.see("Passcode for")
    let prompter = try #require(processes("latchkey-prompter", of: house.account.uid).first)
    let daemon = try parent(of: prompter)
    let helper = try #require(try processes("latchkey-pam-helper", of: nil).first { try parent(of: $0) == daemon })
    for target in [daemon, helper, prompter] { #expect(try CaughtSignals(of: target).ofACrash == []) }
    // The variable keeps the runtime from it before main, too. Who starts a system's daemon gives it what it likes.
    for target in mode == .user ? [daemon, helper, prompter] : [helper, prompter] {
      let environment = try String(contentsOfFile: "/proc/\(target)/environ", encoding: .utf8)
      #expect(environment.split(separator: "\0").contains("SWIFT_BACKTRACE=enable=no"))
    }
    try person.type("half of it")
    #expect(run(["sh", "-c", "kill -SEGV \(prompter)"], as: house.account.account).status == 0)
    #expect(process.status() == 53)
    #expect(processes("latchkey-prompter", of: house.account.uid) == [])
    #expect(processes("swift-backtrace", of: house.account.uid) == [])
  }

  /// The process that started another.
  private func parent(of process: pid_t) throws -> pid_t {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("PPid:") }
    return try #require(line?.split(separator: "\t").last.flatMap { pid_t($0) })
  }

  @Test func `cached keys are for the daemon alone and end at their timeout`() throws {
    let policy = "service: mail\nmethods: [passcode]\nreuse: {window: 3s, scope: session}\ncache: {timeout: 3s}\n"
    let house = try Household(.user)
    // The account's keys are its daemon's alone; root's are also those of every other daemon of the tests.
    let uid = house.account.uid
    // A new account may get the number of one before, whose keys the kernel collects in its own time.
    #expect(eventually { keyCount(of: uid) < 32 })
    let file = house.account.account.home + "/mail.yaml"
    try policy.write(toFile: file, atomically: true, encoding: .utf8)
    chmod(file, 0o644)
    #expect(house.commandLine.run("policy", "apply", file, passcode: house.password).status == 0)
    house.add("mail", Array("value".utf8))
    #expect(house.commandLine.run("get", "-s", "mail", "-a", "me", passcode: house.password).status == 0)
    // Their serial numbers are random and nobody else is shown them: KernelKeyring's own tests read them by number.
    #expect(keyCount(of: uid) >= 32, "the daemon keeps its slots in the kernel")
    for account in [nil, house.account.account] {
      #expect(!run(["cat", "/proc/keys"], as: account).output.contains("latchkey"))
    }
    sleep(4)
    #expect(house.commandLine.run("get", "-s", "mail", "-a", "me").status == 36)
    #expect(!house.commandLine.run("status", "--json").output.contains("\"item\""))
  }

  /// How many keys the kernel keeps for a user (/proc/key-users).
  private func keyCount(of uid: uid_t) -> Int {
    let text = (try? String(contentsOfFile: "/proc/key-users", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").map { $0.split(separator: " ") }.first { $0.first == "\(uid):" }
    return line.flatMap { Int($0[2].split(separator: "/")[0]) } ?? 0
  }
}
