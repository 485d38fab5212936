internal import KeychainModel

/// The one name that the file of a pattern has, so that a file that cannot be read still says whose policy it was.
///
/// `com.example.mail` is `com.example.mail.yaml`, `com.example.*` is `com.example.any.yaml`, `*` is `default.yaml`. A byte
/// that cannot stand in a file name (`/`, control characters, a dot in front, `%` itself) is written `%` and two
/// hexadecimal digits; so is the last byte of a service that is itself called `default` or ends in `.any` or `.test`.
public enum PolicyFileName {
  /// The name of the file of a pattern.
  public static func name(for pattern: ServicePattern) -> String {
    switch pattern {
    case .any: return "default.yaml"
    case .prefix(let prefix): return encoded(prefix.bytes.dropLast()) + ".any.yaml"
    case .exact(let service):
      let stem = encoded(service.bytes[...])
      let isTaken = stem == "default" || stem.hasSuffix(".any") || stem.hasSuffix(".test")
      return (isTaken ? String(stem.dropLast()) + escape(service.bytes.last ?? 0) : stem) + ".yaml"
    }
  }

  /// The pattern that a file of this name speaks of; `nil` where the name belongs to no pattern.
  public static func pattern(of name: String) -> ServicePattern? {
    guard case .policy(let stem) = kind(of: name) else { return nil }
    if stem == "default" { return .any }
    if stem.hasSuffix(".any") { return decoded(stem.dropLast(4)).map { .prefix(ExactText(bytes: $0 + [0x2E])) } }
    return decoded(stem[...]).map { .exact(ExactText(bytes: $0)) }
  }

  /// What a name says that a file is for.
  public enum Kind: Hashable, Sendable {
    /// A policy, with its name's stem.
    case policy(String)
    /// Rows for `latchkey policy test`.
    case test
    /// Not read at all: hidden files, backups, the schema.
    case other
    /// Nearly a policy's name: it would be surprising to pass it over.
    case misnamed
  }

  /// Sorts a name.
  public static func kind(of name: String) -> Kind {
    if name.hasPrefix(".") { return .other }
    if name.hasSuffix(".test.yaml") { return .test }
    if name.hasSuffix(".yaml") { return .policy(String(name.dropLast(5))) }
    let lower = name.lowercased()
    return lower.hasSuffix(".yml") || lower.hasSuffix(".yaml") ? .misnamed : .other
  }

  private static func encoded(_ bytes: ArraySlice<UInt8>) -> String {
    var text: [UInt8] = []
    for (place, byte) in zip(bytes.indices, bytes) {
      let isPlain =
        byte > 0x1F && byte != 0x7F && byte != 0x2F && byte != 0x25 && !(byte == 0x2E && place == bytes.startIndex)
      if isPlain { text.append(byte) } else { text += Array(escape(byte).utf8) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func escape(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return (digits.utf8.count < 2 ? "%0" : "%") + digits
  }

  private static func decoded(_ text: Substring) -> [UInt8]? {
    var rest = Array(text.utf8)[...]
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      guard byte == 0x25 else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
        return nil
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return bytes.isEmpty ? nil : bytes
  }
}
