import Foundation
import Security

// Drives the wrapper of the article.
let checks = Checks()

do {
  checks.expect(try KeychainService.retrieve(key: "a") == nil, "what was never saved reads as nil")
  try KeychainService.save(key: "a", value: "one")
  checks.expect(try KeychainService.retrieve(key: "a") == "one", "what was saved is read")
  try KeychainService.save(key: "a", value: "two")
  checks.expect(try KeychainService.retrieve(key: "a") == "two", "what is saved again replaces it")
  try KeychainService.update(key: "a", value: "three")
  checks.expect(try KeychainService.retrieve(key: "a") == "three", "what was updated is read")
  refused("what is missing is not updated", "noItem") { try KeychainService.update(key: "none", value: "x") }
  checks.expect(try KeychainService.retrieve(key: "none") == nil, "and is still missing")
  try KeychainService.save(key: "b", value: "other")
  try KeychainService.save(key: "empty", value: "")
  checks.expect(try KeychainService.retrieve(key: "empty") == "", "an empty value is a value")
  try KeychainService.save(key: "snow", value: "\u{2603}\u{1F511}e\u{301}")
  checks.expect(try KeychainService.retrieve(key: "snow") == "\u{2603}\u{1F511}e\u{301}", "any text is read as saved")
  try KeychainService.delete(key: "a")
  checks.expect(try KeychainService.retrieve(key: "a") == nil, "what was deleted reads as nil")
  try KeychainService.delete(key: "a")
  checks.expect(true, "deleting what is missing is no error")
  checks.expect(try KeychainService.retrieve(key: "b") == "other", "another key keeps its value")
  try bytesThatAreNoText()
  try KeychainService.clearAll()
  for key in ["b", "empty", "snow", "bytes"] {
    checks.expect(try KeychainService.retrieve(key: key) == nil, "clearing all clears \(key)")
  }
  try KeychainService.clearAll()
  checks.expect(true, "clearing what is empty is no error")
} catch {
  checks.expect(false, "nothing else throws", error)
}
checks.finish()

func bytesThatAreNoText() throws {
  try KeychainService.save(key: "bytes", value: "text")
  let query = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "bytes"] as [CFString: Any]
  let status = SecItemUpdate(
    query as CFDictionary, [kSecValueData: Data([0xFF, 0xFE])] as [CFString: Any] as CFDictionary)
  checks.expect(status == errSecSuccess, "another caller of the same user changes the value", status)
  refused("bytes that are no text are refused by the wrapper", "invalidData") {
    _ = try KeychainService.retrieve(key: "bytes")
  }
}

func refused(_ sentence: String, _ wanted: String, _ body: () throws -> Void) {
  do {
    try body()
    checks.expect(false, sentence, "nothing was thrown")
  } catch {
    checks.expect("\(error)".hasPrefix(wanted), sentence, error)
  }
}
