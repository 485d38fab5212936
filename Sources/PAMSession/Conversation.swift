internal import CPAM
internal import PAMModel
internal import SecretMemory

/// The conversation function's state (pam_conv(3)): relays messages one by one and hands copies of the answers to PAM.
final class Conversation {
  /// The most messages of one call (PAM_MAX_NUM_MSG).
  static let batchRange: ClosedRange<Int32> = 1...32
  /// The longest answer, in bytes: PAM_MAX_RESP_SIZE less its NUL.
  static let maximumAnswer = 511
  /// The longest text taken from a module, in bytes (PAM_MAX_MSG_SIZE); it is for eyes only, so the rest is left out.
  static let maximumText = 512

  private let conversant: any PAMConversant
  /// The first refusal; the session's end.
  private(set) var refusal: ConversationRefusal?
  /// Hidden questions answered since the last ``begin()``.
  private(set) var hiddenAnswers = 0
  /// The longest delay asked for since the last ``begin()``, in microseconds.
  private(set) var delayMicroseconds: UInt32 = 0
  /// What modules told since the last ``begin()``, a line each, as far as it fits ``maximumText``.
  private(set) var told: [UInt8] = []

  init(_ conversant: any PAMConversant) { self.conversant = conversant }

  /// Starts counting anew for another try.
  func begin() {
    hiddenAnswers = 0
    delayMicroseconds = 0
    told = []
  }

  /// Records the delay that PAM would sleep; it tells it after a success too, with a result of 0.
  func record(delay: UInt32, after result: PAMResult) {
    if result != .success { delayMicroseconds = max(delayMicroseconds, delay) }
  }

  /// Serves one call of the conversation function; answers PAM_SUCCESS or PAM_CONV_ERR.
  func converse(
    _ count: Int32, _ messages: UnsafeMutablePointer<UnsafePointer<pam_message>?>?,
    _ place: UnsafeMutablePointer<UnsafeMutablePointer<pam_response>?>?
  ) -> Int32 {
    unsafe place?.pointee = nil
    do throws(ConversationRefusal) {
      if let refusal { throw refusal }
      guard Self.batchRange.contains(count), let messages = unsafe messages else { throw .batchOutOfBounds(count) }
      let answers = try relay(unsafe Self.copy(messages, count: Int(count)), canAnswer: unsafe place != nil)
      if let place = unsafe place { unsafe place.pointee = try ResponseArray.make(answers) }
      return PAM_SUCCESS
    } catch {
      refusal = error
      return PAM_CONV_ERR
    }
  }

  private func relay(
    _ messages: [(style: Int32, text: [UInt8])], canAnswer: Bool
  ) throws(ConversationRefusal) -> [SecretBytes?] {
    var answers: [SecretBytes?] = []
    for message in messages {
      switch message.style {
      case PAM_PROMPT_ECHO_OFF, PAM_PROMPT_ECHO_ON:
        guard canAnswer else { throw .nowhereToAnswer }
        answers.append(
          try ask(PAMQuestion(isHidden: message.style == PAM_PROMPT_ECHO_OFF, text: message.text)))
      case PAM_ERROR_MSG, PAM_TEXT_INFO:
        keep(message.text)
        conversant.show(PAMNotice(isError: message.style == PAM_ERROR_MSG, text: message.text))
        answers.append(nil)
      default: throw .unknownStyle(message.style)
      }
    }
    return answers
  }

  private func keep(_ text: [UInt8]) {
    if !told.isEmpty { told.append(UInt8(ascii: "\n")) }
    told = Array((told + text).prefix(Self.maximumText))
  }

  private func ask(_ question: PAMQuestion) throws(ConversationRefusal) -> SecretBytes {
    let answer = try conversant.answer(question)
    guard answer.count <= Self.maximumAnswer else { throw .answerTooLong }
    guard answer.withSpan({ span in span.indices.allSatisfy { span[$0] != 0 } }) else { throw .answerHasNUL }
    if question.isHidden {
      guard answer.count > 0 else { throw .emptyAnswer }
      hiddenAnswers += 1
    }
    return answer
  }

  // SAFETY: Linux-PAM passes an array of `count` pointers; a null message or text is taken for an unknown style or
  // no text. The count has been checked by the caller.
  private static func copy(
    _ messages: UnsafeMutablePointer<UnsafePointer<pam_message>?>, count: Int
  ) -> [(style: Int32, text: [UInt8])] {
    (0..<count).map { index in
      guard let message = unsafe messages[index]?.pointee else { return (-1, []) }
      guard let text = unsafe message.msg else { return unsafe (message.msg_style, []) }
      let length = unsafe strnlen(text, maximumText)
      let bytes = unsafe UnsafeRawBufferPointer(start: text, count: length)
      return unsafe (message.msg_style, [UInt8](bytes))
    }
  }
}
