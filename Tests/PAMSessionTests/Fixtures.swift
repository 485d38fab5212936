import Foundation
import LinuxSystem
import PAMModel
import SecretMemory
import TestSupport

@testable import PAMSession

func secret(_ text: String) -> SecretBytes { try! SecretBytes(copying: Array(text.utf8).span) }
func secret(count: Int) -> SecretBytes { try! SecretBytes(copying: [UInt8](repeating: 120, count: count).span) }

/// Answers from a list and writes down what it was asked and told, in order.
final class ScriptedConversant: PAMConversant {
  enum Entry: Equatable {
    case asked(hidden: Bool, String)
    case told(error: Bool, String)
  }
  private var answers: [Result<SecretBytes, ConversationRefusal>]
  private(set) var entries: [Entry] = []

  init(_ answers: [Result<SecretBytes, ConversationRefusal>]) { self.answers = answers }
  convenience init(_ answers: String...) { self.init(answers.map { .success(secret($0)) }) }

  var questions: Int { entries.filter { if case .asked = $0 { true } else { false } }.count }

  func answer(_ question: PAMQuestion) throws(ConversationRefusal) -> SecretBytes {
    entries.append(.asked(hidden: question.isHidden, String(decoding: question.text, as: UTF8.self)))
    guard !answers.isEmpty else { throw .unexpectedQuestion }
    return try answers.removeFirst().get()
  }

  func show(_ notice: PAMNotice) {
    entries.append(.told(error: notice.isError, String(decoding: notice.text, as: UTF8.self)))
  }
}

/// A folder of stack files that goes away with its owner.
final class StackFolder: Sendable {
  let path: String

  init() {
    var template = Array("/tmp/latchkey-pam-XXXXXX".utf8CString)
    path = String(cString: mkdtemp(&template))
    chmod(path, 0o755)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ name: String, _ text: String) {
    try! text.write(toFile: path + "/" + name, atomically: false, encoding: .utf8)
    chmod(path + "/" + name, 0o644)
  }

  /// Writes a stack and takes it for checked, whatever it holds: the tests show what PAM itself makes of it.
  func stack(_ text: String, name: StackName = .passcode) -> CheckedStack {
    write(name.text, text)
    let fit = Array("auth required pam_unix.so\naccount required pam_unix.so\n".utf8)
    return try! CheckedStack(name: name, directory: path, contents: fit) { _ in nil }
  }

  /// A pam_matrix line: that module takes its passwords from a file and needs no account.
  func matrix(user: String, password: String, options: String = "") -> String {
    write("passdb", "\(user):\(password):latchkey-passcode\n")
    return "\(Self.matrixModule) passdb=\(path)/passdb \(options)"
  }

  static let matrixModule: String = {
    let folder = FileManager.default.enumerator(atPath: "/usr/lib")
    while let path = folder?.nextObject() as? String {
      if path.hasSuffix("pam_wrapper/pam_matrix.so") { return "/usr/lib/" + path }
    }
    return "/usr/lib/pam_wrapper/pam_matrix.so"
  }()
}
