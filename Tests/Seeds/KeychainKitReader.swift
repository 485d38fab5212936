import KeychainKit

// Looks, through instances of its own, at what the article's lines left: the arguments name service, account and value.
let checks = Checks()
let arguments = CommandLine.arguments
let shared = KeychainAttributes(account: arguments[2], service: arguments[1])
let own = KeychainAttributes(account: arguments[2])
let left = Keychain()

do {
  checks.expect(own.service == KeychainAttributes.defaultService, "the default service is the default")
  checks.expect(try left.value(forKey: own) == nil, "what was assigned nil is gone")
  checks.expect(left[shared] == arguments[3], "what was written under another service is there", left[shared] ?? "nil")
  checks.expect(left[own, default: "else"] == "else", "a missing value has its default")
  try left.removeValue(forKey: shared)
  try left.removeValue(forKey: shared)
  checks.expect(left[shared] == nil, "what was removed twice is gone")
  try left.updateValue("x", forKey: shared)
  try left.updateValue("y", forKey: shared)
  checks.expect(try Keychain().value(forKey: shared) == "y", "another instance reads what was written last")
  left[shared] = nil
} catch {
  checks.expect(false, "nothing throws", error)
}
checks.finish()
