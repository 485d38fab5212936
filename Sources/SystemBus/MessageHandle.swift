internal import CSystemd
internal import LinuxSystem

/// A message of libsystemd's (sd_bus_message_new(3)).
@safe final class MessageHandle {
  // SAFETY: the one reference that this object owns.
  let pointer: OpaquePointer

  init(owning pointer: OpaquePointer) { unsafe self.pointer = pointer }

  deinit { unsafe _ = sd_bus_message_unref(pointer) }

  /// Most containers in one another, and most values of one message: more than any service that is asked here uses.
  static let bounds = (depth: 16, values: 10_000)

  // MARK: Writing

  /// Adds values.
  ///
  /// - Throws: ``BusError``: `malformed`: a text that no message can hold.
  func append(_ values: [BusValue]) throws(BusError) {
    for value in values { try append(value) }
  }

  private func append(_ value: BusValue) throws(BusError) {
    switch value {
    case .boolean(let truth):
      var number: Int32 = truth ? 1 : 0
      try Self.check(unsafe sd_bus_message_append_basic(pointer, Self.letter("b"), &number))
    case .number(var number):
      try Self.check(unsafe sd_bus_message_append_basic(pointer, Self.letter("u"), &number))
    case .text(let text), .objectPath(let text): try append(text, value.type)
    case .descriptor(let descriptor):
      var number = descriptor.number
      // libsystemd duplicates it.
      try Self.check(unsafe sd_bus_message_append_basic(pointer, Self.letter("h"), &number))
      withExtendedLifetime(descriptor) {}
    case .array(let element, let elements): try append(elements, in: "a", of: element)
    case .variant(let content): try append([content], in: "v", of: content.type)
    case .structure(let fields):
      // libsystemd calls the container by another letter than its type begins with.
      try append(fields, in: "r", of: fields.map(\.type).joined())
    }
  }

  private func append(_ text: String, _ type: String) throws(BusError) {
    guard !text.utf8.contains(0) else { throw .malformed }
    try Self.check(unsafe text.withCString { unsafe sd_bus_message_append_basic(pointer, Self.letter(type), $0) })
  }

  private func append(_ values: [BusValue], in container: String, of content: String) throws(BusError) {
    try Self.check(unsafe sd_bus_message_open_container(pointer, Self.letter(container), content))
    try append(values)
    try Self.check(unsafe sd_bus_message_close_container(pointer))
  }

  // MARK: Reading

  /// Every value, from the first.
  ///
  /// - Throws: ``BusError``: `malformed`: also where a value is of a type that is not known here.
  func values() throws(BusError) -> [BusValue] {
    try Self.check(unsafe sd_bus_message_rewind(pointer, 1))
    var left = Self.bounds.values
    return try values(depth: 0, &left)
  }

  /// The values up to the end of the container.
  private func values(depth: Int, _ left: inout Int) throws(BusError) -> [BusValue] {
    guard depth <= Self.bounds.depth else { throw .malformed }
    var values: [BusValue] = []
    while let value = try next(depth, &left) { values.append(value) }
    return values
  }

  private func next(_ depth: Int, _ left: inout Int) throws(BusError) -> BusValue? {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    guard try Self.check(unsafe sd_bus_message_peek_type(pointer, &type, &contents)) > 0 else { return nil }
    left -= 1
    guard left >= 0 else { throw .malformed }
    switch UInt8(bitPattern: type) {
    case UInt8(ascii: "b"): return .boolean(try basic(type, Int32(0)) != 0)
    case UInt8(ascii: "u"): return .number(try basic(type, UInt32(0)))
    case UInt8(ascii: "s"): return .text(try text(type))
    case UInt8(ascii: "o"): return .objectPath(try text(type))
    case UInt8(ascii: "h"): return .descriptor(try descriptor(type))
    case UInt8(ascii: "a"), UInt8(ascii: "v"), UInt8(ascii: "r"):
      // SAFETY: the message owns the text until it is read on.
      let signature = unsafe contents.map { unsafe String(cString: $0) } ?? ""
      try Self.check(unsafe sd_bus_message_enter_container(pointer, type, signature))
      let inner = try values(depth: depth + 1, &left)
      try Self.check(unsafe sd_bus_message_exit_container(pointer))
      if UInt8(bitPattern: type) == UInt8(ascii: "a") { return .array(of: signature, inner) }
      if UInt8(bitPattern: type) == UInt8(ascii: "r") { return .structure(inner) }
      guard let content = inner.first else { throw .malformed }
      return .variant(content)
    default: throw .malformed
    }
  }

  private func basic<Number: BitwiseCopyable>(_ type: CChar, _ zero: Number) throws(BusError) -> Number {
    var number = zero
    try Self.check(unsafe sd_bus_message_read_basic(pointer, type, &number))
    return number
  }

  private func text(_ type: CChar) throws(BusError) -> String {
    var text: UnsafePointer<CChar>?
    try Self.check(unsafe sd_bus_message_read_basic(pointer, type, &text))
    // SAFETY: the message owns the text, and it lives.
    guard let text = unsafe text else { throw .malformed }
    return unsafe String(cString: text)
  }

  /// The message keeps its own; it is duplicated so that it outlives it.
  private func descriptor(_ type: CChar) throws(BusError) -> OwnedDescriptor {
    let number = try basic(type, Int32(-1))
    do throws(Errno) { return try OwnedDescriptor.duplicating(number) } catch { throw .absent(error) }
  }

  /// The message as it came.
  ///
  /// - Throws: ``BusError/malformed``.
  func message() throws(BusError) -> BusMessage {
    var type: UInt8 = 0
    try Self.check(unsafe sd_bus_message_get_type(pointer, &type))
    guard let kind = BusMessage.Kind(rawValue: type) else { throw .malformed }
    var message = BusMessage(kind: kind)
    message.path = unsafe Self.string(sd_bus_message_get_path(pointer))
    message.interface = unsafe Self.string(sd_bus_message_get_interface(pointer))
    message.member = unsafe Self.string(sd_bus_message_get_member(pointer))
    message.destination = unsafe Self.string(sd_bus_message_get_destination(pointer))
    message.sender = unsafe Self.string(sd_bus_message_get_sender(pointer))
    message.body = (try? values()) ?? []
    message.origin = self
    return message
  }

  private static func string(_ text: UnsafePointer<CChar>?) -> String? {
    // SAFETY: the message owns the text, and its caller holds the message.
    unsafe text.map { unsafe String(cString: $0) }
  }

  private static func letter(_ type: String) -> CChar { CChar(bitPattern: type.utf8.first ?? 0) }

  /// What the call gave back.
  ///
  /// - Throws: ``BusError``: by its negative errno.
  @discardableResult
  static func check(_ result: Int32) throws(BusError) -> Int32 {
    guard result < 0 else { return result }
    throw BusError(errno: -result)
  }
}
