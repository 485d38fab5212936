import DialogueWire
import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import latchkey_prompter

/// A pinentry that follows a script and writes down what it was told.
private final class ScriptedPinentry {
  let program: String
  let record: String
  private let folder: URL

  /// `replies` is the body of a Python function that gets the command line and answers with the reply's lines.
  init(_ replies: String, greeting: String = "OK hello") throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("latchkey-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    program = folder.appendingPathComponent("pinentry").path
    record = folder.appendingPathComponent("record").path
    let script = """
      #!/usr/bin/python3
      import os, sys, time
      record = open(\(record.debugDescription), "a", buffering=1)
      record.write("pid %d\\n" % os.getpid())
      record.write("environment %s\\n" % sorted(k for k in os.environ if k != "LC_CTYPE"))
      pins = 0
      def reply(line):
          global pins
          verb = line.split(" ")[0]
          if verb == "GETPIN": pins += 1
      \(replies.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n"))
          return "OK"
      print(\(greeting.debugDescription), flush=True)
      for line in sys.stdin:
          record.write(line)
          print(reply(line.rstrip("\\n")), flush=True)
      record.write("end\\n")
      """
    try script.write(toFile: program, atomically: true, encoding: .utf8)
    try #require(chmod(program, 0o755) == 0)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var told: [String] {
    get throws { try String(contentsOfFile: record, encoding: .utf8).components(separatedBy: "\n") }
  }

  func surface(_ environment: [String: String] = ["DISPLAY": ":7"]) -> PromptSurface {
    .pinentry(PinentryPlan(program: program, environment: environment))
  }

  /// Whether the program is gone, by the process id it wrote down.
  var isGone: Bool {
    get throws {
      let pid = try #require(try told.first?.dropFirst(4)).description
      return !FileManager.default.fileExists(atPath: "/proc/" + pid)
    }
  }
}

/// The built program with pinentry in the place of a terminal.
@Suite struct PinentryDialogueTests {
  private func asked(
    _ pinentry: ScriptedPinentry, seconds: UInt64 = 20, finger: FingerOffer = .none,
    _ change: (inout PromptSetup) -> Void = { _ in }
  ) throws -> Stage {
    let stage = try Stage(terminal: nil, helped: finger != .alone)
    try stage.order(pinentry.surface(), seconds: seconds) {
      $0.label = ShownText("100% \u{202E}evil")
      $0.finger = finger
      change(&$0)
    }
    #expect(try stage.report() == "ready")
    if finger != .none { try stage.daemon?.send(PrompterCue.fingerWanted) }
    if finger != .alone { try stage.ask() }
    return stage
  }

  private func wait(for command: String, in pinentry: ScriptedPinentry) throws {
    let deadline = Clock.boottime + Stage.soon
    while try !pinentry.told.contains(command), Clock.boottime < deadline { usleep(5000) }
    #expect(try pinentry.told.contains(command))
  }

  @Test(arguments: [(FingerOffer.orPasscode, "GETPIN"), (.alone, "CONFIRM")])
  func `a finger that wins takes the window away`(offer: FingerOffer, command: String) throws {
    let pinentry = try ScriptedPinentry(#"if verb in ("GETPIN", "CONFIRM"): time.sleep(60)"#)
    let stage = try asked(pinentry, finger: offer)
    try wait(for: command, in: pinentry)
    #expect(try pinentry.told.contains { $0.hasPrefix("SETDESC") && $0.contains("Touch the fingerprint reader") })
    try stage.daemon?.send(PrompterCue.say(.error, ShownText("too short")))
    try stage.daemon?.send(PrompterCue.done(.succeeded))
    #expect(try stage.report() == "done")
    #expect(try stage.exit() == .exited(0))
    #expect(try pinentry.isGone)
  }

  @Test(arguments: [FingerOffer.alone, .orPasscode])
  func `a window that says to touch a reader that is another prompt's by now is replaced`(offer: FingerOffer) throws {
    let pinentry = try ScriptedPinentry(#"if verb in ("GETPIN", "CONFIRM"): time.sleep(60)"#)
    let stage = try asked(pinentry, finger: offer)
    let windows = { try pinentry.told.filter { $0.hasPrefix("GETPIN") || $0.hasPrefix("CONFIRM") }.count }
    #expect(try eventually { try windows() == 1 })
    try stage.daemon?.send(PrompterCue.fingerWaits(.prompt))
    #expect(try eventually { try windows() == 2 })
    let last = try #require(try pinentry.told.last { $0.hasPrefix("SETDESC") })
    #expect(last.contains("in use for another prompt") && !last.contains("Touch"))
    #expect(try pinentry.isGone, "the first one has ended")
  }

  @Test func `an empty answer chooses the passcode over the finger, and the next window says what the reader said`()
    throws
  {
    let pinentry = try ScriptedPinentry(
      """
      if verb == "GETPIN":
          time.sleep(1)
          return "OK" if pins == 1 else "D pass\\nOK"
      """)
    let stage = try asked(pinentry, finger: .orPasscode)
    try wait(for: "GETPIN", in: pinentry)
    try stage.daemon?.send(PrompterCue.say(.error, ShownText("too short")))
    #expect(try stage.report() == "passcodeChosen")
    #expect(try stage.answer() == "1: pass")
    #expect(try pinentry.told.contains("SETERROR   \"too short\""))
  }

  @Test func `a window for a finger alone has a button for the passcode, and one that cancels`() throws {
    let chosen = try ScriptedPinentry("")
    let stage = try asked(chosen, finger: .alone)
    #expect(try stage.report() == "passcodeChosen")
    let told = try chosen.told
    #expect(told.contains("SETOK Choose the passcode") && told.contains("CONFIRM"))
    try stage.daemon?.send(PrompterCue.done(.failed(ShownText("use the fingerprint"))))
    #expect(try stage.report() == "done")
    #expect(try stage.exit() == .exited(0))
    let cancelled = try ScriptedPinentry(#"if verb == "CONFIRM": return "ERR 83886194 Not confirmed""#)
    #expect(try asked(cancelled, finger: .alone).report() == "userCancelled")
  }

  @Test func `without a fallback the one button of a window for a finger cancels`() throws {
    let pinentry = try ScriptedPinentry("")
    let stage = try asked(pinentry, finger: .alone) { $0.fallback = .hidden }
    #expect(try stage.report() == "userCancelled")
    let told = try pinentry.told
    #expect(told.contains("SETOK Cancel") && told.contains("CONFIRM --one-button"))
  }

  @Test func `a program's titles are on the buttons, escaped and in quotes`() throws {
    let pinentry = try ScriptedPinentry(#"if verb == "CONFIRM": return "ERR 83886179 cancelled""#)
    let stage = try asked(pinentry, finger: .alone) {
      $0.fallback = .named(ShownText("Use \u{202E}PIN"))
      $0.cancelTitle = ShownText("Not\nnow")
    }
    #expect(try stage.report() == "userCancelled")
    let told = try pinentry.told
    #expect(told.contains(#"SETOK "Use \u{202E}PIN""#), "\(told)")
    #expect(told.contains { $0.hasPrefix(#"SETCANCEL "Not\"#) && $0.hasSuffix(#"now""#) }, "\(told)")
    let question = try ScriptedPinentry(#"if verb == "GETPIN": return "D pass\nOK""#)
    _ = try asked(question) { $0.cancelTitle = ShownText("Leave") }.answer()
    let asked = try question.told
    #expect(asked.contains(#"SETCANCEL "Leave""#))
  }

  @Test func `the answer is unescaped and goes to the helper, and the words are escaped`() throws {
    let pinentry = try ScriptedPinentry(#"if verb == "GETPIN": return "S NOTE\nD pa%25ss\nD w%C3%B6rd\nOK""#)
    let stage = try asked(pinentry)
    #expect(try stage.answer() == "1: pa%sswörd")
    try stage.helper?.send(PromptMessage.done(.succeeded))
    #expect(try stage.report() == "done")
    #expect(try stage.exit() == .exited(0))
    let told = try pinentry.told
    #expect(told[1] == "environment ['DISPLAY']")
    #expect(
      told.contains(
        "SETDESC Latchkey: \"/usr/bin/git\" asks to open \"example.com\" for alice%0A"
          + "  item \"100%25 \\u{202E}evil\""))
    #expect(told.contains("SETPROMPT Passcode for alice: "))
    #expect(try pinentry.isGone)
  }

  @Test func `a second question shows the error of the first`() throws {
    let pinentry = try ScriptedPinentry(#"if verb == "GETPIN": return "D try%d\nOK" % pins"#)
    let stage = try asked(pinentry)
    #expect(try stage.answer() == "1: try1")
    try stage.helper?.send(PromptMessage.error(ShownText("wrong")))
    try stage.helper?.send(PromptMessage.info(ShownText("two left")))
    try stage.ask(id: 2)
    #expect(try stage.answer() == "2: try2")
    let told = try pinentry.told
    #expect(told.contains("SETERROR   \"wrong\""))
    #expect(told.contains { $0.hasPrefix("SETDESC") && $0.hasSuffix("note: \"two left\"") })
  }

  @Test(arguments: [
    (#"if verb == "GETPIN": return "ERR 83886179 Operation cancelled""#, "userCancelled"),
    (#"if verb == "GETPIN": return "ERR 83886142 Timeout""#, "deadlinePassed"),
    (#"if verb == "GETPIN": return "ERR 83918950 no display""#, "surfaceUnusable"),
    (#"if verb == "GETPIN": return "INQUIRE QUALITY x""#, "surfaceUnusable"),
    (#"if verb == "GETPIN": return "D bad%zz\nOK""#, "surfaceUnusable"),
    (#"if verb == "GETPIN": os._exit(1)"#, "terminalGone"),
    (#"if verb == "GETPIN": return "D " + "x" * 3000 + "\nOK""#, "terminalGone"),
  ])
  func `every way of not answering has its own end`(replies: String, end: String) throws {
    let pinentry = try ScriptedPinentry(replies)
    let stage = try asked(pinentry)
    #expect(try stage.answer() == (end == "surfaceUnusable" ? "terminalGone" : end))
    #expect(try stage.report() == end)
    #expect(try stage.exit() == .exited(0))
    #expect(try pinentry.isGone)
  }

  @Test func `512 bytes are too long`() throws {
    let pinentry = try ScriptedPinentry(#"if verb == "GETPIN": return "D " + "x" * 512 + "\nOK""#)
    #expect(try asked(pinentry).answer() == "answerTooLong")
  }

  @Test(arguments: ["daemon", "helper", "deadline", "kill"])
  func `losing anyone ends a waiting pinentry`(loss: String) throws {
    let pinentry = try ScriptedPinentry(#"if verb == "GETPIN": time.sleep(60)"#)
    let stage = try asked(pinentry, seconds: loss == "deadline" ? 2 : 20)
    let deadline = Clock.boottime + Stage.soon
    while try !pinentry.told.contains("GETPIN"), Clock.boottime < deadline { usleep(5000) }
    switch loss {
    case "daemon": stage.daemon = nil
    case "helper": stage.helper = nil
    case "kill": try stage.process.kill()
    default: #expect(try stage.answer() == "deadlinePassed")
    }
    #expect(try stage.exit() == (loss == "kill" ? .signalled(9) : .exited(0)))
    while try !pinentry.isGone, Clock.boottime < deadline { usleep(5000) }
    #expect(try pinentry.isGone)
  }

  @Test func `a program that is no pinentry, or is not there, is said to be unusable`() throws {
    for program in ["/bin/true", "/nonexistent/pinentry"] {
      let stage = try Stage(terminal: nil)
      try stage.order(.pinentry(PinentryPlan(program: program, environment: [:])))
      #expect(try stage.report() == "surfaceUnusable")
    }
    let rude = try ScriptedPinentry("pass", greeting: "ERR 1 no")
    let stage = try Stage(terminal: nil)
    try stage.order(rude.surface())
    #expect(try stage.report() == "surfaceUnusable")
  }

  @Test(arguments: ["/usr/bin/pinentry-tty", "/usr/bin/pinentry-curses"])
  func `the real pinentry asks on a terminal and hands the passcode over`(program: String) throws {
    try #require(access(program, X_OK) == 0, "\(program) is not installed")
    let person = try Person()
    let stage = try Stage(terminal: nil)
    let environment = ["GPG_TTY": person.path, "TERM": "xterm", "LC_ALL": "C.UTF-8"]
    try stage.order(.pinentry(PinentryPlan(program: program, environment: environment)))
    #expect(try stage.report() == "ready")
    try stage.ask()
    try person.see("alice")
    // Both draw first and listen a moment later.
    try person.see(program.hasSuffix("tty") ? "Passcode for alice" : "Cancel")
    let deadline = Clock.boottime + Stage.soon
    while try person.settings.echoes, Clock.boottime < deadline { usleep(5000) }
    try person.type("s3cr%t\r")
    #expect(try stage.answer() == "1: s3cr%t")
    try stage.helper?.send(PromptMessage.done(.succeeded))
    #expect(try stage.report() == "done")
    #expect(!person.screen.contains("s3cr%t"))
  }
}
