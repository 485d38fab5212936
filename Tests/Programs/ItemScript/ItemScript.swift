import Foundation
import Security

/// What a test tells `item-agent` to do, and what it answers: one line of JSON each, with the types of item dictionaries kept.
public enum ItemScript {
  /// What a context of the agent is called.
  public struct Context: Hashable, Sendable {
    /// The name.
    public let name: String
    /// Names one.
    public init(_ name: String) { self.name = name }
  }

  /// A value as JSON: a letter that says its type, and the value.
  public static func encode(_ value: Any) -> [String: Any] {
    switch value {
    case let flag as Bool where type(of: value) == Bool.self: ["b": flag]
    case let text as String: ["s": text]
    case let data as Data: ["d": data.base64EncodedString()]
    case let date as Date: ["t": date.timeIntervalSince1970.bitPattern.description]
    case let number as NSNumber: ["n": number]
    case is NSNull: ["z": 1]
    case let control as SecAccessControl: ["a": control.text]
    case let context as Context: ["c": context.name]
    case let list as [Any]: ["l": list.map(encode)]
    case let map as [String: Any]: ["m": map.mapValues(encode)]
    default: ["o": "\(type(of: value))"]
    }
  }

  /// The value behind its JSON; `context` finds the contexts it names.
  public static func decode(_ json: [String: Any], context: (String) -> Any = { Context($0) }) -> Any {
    guard let (type, value) = json.first else { return NSNull() }
    switch type {
    case "b": return value as! Bool
    case "s": return value as! String
    case "d": return Data(base64Encoded: value as! String)!
    case "t": return Date(timeIntervalSince1970: Double(bitPattern: UInt64(value as! String)!))
    case "n": return value as! NSNumber
    case "a": return SecAccessControl(AccessControlText.read(value as! String)!)
    case "c": return context(value as! String)
    case "l": return (value as! [[String: Any]]).map { decode($0, context: context) }
    case "m": return (value as! [String: [String: Any]]).mapValues { decode($0, context: context) }
    case "o": return Foreign(type: value as! String)
    default: return NSNull()
    }
  }

  /// An object that only its type is told of.
  public struct Foreign: Hashable, Sendable {
    /// The name of its type.
    public let type: String
    /// Names one.
    public init(type: String) { self.type = type }
  }

  /// One line.
  public static func line(_ object: [String: Any]) -> Data {
    try! JSONSerialization.data(withJSONObject: object, options: [.sortedKeys]) + Data([0x0A])
  }

  /// Reads one line.
  public static func object(_ line: Data) -> [String: Any] {
    (try? JSONSerialization.jsonObject(with: line)) as? [String: Any] ?? [:]
  }
}
