public import KeychainModel

/// Which services a policy speaks of.
public enum ServicePattern: Hashable, Sendable {
  /// One service, byte for byte.
  case exact(ExactText)
  /// Every service that begins with these bytes and goes on: `com.example.*` is `com.example.` here.
  case prefix(ExactText)
  /// Every service: `*`.
  case any

  /// Reads a pattern.
  ///
  /// - Parameter text: 1 to ``ItemLimits/policyServiceBytes`` bytes without control characters; a star only as the whole
  ///   text or behind a final dot.
  /// - Throws: ``ServicePatternError``.
  public init(_ text: String) throws(ServicePatternError) {
    guard !text.isEmpty else { throw .empty }
    guard text.utf8.count <= ItemLimits.policyServiceBytes else { throw .tooLong }
    guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else { throw .control }
    let stars = text.utf8.count { $0 == UInt8(ascii: "*") }
    if stars == 0 {
      self = .exact(ExactText(text))
    } else if text == "*" {
      self = .any
    } else {
      guard stars == 1, text.utf8.count > 2, text.hasSuffix(".*") else { throw .star }
      self = .prefix(ExactText(bytes: text.utf8.dropLast()))
    }
  }

  /// The pattern as files spell it.
  public var text: String {
    switch self {
    case .exact(let service): service.string
    case .prefix(let prefix): prefix.string + "*"
    case .any: "*"
    }
  }

  /// Whether the pattern speaks of a service.
  public func matches(_ service: ExactText) -> Bool {
    switch self {
    case .exact(let name): name == service
    case .prefix(let prefix): service.bytes.count > prefix.bytes.count && service.bytes.starts(with: prefix.bytes)
    case .any: true
    }
  }
}

/// Why a text names no services.
public enum ServicePatternError: Error, Equatable, Sendable, CaseIterable {
  /// Nothing stands there.
  case empty
  /// More than 255 bytes.
  case tooLong
  /// A control character.
  case control
  /// A star that is neither the whole text nor behind a final dot.
  case star

  /// One sentence for a person.
  public var explanation: String {
    switch self {
    case .empty: "the service is empty; name one, or write \"*\" for every service."
    case .tooLong: "the service is longer than \(ItemLimits.policyServiceBytes) bytes."
    case .control: "the service holds a control character."
    case .star: "a star stands only at the end behind a dot (com.example.*) or alone (\"*\")."
    }
  }
}
