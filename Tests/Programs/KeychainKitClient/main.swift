// A program of some user's that keeps its values in a keychain: does what each line of its standard input says and prints one
// line for it. Run by KeychainKitTests.

import Foundation
import KeychainKit
import Observation

let keychain = Keychain()
let output = NSLock()

func say(_ line: String) {
  output.withLock { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}

/// Says what a key holds whenever its reader is told to look again.
func observe(_ key: KeychainAttributes) {
  let value = withObservationTracking {
    keychain[key]
  } onChange: {
    // On a thread of its own, as an observer that redraws later: the change may still be under way.
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) { observe(key) }
  }
  say("seen \(value ?? "nothing")")
}

func answer(_ body: () throws(KeychainError) -> String) {
  do throws(KeychainError) { say(try body()) } catch { say("error \(error)") }
}

while let line = readLine() {
  let words = line.split(separator: " ", maxSplits: 2).map(String.init)
  let key = KeychainAttributes(account: words.count > 1 ? words[1] : "", service: "kit")
  switch words[0] {
  case "get": answer { () throws(KeychainError) in try keychain.value(forKey: key).map { "value \($0)" } ?? "absent" }
  case "set":
    answer { () throws(KeychainError) in
      try keychain.updateValue(words[2], forKey: key)
      return "done"
    }
  case "remove":
    answer { () throws(KeychainError) in
      try keychain.removeValue(forKey: key)
      return "done"
    }
  case "fill":
    for number in 1...Int(words[2])! { keychain[key] = "\(number)" }
    say("done")
  case "watch":
    answer { () throws(KeychainError) in
      try keychain.observeExternalChanges()
      return "done"
    }
  case "observe": observe(key)
  case "service": say(KeychainAttributes.defaultService)
  default: say("what?")
  }
}
