internal import DialogueWire
internal import SecretMemory

/// The channel to the prompter: one question at a time. Used by the main thread only.
final class PrompterLink {
  private let channel: DialogueChannel
  private let deadline: UInt64
  private var lastID: UInt32 = 0

  init(_ channel: DialogueChannel, deadline: UInt64) {
    self.channel = channel
    self.deadline = deadline
  }

  /// Asks and waits for the answer.
  ///
  /// - Throws: ``QuestionFailure``.
  func ask(_ echo: QuestionEcho, _ purpose: QuestionPurpose, _ text: ShownText) throws(QuestionFailure) -> SecretBytes {
    lastID += 1
    let answer: PromptAnswer
    do throws(DialogueError) {
      try channel.send(PromptMessage.question(PromptQuestion(id: lastID, echo: echo, purpose: purpose, text: text)))
      answer = try channel.receive(until: deadline)
    } catch .deadlinePassed { throw .cancelled(.deadlinePassed) } catch { throw .broken }
    switch answer {
    case .answer(let id, let bytes):
      guard id == lastID else { throw .broken }
      return bytes
    case .cancelled(let why): throw .cancelled(why)
    }
  }

  /// Shows something. A prompter that is gone is noticed at the next question.
  func show(_ message: PromptMessage) { try? channel.send(message) }
}

/// Why a question has no answer.
enum QuestionFailure: Error {
  case cancelled(PromptCancellation)
  /// The prompter vanished or broke the protocol.
  case broken
}
