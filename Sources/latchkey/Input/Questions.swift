internal import KeychainModel
internal import LinuxSystem
internal import SecretMemory
internal import TerminalIO

/// Asks a person for secrets on the controlling terminal, whatever the standard streams are.
enum Questions {
  /// The longest line that can be typed.
  static let typedBytes = 4096

  /// Asks twice, and takes the answer only where both are the same.
  ///
  /// - Throws: ``Failure``: `userCancelled`, `noWayToPrompt`, `invalidParameter` (the answers differ, or are too long),
  ///   `outOfMemory`.
  static func askTwice(_ what: String) throws(Failure) -> SecretBytes {
    let dialogue = try open()
    let first = try ask("\(what): ", on: dialogue)
    let second = try ask("\(what), again: ", on: dialogue)
    guard first.equals(second) else {
      throw Failure(.invalidParameter, "the two answers differ.", nextStep: "Nothing was changed; try again.")
    }
    return first
  }

  /// Asks once.
  ///
  /// - Throws: ``Failure``, as ``askTwice(_:)``.
  static func askOnce(_ what: String) throws(Failure) -> SecretBytes { try ask("\(what): ", on: try open()) }

  private static func open() throws(Failure) -> HiddenDialogue {
    let terminal: OwnedDescriptor
    do throws(Errno) { terminal = try Files.open("/dev/tty", [.readingAndWriting, .notControlling]) } catch {
      throw Failure(
        .noWayToPrompt, "there is no terminal to ask on.",
        nextStep: "Run it on a terminal, or give the answer by the descriptor option that its --help names.")
    }
    do throws(HiddenDialogueError) { return try HiddenDialogue(on: terminal) } catch { throw translate(error) }
  }

  private static func ask(_ question: String, on dialogue: HiddenDialogue) throws(Failure) -> SecretBytes {
    let answer: HiddenAnswer
    do throws(HiddenDialogueError) { answer = try dialogue.ask(question, maximumCount: typedBytes) } catch {
      throw translate(error)
    }
    switch answer {
    case .line(let line): return line
    case .overlong:
      throw Failure(
        .invalidParameter, "more than \(typedBytes) bytes were typed.", nextStep: "Give it on a descriptor instead.")
    case .cancelled, .gone: throw Failure(Refusal(.userCancelled))
    }
  }

  private static func translate(_ error: HiddenDialogueError) -> Failure {
    switch error {
    case .terminal(let errno): Failure("the terminal", .read, errno)
    case .memory: Failure(Refusal(.outOfMemory))
    }
  }
}
