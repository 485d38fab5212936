internal import CSystemd
internal import LinuxSystem

/// A connection to a message bus (sd-bus(3)). Every call has an end: no service that hangs keeps its caller.
///
/// For one thread at a time.
@safe public final class BusConnection {
  // SAFETY: the one reference that this object owns.
  private let bus: OpaquePointer

  /// Connects and says hello.
  ///
  /// - Parameter deadline: Boot-time nanoseconds.
  /// - Throws: ``BusError``.
  public init(_ address: BusAddress, until deadline: UInt64) throws(BusError) {
    var made: OpaquePointer?
    try MessageHandle.check(unsafe sd_bus_new(&made))
    guard let made = unsafe made else { throw .malformed }
    unsafe bus = made
    try MessageHandle.check(unsafe sd_bus_set_address(bus, "unix:path=\(address.path)"))
    try MessageHandle.check(unsafe sd_bus_set_bus_client(bus, 1))
    try MessageHandle.check(unsafe sd_bus_negotiate_fds(bus, 1))
    try MessageHandle.check(unsafe sd_bus_start(bus))
    while try MessageHandle.check(unsafe sd_bus_is_ready(bus)) == 0 { _ = try step(until: deadline) }
  }

  deinit { unsafe _ = sd_bus_close_unref(bus) }

  /// The name that the bus gave.
  public var name: String {
    var name: UnsafePointer<CChar>?
    guard unsafe sd_bus_get_unique_name(bus, &name) >= 0, let name = unsafe name else { return "" }
    // SAFETY: the connection owns the text, and it lives.
    return unsafe String(cString: name)
  }

  /// Calls a method and waits for its answer.
  ///
  /// - Returns: What the answer carries.
  /// - Throws: ``BusError``.
  public func call(_ message: BusMessage, until deadline: UInt64) throws(BusError) -> [BusValue] {
    let handle = try handle(for: message)
    let left = Self.microseconds(until: deadline)
    guard left > 0 else { throw .timedOut }
    var error = unsafe sd_bus_error()
    defer { unsafe sd_bus_error_free(&error) }
    var reply: OpaquePointer?
    let result = unsafe sd_bus_call(bus, handle.pointer, left, &error, &reply)
    guard result >= 0, let reply = unsafe reply else {
      throw unsafe Self.failure(result, name: error.name)
    }
    return try unsafe MessageHandle(owning: reply).values()
  }

  /// A property of an object (org.freedesktop.DBus.Properties).
  ///
  /// - Throws: ``BusError``.
  public func property(
    _ name: String, of interface: String, _ destination: String, _ path: String, until deadline: UInt64
  ) throws(BusError) -> BusValue {
    let message = BusMessage.call(
      destination, path, "org.freedesktop.DBus.Properties", "Get", [.text(interface), .text(name)])
    guard let value = try call(message, until: deadline).first else { throw .malformed }
    return value.content
  }

  /// Calls a method of the bus itself.
  ///
  /// - Throws: ``BusError``.
  @discardableResult
  public func callBus(_ member: String, _ body: [BusValue] = [], until deadline: UInt64) throws(BusError) -> [BusValue]
  {
    try call(
      .call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", member, body), until: deadline)
  }

  /// The next message that is no answer.
  ///
  /// - Parameter deadline: Boot-time nanoseconds; the end of the clock waits for ever.
  /// - Throws: ``BusError``: `timedOut` where none comes in time.
  public func next(until deadline: UInt64) throws(BusError) -> BusMessage {
    while true {
      if let message = try step(until: deadline) { return message }
    }
  }

  /// Sends a message without waiting for an answer.
  ///
  /// - Throws: ``BusError``.
  public func send(_ message: BusMessage) throws(BusError) {
    let handle = try handle(for: message)
    try MessageHandle.check(unsafe sd_bus_send(bus, handle.pointer, nil))
    try MessageHandle.check(unsafe sd_bus_flush(bus))
  }

  /// Does what there is to do, and waits where there is nothing.
  private func step(until deadline: UInt64) throws(BusError) -> BusMessage? {
    var came: OpaquePointer?
    let progress = try MessageHandle.check(unsafe sd_bus_process(bus, &came))
    if let came = unsafe came { return try unsafe MessageHandle(owning: came).message() }
    guard progress == 0 else { return nil }
    let left = Self.microseconds(until: deadline)
    guard left > 0 else { throw .timedOut }
    let result = unsafe sd_bus_wait(bus, left)
    // A signal that was handled is no failure of the bus.
    if result != -Errno.interrupted.rawValue { try MessageHandle.check(result) }
    return nil
  }

  private func handle(for message: BusMessage) throws(BusError) -> MessageHandle {
    var made: OpaquePointer?
    let path = message.path ?? "/"
    let interface = message.interface ?? ""
    let member = message.member ?? ""
    let result: Int32
    switch (message.kind, message.origin) {
    case (.call, _):
      result = unsafe sd_bus_message_new_method_call(bus, &made, message.destination, path, interface, member)
    case (.signal, _): result = unsafe sd_bus_message_new_signal(bus, &made, path, interface, member)
    case (.reply, let call?): result = unsafe sd_bus_message_new_method_return(call.pointer, &made)
    case (.reply, nil), (.error, _): throw .malformed
    }
    try MessageHandle.check(result)
    guard let made = unsafe made else { throw .malformed }
    let handle = unsafe MessageHandle(owning: made)
    if message.kind == .call {
      try MessageHandle.check(unsafe sd_bus_message_set_auto_start(handle.pointer, message.mayActivate ? 1 : 0))
    }
    if message.kind == .signal, let destination = message.destination {
      try MessageHandle.check(unsafe sd_bus_message_set_destination(handle.pointer, destination))
    }
    try handle.append(message.body)
    return handle
  }

  /// libsystemd names its own errors as well; how the call ended goes first.
  private static func failure(_ result: Int32, name: UnsafePointer<CChar>?) -> BusError {
    let own = BusError(errno: -result)
    switch -result {
    case ETIMEDOUT, ECONNRESET, ENOTCONN, EPIPE: return own
    // SAFETY: the caller's error owns the text, and it lives.
    default: return unsafe name.map { unsafe .refused(String(cString: $0)) } ?? own
    }
  }

  /// Rounded up; the end of the clock is for ever.
  private static func microseconds(until deadline: UInt64) -> UInt64 {
    guard deadline != .max else { return .max }
    let now = Clock.boottime
    return deadline > now ? (deadline - now) / 1000 + 1 : 0
  }
}
