// Stands behind the line that makes `keychain` with the mock.
let checks = Checks()
keychain["a"] = "one"
checks.expect(keychain["a"] == "one", "what was written is read")
keychain["a"] = "two"
checks.expect(keychain["a"] == "two", "what is written again replaces it")
keychain["a"] = nil
checks.expect(keychain["a"] == nil, "nil takes it away")
checks.expect(keychain["a", default: "else"] == "else", "a missing value has its default")
checks.finish()
