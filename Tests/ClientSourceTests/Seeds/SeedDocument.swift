import Foundation
import TestSupport

/// An article about the keychain, from outside of the project, with code between its paragraphs and no marks around it.
struct SeedDocument {
  /// The pieces of code in their order.
  let blocks: [CodeBlock]

  /// The folder of the articles: `LATCHKEY_SEEDS`, else `../shared/seeds` beside the checkout; `nil` where neither is.
  static let folder: String? = {
    let places = [ProcessInfo.processInfo.environment["LATCHKEY_SEEDS"], "\(Installation.project)/../shared/seeds"]
    return places.compactMap { $0 }.first { FileManager.default.fileExists(atPath: $0) }
  }()

  init(named name: String) throws {
    guard let folder = Self.folder else { throw CocoaError(.fileNoSuchFile) }
    self.init(try String(contentsOfFile: "\(folder)/\(name).txt", encoding: .utf8))
  }

  init(_ text: String) {
    var blocks: [CodeBlock] = []
    var open: [Substring] = []
    let lines: [Substring] = text.split(separator: "\n", omittingEmptySubsequences: false)
    for line in lines + ["Prose."] {
      if Self.startsCode(line) || (!open.isEmpty && Self.continuesCode(line)) {
        open.append(line)
      } else if !open.isEmpty {
        blocks.append(CodeBlock(lines: open))
        open = []
      }
    }
    self.blocks = blocks
  }

  /// The code that declares, as one file.
  var declarations: String { text([.declarations]) }
  /// The code that runs from top to bottom.
  var statements: String { text([.statements]) }
  /// Both, as the one file that the article speaks of.
  var everything: String { text([.declarations, .statements]) }

  private func text(_ kinds: Set<CodeBlock.Kind>) -> String {
    blocks.filter { kinds.contains($0.kind) }.map(\.text).joined(separator: "\n\n") + "\n"
  }

  /// Whether a line at the left margin can only be Swift: a keyword, a comment, or a name with `(`, `[` or `.` behind it.
  private static func startsCode(_ line: Substring) -> Bool {
    line.firstMatch(
      of: /^(import|enum|struct|actor|class|final|extension|func|let|var|do|public|protocol) |^\/\/|^[a-z]\w*[\[(.]\S/)
      != nil
  }

  /// Whether a line may stand inside a piece of code: blank, indented or closing one.
  private static func continuesCode(_ line: Substring) -> Bool {
    line.isEmpty || line.first!.isWhitespace || "}])".contains(line.first!)
  }
}

/// One piece of code of an article.
struct CodeBlock {
  /// What can be done with a piece of code.
  enum Kind { case declarations, statements, listing, userInterface }

  let text: String

  init(lines: [Substring]) {
    text = lines.joined(separator: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  var kind: Kind {
    if text.hasPrefix("public ") { return .listing }
    if text.contains(/: View \{/) { return .userInterface }
    let declares = /^(import|enum|struct|actor|class|final|extension|func|protocol) |^\/\/|^[ \t}\])]|^$/
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.allSatisfy { $0.firstMatch(of: declares) != nil } ? .declarations : .statements
  }
}
