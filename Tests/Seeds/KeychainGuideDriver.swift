import Foundation
import LocalAuthentication
import Security

// Drives the wrapper of the article. The first argument says which part: plain, protected, add, read, save-finger,
// read-finger or read-gone.
let checks = Checks()
let store = KeychainStore(service: "com.example.seed.guide")
let one = Data("one".utf8)
let two = Data("two".utf8)

switch CommandLine.arguments.dropFirst().first {
case "plain": plain()
case "protected": protected()
case "add": addForPresence()
case "read": readWithPresence()
case "save-finger": saveForFinger()
case "read-finger": readWithFinger()
case "read-gone": readWhatIsGone()
default: checks.expect(false, "the argument names a part")
}
checks.finish()

func plain() {
  do {
    try store.add(one, account: "a")
    checks.expect(try store.read(account: "a") == one, "what was added is read")
    expect("adding it again is refused as a duplicate", .duplicateItem) { try store.add(two, account: "a") }
    checks.expect(try store.read(account: "a") == one, "and leaves what was there")
    try store.update(two, account: "a")
    checks.expect(try store.read(account: "a") == two, "what was updated is read")
    try store.save(one, account: "a")
    checks.expect(try store.read(account: "a") == one, "saving replaces")
    try store.save(one, account: "b")
    checks.expect(try store.read(account: "b") == one, "saving adds")
    try store.delete(account: "a")
    expect("what was deleted is not found", .itemNotFound) { _ = try store.read(account: "a") }
    expect("what is missing is not updated", .itemNotFound) { try store.update(one, account: "a") }
    try store.delete(account: "a")
    try store.delete(account: "never")
    checks.expect(true, "deleting what is missing is no error")
    checks.expect(try store.read(account: "b") == one, "another account keeps its value")
    try store.delete(account: "b")
  } catch {
    checks.expect(false, "nothing else throws", error)
  }
  let sentence = SecCopyErrorMessageString(errSecDuplicateItem, nil) as String?
  checks.expect(
    KeychainError.unhandled(errSecDuplicateItem).errorDescription == sentence && sentence?.isEmpty == false,
    "a code has a sentence", sentence ?? "none")
  checks.expect(
    (KeychainError.itemNotFound as any Error).localizedDescription == KeychainError.itemNotFound.errorDescription,
    "the error's own sentence is its localised description")
}

/// No fingerprint reader is there: the add is refused with the code that docs/reasons.md states, and stores nothing.
func protected() {
  expect("an item bound to the enrolled fingers is refused without a reader", .unhandled(errSecNotAvailable)) {
    try store.saveProtected(one, account: "finger")
  }
  expect("and nothing was stored", .itemNotFound) { _ = try store.read(account: "finger") }
  expect("reading it finds nothing", .unhandled(errSecItemNotFound)) {
    _ = try store.readProtected(account: "finger", reason: "to test")
  }
}

/// The same shape with the presence of the owner, which a passcode shows.
func addForPresence() {
  var error: Unmanaged<CFError>?
  guard
    let access = SecAccessControlCreateWithFlags(
      nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .userPresence, &error)
  else { return checks.expect(false, "the access control is made", error!.takeRetainedValue()) }
  let item: [String: Any] = [
    kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: store.service,
    kSecAttrAccount as String: "presence", kSecAttrAccessControl as String: access, kSecValueData as String: two,
  ]
  let status = SecItemAdd(item as CFDictionary, nil)
  checks.expect(status == errSecSuccess, "an item that wants presence is added without a prompt", status)
}

func readWithPresence() {
  do {
    checks.expect(try store.readProtected(account: "presence", reason: "to test the article") == two, "it opens")
  } catch KeychainError.unhandled(let status) {
    checks.expect(false, "it opens", "\(status)")
  } catch {
    checks.expect(false, "it opens", error)
  }
}

/// With a reader and a finger enrolled, the article's pair as it stands.
func saveForFinger() {
  do {
    try store.saveProtected(one, account: "finger")
    checks.expect(true, "an item bound to the enrolled fingers is saved without a prompt")
  } catch {
    checks.expect(false, "an item bound to the enrolled fingers is saved without a prompt", error)
  }
}

func readWithFinger() {
  do {
    checks.expect(try store.readProtected(account: "finger", reason: "to test the article") == one, "a finger opens it")
  } catch {
    checks.expect(false, "a finger opens it", error)
  }
}

/// The article's own words: adding a finger invalidates the item.
func readWhatIsGone() {
  expect("after a finger was added it is gone", .unhandled(errSecItemNotFound)) {
    _ = try store.readProtected(account: "finger", reason: "to test the article")
  }
  do {
    try store.delete(account: "finger")
    try store.saveProtected(one, account: "finger")
    checks.expect(true, "it is deleted and saved again")
  } catch {
    checks.expect(false, "it is deleted and saved again", error)
  }
}

func expect(_ sentence: String, _ wanted: KeychainError, _ body: () throws -> Void) {
  do {
    try body()
    checks.expect(false, sentence, "nothing was thrown")
  } catch {
    checks.expect("\(error)" == "\(wanted)", sentence, error)
  }
}
