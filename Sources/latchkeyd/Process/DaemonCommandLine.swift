internal import SystemBus

/// Reads the command line. Every option may stand once; what is not known is refused.
struct DaemonCommandLine {
  private var rest: ArraySlice<String>
  private var seen: Set<String> = []
  private var mode: DaemonMode?
  private var options = DaemonOptions(mode: .user)

  /// Reads the arguments behind the program's own name.
  ///
  /// - Throws: ``UsageFault``.
  static func parse(_ arguments: [[UInt8]]) throws(UsageFault) -> DaemonCommand {
    var texts: [String] = []
    for bytes in arguments {
      guard let text = String(validating: bytes, as: UTF8.self) else { throw UsageFault("an argument is not UTF-8") }
      texts.append(text)
    }
    var line = DaemonCommandLine(rest: texts[...])
    return try line.read()
  }

  private init(rest: ArraySlice<String>) { self.rest = rest }

  private mutating func read() throws(UsageFault) -> DaemonCommand {
    while let name = rest.popFirst() {
      if name == "--help" { return .help }
      if name == "--version" { return .version }
      guard seen.insert(name).inserted else { throw UsageFault("\(name) stands twice") }
      try take(name)
    }
    guard let mode else { throw UsageFault("one of --system and --user is needed") }
    options.mode = mode
    if mode == .system, seen.contains("--idle") { throw UsageFault("--idle is for --user: the system's daemon stays") }
    if mode == .user, seen.contains("--fingerprints") {
      throw UsageFault("--fingerprints is for --system: a user may not read what fprintd stores")
    }
    return .run(options)
  }

  private mutating func take(_ name: String) throws(UsageFault) {
    switch name {
    case "--system": try choose(.system)
    case "--user": try choose(.user)
    case "--socket": options.socket = try path(of: name)
    case "--state": options.state = try path(of: name)
    case "--pam": options.pam = try path(of: name)
    case "--policies": options.policies = try path(of: name)
    case "--fingerprints": options.fingerprints = try path(of: name)
    case "--bus": options.bus = try bus(of: name)
    case "--pinentry": options.pinentry = try path(of: name)
    case "--stretching": options.stretching = try stretching(of: name)
    case "--ready-fd": options.readyDescriptor = try number(of: name, in: DaemonOptions.readyBounds)
    case "--idle": options.idleSeconds = try number(of: name, in: DaemonOptions.idleBounds)
    default: throw UsageFault("\(name.debugDescription) is no option")
    }
  }

  private mutating func choose(_ choice: DaemonMode) throws(UsageFault) {
    guard mode == nil else { throw UsageFault("--system and --user exclude each other") }
    mode = choice
  }

  private mutating func value(of name: String) throws(UsageFault) -> String {
    guard let value = rest.popFirst(), !value.isEmpty else { throw UsageFault("\(name) needs a value") }
    return value
  }

  private mutating func path(of name: String) throws(UsageFault) -> String {
    let path = try value(of: name)
    guard path.hasPrefix("/") else { throw UsageFault("\(name) needs an absolute path") }
    guard path.utf8.count <= DaemonOptions.pathBytes else { throw UsageFault("the path of \(name) is too long") }
    guard path.count > 1, !path.split(separator: "/").contains("..") else {
      throw UsageFault("the path of \(name) must name a place without '..'")
    }
    return path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  private mutating func bus(of name: String) throws(UsageFault) -> String {
    let address = try value(of: name)
    guard BusAddress(address) != nil else { throw UsageFault("\(name) needs an address of the form unix:path=/PLACE") }
    return address
  }

  private mutating func stretching(of name: String) throws(UsageFault) -> StretchingStrength {
    guard let strength = StretchingStrength(rawValue: try value(of: name)) else {
      throw UsageFault("\(name) is interactive or moderate")
    }
    return strength
  }

  private mutating func number<Number: FixedWidthInteger>(
    of name: String, in bounds: ClosedRange<Number>
  ) throws(UsageFault) -> Number {
    guard let number = Number(try value(of: name)), bounds.contains(number) else {
      throw UsageFault("\(name) needs a number from \(bounds.lowerBound) to \(bounds.upperBound)")
    }
    return number
  }
}
