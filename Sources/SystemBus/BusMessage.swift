/// One message of the bus, as it is to be sent or as it came.
public struct BusMessage {
  /// What it is.
  public enum Kind: UInt8, Sendable { case call = 1, reply, error, signal }

  /// What it is.
  public var kind: Kind
  /// The object.
  public var path: String?
  /// The interface.
  public var interface: String?
  /// The method or the signal.
  public var member: String?
  /// Whom it is for; a signal without one is for whoever asked for such.
  public var destination: String?
  /// Who sent it; filled in by the bus.
  public internal(set) var sender: String?
  /// Whether the bus may start the service for it.
  public var mayActivate = false
  /// What it carries.
  public var body: [BusValue] = []
  /// What came, for an answer to it.
  var origin: MessageHandle?

  /// A call of a method.
  public static func call(
    _ destination: String, _ path: String, _ interface: String, _ member: String, _ body: [BusValue] = []
  ) -> BusMessage {
    BusMessage(
      kind: .call, path: path, interface: interface, member: member, destination: destination, body: body)
  }

  /// A signal.
  public static func signal(
    _ path: String, _ interface: String, _ member: String, _ body: [BusValue] = []
  ) -> BusMessage {
    BusMessage(kind: .signal, path: path, interface: interface, member: member, body: body)
  }

  /// The answer to a call that came.
  public static func answer(_ call: BusMessage, _ body: [BusValue] = []) -> BusMessage {
    BusMessage(kind: .reply, body: body, origin: call.origin)
  }
}
