import Foundation
import TestSupport

/// The programs made from the articles, in one language mode; the pieces of code go in unmodified.
struct SeedPrograms {
  let mode: String

  static let modes = ["5", "6"]

  /// The declarations of an article with a main file of the test's own.
  func driven(_ seed: String, by driver: String) throws -> ClientProgram {
    let document = try SeedDocument(named: seed)
    return try ClientProgram.shared(
      "driver", mode: mode,
      [
        ("Declarations.swift", document.declarations), ("main.swift", Self.own(driver)),
        ("Checks.swift", Self.own("Checks")),
      ])
  }

  /// All the code of an article as one main file, in its order.
  func usage(_ seed: String, names: String? = nil) throws -> ClientProgram {
    let document = try SeedDocument(named: seed)
    let more = try names.map { [("Names.swift", try Self.own($0))] } ?? []
    return try ClientProgram.shared("usage", mode: mode, [("main.swift", document.everything)] + more)
  }

  /// A file of the test's own.
  static func own(_ name: String) throws -> String {
    try String(contentsOfFile: "\(Installation.project)/Tests/Seeds/\(name).swift", encoding: .utf8)
  }
}
