public import CFBridge

/// The name of an algorithm that a key may be used with. Nothing in this package computes with keys; the type is there for
/// the signatures that name it.
public struct SecKeyAlgorithm: RawRepresentable, Hashable, Sendable {
  private let name: String

  /// Apple's string for the algorithm.
  public var rawValue: CFString { NSString(string: name) }

  /// Takes Apple's string for an algorithm.
  public init(rawValue: CFString) { name = rawValue as String }

  init(_ name: String) { self.name = name }
}
