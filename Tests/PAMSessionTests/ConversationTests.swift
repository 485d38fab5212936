import CPAM
import Foundation
import PAMModel
import SecretMemory
import Testing

@testable import PAMSession

/// The conversation function, called as a module calls it.
struct ConversationTests {
  /// Calls it with real C messages; gives the answers' text, nil for none.
  private func converse(
    _ conversation: Conversation, _ messages: [(Int32, String?)], count: Int32? = nil
  ) -> (code: Int32, answers: [String?]) {
    let structures = messages.map { style, text in
      let place = UnsafeMutablePointer<pam_message>.allocate(capacity: 1)
      place.initialize(to: pam_message(msg_style: style, msg: text.map { UnsafePointer(strdup($0)!) }))
      return place
    }
    defer {
      for structure in structures {
        free(UnsafeMutablePointer(mutating: structure.pointee.msg))
        structure.deallocate()
      }
    }
    var array = structures.map { UnsafePointer($0) as UnsafePointer<pam_message>? }
    var responses: UnsafeMutablePointer<pam_response>?
    let code = conversation.converse(count ?? Int32(messages.count), &array, &responses)
    guard code == PAM_SUCCESS, let responses else { return (code, []) }
    defer { free(responses) }
    let answers = messages.indices.map { index in
      responses[index].resp.map { text in
        defer { free(text) }
        return String(cString: text)
      }
    }
    return (code, answers)
  }

  @Test(arguments: [(0, false), (1, true), (2, true), (31, true), (32, true), (33, false), (-1, false)])
  func `a batch has 1 to 32 messages`(count: Int, good: Bool) {
    let conversant = ScriptedConversant((0..<64).map { .success(secret("answer \($0)")) })
    let conversation = Conversation(conversant)
    let messages = (0..<max(count, 1)).map { (Int32(PAM_PROMPT_ECHO_OFF), "Question \($0): " as String?) }
    let (code, answers) = converse(conversation, messages, count: Int32(count))
    #expect(code == (good ? PAM_SUCCESS : PAM_CONV_ERR))
    #expect(answers == (good ? (0..<count).map { "answer \($0)" } : []))
    #expect(conversant.questions == (good ? count : 0))
    #expect(conversation.refusal == (good ? nil : .batchOutOfBounds(Int32(count))))
  }

  @Test func `each question has its own answer and its own style`() {
    let conversant = ScriptedConversant("hidden", "shown")
    let conversation = Conversation(conversant)
    let (code, answers) = converse(conversation, [(PAM_PROMPT_ECHO_OFF, "Password: "), (PAM_PROMPT_ECHO_ON, "Code: ")])
    #expect(code == PAM_SUCCESS)
    #expect(answers == ["hidden", "shown"])
    #expect(conversant.entries == [.asked(hidden: true, "Password: "), .asked(hidden: false, "Code: ")])
    #expect(conversation.hiddenAnswers == 1)
  }

  @Test func `every style is relayed in order and only questions are answered`() {
    let conversant = ScriptedConversant("x")
    let conversation = Conversation(conversant)
    let (code, answers) = converse(
      conversation,
      [(PAM_TEXT_INFO, "hello"), (PAM_ERROR_MSG, "oh"), (PAM_PROMPT_ECHO_OFF, "P: "), (PAM_TEXT_INFO, nil)])
    #expect(code == PAM_SUCCESS)
    #expect(answers == [nil, nil, "x", nil])
    #expect(
      conversant.entries == [
        .told(error: false, "hello"), .told(error: true, "oh"), .asked(hidden: true, "P: "), .told(error: false, ""),
      ])
  }

  @Test(arguments: [-1, 0, 5, 6, 7, 99] as [Int32])
  func `an unknown style is refused`(style: Int32) {
    let conversation = Conversation(ScriptedConversant("x"))
    #expect(converse(conversation, [(style, "?")]).code == PAM_CONV_ERR)
    #expect(conversation.refusal == .unknownStyle(style))
  }

  @Test(arguments: [(0, nil), (511, nil), (512, ConversationRefusal.answerTooLong)] as [(Int, ConversationRefusal?)])
  func `a shown answer has at most 511 bytes`(count: Int, refusal: ConversationRefusal?) {
    let conversation = Conversation(ScriptedConversant([.success(secret(count: count))]))
    let (code, answers) = converse(conversation, [(PAM_PROMPT_ECHO_ON, "?")])
    #expect(code == (refusal == nil ? PAM_SUCCESS : PAM_CONV_ERR))
    #expect(answers == (refusal == nil ? [String(repeating: "x", count: count)] : []))
    #expect(conversation.refusal == refusal)
  }

  @Test(
    arguments: [
      (0, .emptyAnswer), (1, nil), (510, nil), (511, nil), (512, .answerTooLong), (4096, .answerTooLong),
    ] as [(Int, ConversationRefusal?)])
  func `a hidden answer has 1 to 511 bytes and is never cut`(count: Int, refusal: ConversationRefusal?) {
    let conversation = Conversation(ScriptedConversant([.success(secret(count: count))]))
    let (_, answers) = converse(conversation, [(PAM_PROMPT_ECHO_OFF, "?")])
    #expect(answers == (refusal == nil ? [String(repeating: "x", count: count)] : []))
    #expect(conversation.refusal == refusal)
    #expect(conversation.hiddenAnswers == (refusal == nil ? 1 : 0))
  }

  @Test func `an answer with a NUL is refused`() {
    let conversation = Conversation(ScriptedConversant("secret\u{0}tail"))
    #expect(converse(conversation, [(PAM_PROMPT_ECHO_OFF, "?")]).code == PAM_CONV_ERR)
    #expect(conversation.refusal == .answerHasNUL)
  }

  @Test func `a missing place for answers is survived`() {
    let conversation = Conversation(ScriptedConversant("x"))
    var info = pam_message(msg_style: PAM_TEXT_INFO, msg: nil)
    var question = pam_message(msg_style: PAM_PROMPT_ECHO_OFF, msg: nil)
    withUnsafePointer(to: &info) { info in
      var array: [UnsafePointer<pam_message>?] = [info]
      #expect(conversation.converse(1, &array, nil) == PAM_SUCCESS)
    }
    withUnsafePointer(to: &question) { question in
      var array: [UnsafePointer<pam_message>?] = [question]
      #expect(conversation.converse(1, &array, nil) == PAM_CONV_ERR)
    }
    #expect(conversation.refusal == .nowhereToAnswer)
  }

  @Test func `missing messages are survived`() {
    var responses: UnsafeMutablePointer<pam_response>?
    let withoutArray = Conversation(ScriptedConversant("x"))
    #expect(withoutArray.converse(1, nil, &responses) == PAM_CONV_ERR)
    let withoutMessage = Conversation(ScriptedConversant("x"))
    var array: [UnsafePointer<pam_message>?] = [nil]
    #expect(withoutMessage.converse(1, &array, &responses) == PAM_CONV_ERR)
    #expect(responses == nil)
  }

  @Test func `a refusal sticks and nothing more is asked`() {
    let conversant = ScriptedConversant([.failure(.cancelled), .success(secret("late"))])
    let conversation = Conversation(conversant)
    #expect(converse(conversation, [(PAM_PROMPT_ECHO_OFF, "1")]).code == PAM_CONV_ERR)
    conversation.begin()
    #expect(converse(conversation, [(PAM_PROMPT_ECHO_OFF, "2")]).code == PAM_CONV_ERR)
    #expect(conversation.refusal == .cancelled)
    #expect(conversant.questions == 1)
  }

  @Test(arguments: [(511, 511), (512, 512), (513, 512), (5000, 512)])
  func `a module's text is cut at 512 bytes`(count: Int, kept: Int) {
    let conversation = Conversation(ScriptedConversant())
    #expect(converse(conversation, [(PAM_ERROR_MSG, String(repeating: "e", count: count))]).code == PAM_SUCCESS)
    #expect(conversation.told == [UInt8](repeating: 101, count: kept))
  }

  @Test func `everything told in a try is kept, a line each`() {
    let conversation = Conversation(ScriptedConversant())
    #expect(
      converse(conversation, [(PAM_ERROR_MSG, "locked"), (PAM_TEXT_INFO, "10 minutes left")]).code == PAM_SUCCESS)
    #expect(conversation.told == Array("locked\n10 minutes left".utf8))
    conversation.begin()
    #expect(conversation.told == [])
  }

  @Test func `the longest delay of a failure is kept and a success has none`() {
    let conversation = Conversation(ScriptedConversant())
    conversation.record(delay: 5, after: .success)
    #expect(conversation.delayMicroseconds == 0)
    conversation.record(delay: 300, after: .authenticationError)
    conversation.record(delay: 200, after: .authenticationError)
    #expect(conversation.delayMicroseconds == 300)
    conversation.begin()
    #expect(conversation.delayMicroseconds == 0)
  }
}
