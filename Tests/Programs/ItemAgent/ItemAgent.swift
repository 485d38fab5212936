import Foundation
import ItemScript
import LocalAuthentication
@_spi(Latchkey) import Security

/// Runs single orders.
struct ItemAgent {
  private var contexts: [String: LAContext] = [:]

  /// Runs one.
  mutating func answer(_ order: [String: Any]) -> [String: Any] {
    let verb = order["verb"] as? String ?? ""
    if verb.hasPrefix("context.") { return context(verb, order) }
    let known = contexts
    func dictionary(_ name: String) -> CFDictionary {
      let json = order[name] as? [String: Any] ?? [:]
      return ItemScript.decode(json) { known[$0] ?? NSNull() as Any } as? [String: Any] as NSDictionary? ?? [:]
    }
    var result: CFTypeRef?
    let wants = order["wants"] as? Bool ?? true
    let status =
      switch verb {
      case "add": wants ? SecItemAdd(dictionary("query"), &result) : SecItemAdd(dictionary("query"), nil)
      case "read":
        wants ? SecItemCopyMatching(dictionary("query"), &result) : SecItemCopyMatching(dictionary("query"), nil)
      case "update": SecItemUpdate(dictionary("query"), dictionary("change"))
      case "delete": SecItemDelete(dictionary("query"))
      default: OSStatus(-4)
      }
    var answer: [String: Any] = ["status": Int(status), "reason": LastRefusal.current?.code ?? ""]
    answer["detail"] = LastRefusal.current?.detail ?? ""
    if let result { answer["result"] = ItemScript.encode(result) }
    return answer
  }

  private mutating func context(_ verb: String, _ order: [String: Any]) -> [String: Any] {
    let name = order["name"] as? String ?? ""
    if verb == "context.make" { contexts[name] = LAContext() }
    guard let context = contexts[name] else { return ["status": -50] }
    switch verb {
    case "context.invalidate": context.invalidate()
    case "context.password":
      context.setCredential((order["password"] as? String).map { Data($0.utf8) }, type: .applicationPassword)
    case "context.forbid": context.interactionNotAllowed = true
    case "context.prove": return ["status": prove(context)]
    case "context.make": context.localizedReason = "the agent asks"
    default: break
    }
    return ["status": 0]
  }

  /// Has the user prove to be there; 0, or the error's code.
  private func prove(_ context: LAContext) -> Int {
    let ended = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var status = 0
    context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "the agent asks") { _, error in
      status = (error as? LAError)?.errorCode ?? 0
      ended.signal()
    }
    ended.wait()
    return status
  }
}
