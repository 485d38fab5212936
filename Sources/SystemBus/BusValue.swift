public import LinuxSystem

/// A value as it travels on the bus (D-Bus specification, "Type System"): the types that the services asked here use.
public indirect enum BusValue: Sendable {
  /// `b`
  case boolean(Bool)
  /// `u`
  case number(UInt32)
  /// `s`
  case text(String)
  /// `o`
  case objectPath(String)
  /// `h`
  case descriptor(OwnedDescriptor)
  /// `a`, of elements with this signature
  case array(of: String, [BusValue])
  /// `v`
  case variant(BusValue)
  /// `(`, with at least one field
  case structure([BusValue])

  /// Its type in the letters of the specification.
  public var type: String {
    switch self {
    case .boolean: "b"
    case .number: "u"
    case .text: "s"
    case .objectPath: "o"
    case .descriptor: "h"
    case .array(let element, _): "a" + element
    case .variant: "v"
    case .structure(let fields): "(" + fields.map(\.type).joined() + ")"
    }
  }

  /// The text of a `s` or an `o`; `nil` for others.
  public var string: String? {
    switch self {
    case .text(let text), .objectPath(let text): text
    default: nil
    }
  }

  /// The truth of a `b`; `nil` for others.
  public var truth: Bool? {
    if case .boolean(let truth) = self { return truth }
    return nil
  }

  /// The number of a `u`; `nil` for others.
  public var number: UInt32? {
    if case .number(let number) = self { return number }
    return nil
  }

  /// The fields of a `(`; `nil` for others.
  public var fields: [BusValue]? {
    if case .structure(let fields) = self { return fields }
    return nil
  }

  /// The elements of an `a`; `nil` for others.
  public var elements: [BusValue]? {
    if case .array(_, let elements) = self { return elements }
    return nil
  }

  /// What is in a `v`; itself for others.
  public var content: BusValue {
    if case .variant(let value) = self { return value.content }
    return self
  }
}
