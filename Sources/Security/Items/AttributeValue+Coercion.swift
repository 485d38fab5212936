internal import Foundation
internal import KeychainModel

extension AttributeValue {
  /// Reads the value of an attribute as Apple's columns do: text takes strings, data, UUIDs and numbers; bytes take data and
  /// strings; numbers take numbers, Booleans and decimal strings; dates take dates.
  ///
  /// - Throws: ``Refusal``: `invalidParameter` for anything else.
  init(_ value: Any, for key: AttributeKey) throws(Refusal) {
    guard Self.size(of: value) <= ItemLimits.attributeBytes else {
      throw Refusal(
        .invalidParameter, detail: "the value of \(key.rawValue) has more than \(ItemLimits.attributeBytes) bytes")
    }
    let read: AttributeValue? =
      switch key.kind {
      case .text: Self.readText(value)
      case .data: Self.readBytes(value)
      case .number: Self.readNumber(value)
      case .date: (value as? Date).flatMap(Self.readDate)
      }
    guard let read else { throw Refusal(.invalidParameter, detail: "the value of \(key.rawValue) has a wrong type") }
    self = read
  }

  /// How many bytes a text or data has, before any is copied.
  private static func size(of value: Any) -> Int {
    switch value {
    case let text as String: text.utf8.count
    case let data as Data: data.count
    default: 0
    }
  }

  private static func readText(_ value: Any) -> AttributeValue? {
    switch value {
    case let text as String: .text(ExactText(text))
    case let data as Data: .data(Array(data))
    case let identifier as UUID: .text(ExactText(identifier.uuidString))
    case let number as NSNumber: .text(ExactText(number.stringValue))
    default: nil
    }
  }

  private static func readBytes(_ value: Any) -> AttributeValue? {
    switch value {
    case let data as Data: .data(Array(data))
    case let text as String: .text(ExactText(text))
    case let number as NSNumber: .text(ExactText(number.stringValue))
    default: nil
    }
  }

  private static func readNumber(_ value: Any) -> AttributeValue? {
    switch value {
    case let text as String:
      // An empty string is a number column's "nothing": wrappers write an absent port this way.
      if text.isEmpty { .number(0) } else { Int64(text).flatMap { String($0) == text ? .number($0) : nil } }
    case let number as NSNumber: Int64(exactly: number).map(AttributeValue.number)
    default: nil
    }
  }

  private static func readDate(_ date: Date) -> AttributeValue? {
    date.timeIntervalSince1970.isFinite ? .date(date.timeIntervalSince1970) : nil
  }

  /// The value as a result holds it. Flags come back as numbers, because a Boolean could not be read as an integer.
  var object: Any {
    switch self {
    case .text(let text): text.validString ?? Data(text.bytes)
    case .data(let bytes): Data(bytes)
    case .number(let number): NSNumber(value: Int(number))
    case .date(let seconds): Date(timeIntervalSince1970: seconds)
    }
  }
}
