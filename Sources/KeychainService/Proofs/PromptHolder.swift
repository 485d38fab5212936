internal import AccessPolicy
internal import KeychainModel

/// Where a prompt stands, for people.
public enum PromptSite: Hashable, Sendable {
  /// At a terminal or display of this name.
  case named(String)
  /// At a terminal that has no name here: one of a mount namespace of its own.
  case ownTerminal
  /// At a display that has no name.
  case nameless
}

/// The request whose prompt is up, as the same user's requests behind it are told of it: a hidden one comes to light.
struct PromptHolder: Hashable, Sendable {
  /// The process that asks.
  let process: ProcessIdentity
  /// Its program; empty where it could not be told.
  let program: String
  /// What it asks for; empty where that is the keychain itself.
  let service: ExactText
  /// Where its prompt stands; `nil` until it is up.
  var site: PromptSite?

  /// Most characters (Unicode scalars) of a name that are told, so that all fit the line of a client.
  static let mostCharacters = 64
  /// Most bytes that they may take written out, so that all fit a notice.
  private static let mostBytes = 256

  /// A line for people. Whatever others chose stands in quotes at its end.
  var line: String {
    var words = "another prompt is up; waiting for its end: process \(process.pid)"
    switch site {
    case .named(let name): words += " on " + Self.quoted(name)
    case .ownTerminal: words += " on a terminal of its own"
    case .nameless, nil: break
    }
    words += ", " + (program.isEmpty ? "an unknown program" : Self.quoted(program))
    return words + " asks for " + (service.bytes.isEmpty ? "the keychain" : Self.quoted(service.string))
  }

  /// In quotes that the text cannot end; a cut shows behind them.
  private static func quoted(_ text: String) -> String {
    var kept = ""
    for (count, scalar) in text.unicodeScalars.enumerated() {
      let piece = String(scalar).debugDescription.dropFirst().dropLast()
      guard count < mostCharacters, kept.utf8.count + piece.utf8.count <= mostBytes else { return "\"\(kept)\"…" }
      kept += piece
    }
    return "\"\(kept)\""
  }
}
