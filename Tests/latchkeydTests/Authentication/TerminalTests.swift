import AccessPolicy
import Foundation
import KeychainModel
import KeychainService
import LinuxSystem
import SecretMemory
import Synchronization
import TestSupport
import Testing

@testable import latchkeyd

extension AuthenticationTests {
  /// A person at a pseudo-terminal, the built prompter and helper, real PAM.
  @Suite struct TerminalTests {
    let scene = Scene()
    let account = TestAccount(password: "right horse")
    let person: Person
    let before: TerminalSettings
    let channel: ClientDouble

    init() throws {
      person = try Person(owner: account.account)
      before = try person.settings
      channel = ClientDouble(.terminal(person.terminal))
    }

    /// A dialogue with its question up.
    private func asked(
      _ receiver: TestReceiver = TestReceiver(), tries: UInt8 = 3, milliseconds: UInt64 = 30_000,
      over other: ClientDouble? = nil
    ) throws -> Proving {
      let request = scene.request(account, receiver, tries: tries, milliseconds: milliseconds)
      let proving = scene.start(request, other ?? channel)
      try person.see("Passcode for \(account.name): ")
      #expect(try person.settings != before)
      #expect(try Terminal.access(person.terminal) == .exclusive)
      return proving
    }

    /// Whether another process of the person's can open the terminal, to read from it.
    private var canBeOpened: Bool {
      run(["sh", "-c", "exec 3<>\(person.path)"], as: account.account).status == 0
    }

    /// As it was, with no key left for the next program, and nobody left behind.
    private func expectRestored() throws {
      #expect(try person.settings == before)
      #expect(try Terminal.access(person.terminal) == .shared)
      #expect(try person.nextLine(typing: "next\n") == "next\n")
      #expect(leftovers.isEmpty)
    }

    @Test func `the right passcode proves, and its key is the same as a supplied one's`() throws {
      let receiver = TestReceiver(stretching: Scene.cheap)
      let proving = try asked(receiver)
      try person.type("right horse\r")
      #expect(proving.outcome.evidence.count == 2, "\(String(describing: proving.refusal))")
      let expected = try PasscodeStretching.stretch(locked("right horse"), parameters: Scene.cheap)
      #expect(receiver.keys.count == 1)
      #expect(receiver.keys[0]?.equals(expected) == true)
      #expect(person.screen.contains("\"/usr/bin/mail\" asks to open \"com.example.mail\" for \(account.name)"))
      #expect(person.screen.contains("item \"work\", reason \"send\""))
      #expect(!person.screen.contains("horse"))
      try expectRestored()
    }

    @Test func `a wrong passcode may be followed by the right one`() throws {
      let receiver = TestReceiver()
      let proving = try asked(receiver)
      try person.type("wrong\r")
      try person.see("2 tries left")
      try person.see("Passcode for")
      try person.type("right horse\r")
      #expect(proving.refusal == nil)
      #expect(receiver.misses == 1)
      try expectRestored()
    }

    @Test func `the tries end with the policy's number`() throws {
      let receiver = TestReceiver()
      let proving = try asked(receiver, tries: 2)
      try person.type("wrong\r")
      try person.see("1 try left")
      try person.see("Passcode for")
      try person.type("wrong again\r")
      #expect(proving.refusal?.reason == .wrongPasscode)
      #expect(receiver.misses == 2 && receiver.keys.isEmpty)
      try person.see("Latchkey: ")
      try expectRestored()
    }

    @Test func `the tally's stop ends the dialogue before the next answer`() throws {
      let receiver = TestReceiver(miss: { _ in .stop(Refusal(.tooManyAttempts)) })
      let proving = try asked(receiver)
      try person.type("wrong\r")
      #expect(proving.refusal?.reason == .tooManyAttempts)
      #expect(receiver.misses == 1)
      try expectRestored()
    }

    @Test(arguments: [("\u{3}", Reason.userCancelled), ("half\u{3}", .userCancelled), ("\r", .emptyPasscode)])
    func `a key that ends it, and an empty line, are told apart`(keys: String, reason: Reason) throws {
      let receiver = TestReceiver()
      let proving = try asked(receiver)
      try person.type(keys)
      #expect(proving.refusal?.reason == reason)
      #expect(receiver.misses == 0)
      try expectRestored()
    }

    /// Milliseconds that a dialogue with a half-typed passcode takes to end; the quickest of some rounds.
    private func taken(
      below bound: Double, as reason: Reason, after before: (ClientDouble) throws -> Void = { _ in },
      by end: (ClientDouble) throws -> Void
    ) throws -> Double {
      try quickest(below: bound) {
        let channel = ClientDouble(.terminal(person.terminal))
        let proving = try asked(over: channel)
        try before(channel)
        try person.type("half")
        let taken = try milliseconds {
          try end(channel)
          #expect(proving.refusal?.reason == reason)
        }
        try expectRestored()
        return taken
      }
    }

    @Test func `a client that leaves ends everything at once`() throws {
      #expect(try taken(below: 200, as: .clientGone) { $0.leave() } < 200)
    }

    @Test func `a client that takes its request back ends everything at once, and other words do not`() throws {
      #expect(try taken(below: 200, as: .appCancelled, after: { try $0.say("x") }, by: { try $0.say("c") }) < 200)
    }

    @Test func `nobody answers before the deadline`() throws {
      let start = Clock.boottime
      let proving = try asked(milliseconds: 1500)
      try person.type("half")
      #expect(proving.refusal?.reason == .deadlinePassed)
      let taken = Double(Clock.boottime - start) / 1e6
      #expect((1500...8000).contains(taken), "\(taken) ms")
      try expectRestored()
    }

    @Test(arguments: ["latchkey-prompter", "latchkey-pam-helper"])
    func `a program that is killed leaves the terminal as it was`(program: String) throws {
      let proving = try asked()
      try person.type("half")
      kill(try child(program), SIGKILL)
      #expect(proving.refusal?.reason == .helperFailed)
      try expectRestored()
    }

    @Test(arguments: [SIGKILL, SIGSTOP])
    func `where a prompter ends without a word the daemon says on the terminal that the prompt is over`(signal: Int32)
      throws
    {
      let proving = try asked()
      try person.type("half")
      kill(try child("latchkey-prompter"), signal)
      if signal == SIGSTOP { channel.leave() }
      #expect(proving.refusal?.reason == (signal == SIGSTOP ? .clientGone : .helperFailed))
      try person.see(SavedTerminal.ending.trimmingCharacters(in: .newlines))
      person.readOn()
      #expect(person.unread.trimmingCharacters(in: .newlines).isEmpty)
      try expectRestored()
    }

    @Test func `a prompter that ends with a word is not spoken over`() throws {
      let proving = try asked()
      try person.type("\u{3}")
      #expect(proving.refusal?.reason == .userCancelled)
      person.readOn()
      #expect(!person.screen.contains("this prompt has ended"))
      try expectRestored()
    }

    @Test func `a terminal that takes no output keeps nobody waiting for the word that the prompt is over`() throws {
      let proving = try asked()
      #expect(tcflow(person.terminal.number, TCOOFF) == 0)
      kill(try child("latchkey-prompter"), SIGKILL)
      #expect(proving.refusal?.reason == .helperFailed)
      tcflow(person.terminal.number, TCOON)
      #expect(fcntl(person.terminal.number, F_GETFL) & O_NONBLOCK == 0)
      try expectRestored()
    }

    @Test func `a prompter that hangs is ended, and the terminal is as it was`() throws {
      let taken = try taken(
        below: 250, as: .clientGone, after: { _ in kill(try child("latchkey-prompter"), SIGSTOP) }, by: { $0.leave() })
      #expect(taken < 250)
    }

    @Test func `the prompter runs as the person it asks, in a session of its own`() throws {
      let proving = try asked()
      let prompter = try child("latchkey-prompter")
      let status = try String(contentsOfFile: "/proc/\(prompter)/status", encoding: .utf8)
      #expect(status.contains("\nUid:\t\(account.uid)\t\(account.uid)\t\(account.uid)\t"))
      #expect(try ProcessStatus.read(prompter).session == prompter)
      channel.leave()
      _ = proving.outcome
    }

    @Test func `nobody else of the same user opens the terminal while the prompt is up, and afterwards they do`() throws
    {
      #expect(canBeOpened)
      let proving = try asked()
      #expect(!canBeOpened)
      try person.type("right horse\r")
      #expect(proving.refusal == nil)
      #expect(canBeOpened)
      try expectRestored()
    }

    @Test(arguments: ["latchkey-prompter", "latchkey-pam-helper"])
    func `a program that is killed leaves the terminal open to others`(program: String) throws {
      let proving = try asked()
      kill(try child(program), SIGKILL)
      #expect(proving.refusal?.reason == .helperFailed)
      #expect(canBeOpened)
      try expectRestored()
    }

    @Test(arguments: ["right horse\r", "\u{3}"])
    func `a terminal that another program keeps for itself is no hindrance, and stays that program's`(keys: String)
      throws
    {
      try Terminal.setAccess(.exclusive, of: person.terminal)
      #expect(!canBeOpened)
      let proving = try asked()
      #expect(!canBeOpened)
      try person.type(keys)
      #expect((proving.refusal == nil) == (keys != "\u{3}"))
      #expect(try Terminal.access(person.terminal) == .exclusive)
      try Terminal.setAccess(.shared, of: person.terminal)
      try expectRestored()
    }

    @Test func `the passcode from before is asked for in the same dialogue`() throws {
      let receiver = TestReceiver(stretching: Scene.cheap, proved: { _ in .askOldPasscode(Scene.cheap) })
      let proving = try asked(receiver)
      try person.type("right horse\r")
      try person.see("Passcode from before it was changed, for \(account.name): ")
      try person.type("old horse\r")
      #expect(proving.refusal == nil)
      let expected = try PasscodeStretching.stretch(locked("old horse"), parameters: Scene.cheap)
      #expect(receiver.oldKeys.count == 1)
      #expect(receiver.oldKeys[0].equals(expected))
      try expectRestored()
    }

    @Test func `a passcode is stretched once more, unasked, for a keybag that was bound meanwhile`() throws {
      let bound = StretchingParameters.fresh()
      let count = Mutex(0)
      let receiver = TestReceiver(
        stretching: Scene.cheap,
        proved: { _ in
          count.withLock { count in
            count += 1
            return count == 1 ? .stretchAgain(bound) : .accepted
          }
        })
      let proving = try asked(receiver)
      try person.type("right horse\r")
      #expect(proving.refusal == nil)
      let expected = try [Scene.cheap, bound].map {
        try PasscodeStretching.stretch(locked("right horse"), parameters: $0)
      }
      #expect(receiver.keys.count == 2)
      #expect(zip(receiver.keys, expected).allSatisfy { $0?.equals($1) == true })
      try expectRestored()
    }

    @Test func `a wrong passcode from before opens nothing`() throws {
      let receiver = TestReceiver(
        stretching: Scene.cheap, proved: { _ in .askOldPasscode(Scene.cheap) },
        old: { _ in .refused(Refusal(.passcodeChanged)) })
      let proving = try asked(receiver)
      try person.type("right horse\r")
      try person.see("Passcode from before")
      try person.type("guess\r")
      #expect(proving.refusal?.reason == .passcodeChanged)
      try person.see("Latchkey: " + Reason.passcodeChanged.explanation)
      try expectRestored()
    }

    @Test func `a stack that asks twice shows presence and gives no key`() throws {
      // Two lines of pam_unix would ask once; pam_matrix asks each time.
      let accounts = scene.folder.write("passdb", "\(account.name):right:latchkey-passcode\n")
      let line = "auth required \(matrixModule) passdb=\(accounts)\n"
      scene.folder.write("latchkey-passcode", line + line + "account required pam_unix.so\n")
      let receiver = TestReceiver(stretching: Scene.cheap)
      let proving = try asked(receiver)
      try person.type("right\r")
      try person.see("for \(account.name): ")
      try person.type("right\r")
      #expect(proving.refusal == nil)
      #expect(receiver.keys.count == 1)
      #expect(receiver.keys.allSatisfy { $0 == nil })
      try expectRestored()
      let supplied = scene.prove(account, passcode: "right", receiver)
      #expect(supplied.reason == .conversationRefused)
    }

    @Test func `another user's terminal is refused, and nothing is shown there`() throws {
      let other = TestAccount(password: "other")
      let proving = scene.start(scene.request(other), channel)
      #expect(proving.refusal?.reason == .noWayToPrompt)
      person.readOn()
      #expect(person.screen.isEmpty)
      #expect(try person.settings == before)
    }

    @Test func `what is no terminal is refused`() throws {
      let pipe = try OwnedDescriptor.pipe()
      for descriptor in [pipe.reading, try Files.open("/dev/null", .readingAndWriting)] {
        let proving = scene.start(scene.request(account), ClientDouble(.terminal(descriptor)))
        #expect(proving.refusal?.reason == .noWayToPrompt)
      }
      #expect(leftovers.isEmpty)
    }

    @Test func `a missing prompter is refused before anything is shown`() throws {
      scene.places.prompterProgram = scene.folder.path + "/none"
      #expect(scene.start(scene.request(account), channel).refusal?.reason == .helperFailed)
      scene.places.prompterProgram = scene.folder.write("prompter", "#!/bin/sh\nexit 0\n", mode: 0o777)
      #expect(scene.start(scene.request(account), channel).refusal?.reason == .helperFailed)
      person.readOn()
      #expect(person.screen.isEmpty)
      #expect(leftovers.isEmpty)
    }
  }
}
