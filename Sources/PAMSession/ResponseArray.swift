internal import CPAM
internal import SecretMemory

/// The array of answers that a conversation hands over to PAM, which wipes and frees it.
enum ResponseArray {
  /// Copies the answers into memory of malloc(3); nil stands for a message that wanted none.
  ///
  /// - Throws: ``ConversationRefusal/noMemory``; what was copied by then is wiped and freed.
  static func make(_ answers: [SecretBytes?]) throws(ConversationRefusal) -> UnsafeMutablePointer<pam_response> {
    guard let raw = unsafe calloc(answers.count, MemoryLayout<pam_response>.stride) else { throw .noMemory }
    // SAFETY: calloc gave room for `answers.count` responses, all zero, which is a valid empty response.
    let array = unsafe raw.bindMemory(to: pam_response.self, capacity: answers.count)
    for (index, answer) in answers.enumerated() {
      guard let answer else { continue }
      guard let copy = unsafe copy(answer) else {
        unsafe discard(array, answers: answers)
        throw .noMemory
      }
      unsafe array[index].resp = unsafe copy
    }
    return unsafe array
  }

  /// Wipes and frees an array that PAM did not take.
  static func discard(_ array: UnsafeMutablePointer<pam_response>, answers: [SecretBytes?]) {
    for (index, answer) in answers.enumerated() {
      guard let answer, let text = unsafe array[index].resp else { continue }
      unsafe explicit_bzero(text, answer.count)
      unsafe free(text)
    }
    unsafe free(array)
  }

  private static func copy(_ answer: SecretBytes) -> UnsafeMutablePointer<CChar>? {
    guard let raw = unsafe malloc(answer.count + 1) else { return nil }
    // SAFETY: the block has one byte more than the answer, for the NUL.
    let text = unsafe raw.bindMemory(to: CChar.self, capacity: answer.count + 1)
    answer.withSpan { span in
      for index in span.indices { unsafe text[index] = CChar(bitPattern: span[index]) }
    }
    unsafe text[answer.count] = 0
    return unsafe text
  }
}
