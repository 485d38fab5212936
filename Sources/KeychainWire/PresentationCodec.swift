internal import KeychainModel

/// What passes between daemon and client in the middle of a request.
extension WireWriter {
  mutating func put(_ wanted: PresentationWanted) {
    switch wanted {
    case .prompt(let attempt):
      put(UInt8(1))
      put(attempt)
    }
  }

  mutating func put(_ presentation: Presentation) throws(WireError) {
    switch presentation {
    case .none: put(UInt8(0))
    case .terminal: put(UInt8(1))
    case .display(let variables):
      put(UInt8(2))
      try put(variables)
    case .passcode(let secret):
      put(UInt8(3))
      try putSecret(secret)
    }
  }

  mutating func put(_ notice: Notice) throws(WireError) {
    put(notice.kind.rawValue)
    try put(notice.text, limit: WireLimits.shortTextBytes)
  }

  mutating func put(_ hello: HelloReply) throws(WireError) {
    guard hello.oldest <= hello.newest else { throw .invalidValue }
    put(hello.oldest)
    put(hello.newest)
    try put(hello.daemon, limit: WireLimits.wordBytes)
  }

  /// The variables in the order of their numbers; a name without a number does not travel.
  private mutating func put(_ variables: [String: String]) throws(WireError) {
    guard variables.keys.allSatisfy(DisplayVariable.names.contains) else { throw .unknownValue }
    put(UInt8(variables.count))
    for (place, name) in DisplayVariable.names.enumerated() {
      guard let value = variables[name] else { continue }
      guard !value.utf8.contains(0) else { throw .invalidValue }
      put(UInt8(place + 1))
      try put(value, limit: WireLimits.displayValueBytes)
    }
  }
}

extension WireReader {
  mutating func wanted() throws(WireError) -> PresentationWanted {
    guard try uint8() == 1 else { throw .unknownValue }
    return .prompt(attempt: try uint32())
  }

  mutating func presentation() throws(WireError) -> Presentation {
    switch try uint8() {
    case 0: .none
    case 1: .terminal
    case 2: .display(try displayVariables())
    case 3: .passcode(try secret())
    default: throw .unknownValue
    }
  }

  mutating func notice() throws(WireError) -> Notice {
    let kind: NoticeKind = try choice()
    return Notice(kind: kind, text: try text(limit: WireLimits.shortTextBytes))
  }

  mutating func helloReply() throws(WireError) -> HelloReply {
    let oldest = try uint16()
    let newest = try uint16()
    guard oldest <= newest else { throw .invalidValue }
    return HelloReply(oldest: oldest, newest: newest, daemon: try text(limit: WireLimits.wordBytes))
  }

  private mutating func displayVariables() throws(WireError) -> [String: String] {
    var variables: [String: String] = [:]
    var last = 0
    for _ in 0..<(try uint8()) {
      let number = Int(try uint8())
      guard number >= 1, number <= DisplayVariable.names.count else { throw .unknownValue }
      guard number > last else { throw .notRising }
      last = number
      let value = try text(limit: WireLimits.displayValueBytes)
      guard !value.utf8.contains(0) else { throw .invalidValue }
      variables[DisplayVariable.names[number - 1]] = value
    }
    return variables
  }
}

/// The variables a prompt on a display may need, in the order of their numbers; no other one travels.
public enum DisplayVariable {
  /// The names; 1 is the first.
  public static let names = [
    "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "LANG", "LC_ALL",
  ]
}
