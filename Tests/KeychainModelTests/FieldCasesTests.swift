import Foundation
import Testing

/// docs/cases.md names the test of each fault from the field.
@Suite struct FieldCasesTests {
  private static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// One test that the document names.
  private struct NamedTest {
    let file: String
    let name: String
  }

  /// The rows of the first table: a case, and the tests beside it.
  private static func rows() throws -> [(id: String, tests: [NamedTest])] {
    let text = try String(contentsOf: project.appendingPathComponent("docs/cases.md"), encoding: .utf8)
    return text.split(separator: "\n").compactMap { line in
      let cells = line.components(separatedBy: " | ")
      guard cells.count == 4, let id = cells[0].wholeMatch(of: /\| ([A-Z]\d\d)/)?.1 else { return nil }
      let tests = cells[2].components(separatedBy: "<br>").compactMap { entry -> NamedTest? in
        guard let found = entry.wholeMatch(of: /([\w\-\/]+): `([^`]+)`(?: \(rows? [\d, to]+\))?/) else { return nil }
        return NamedTest(file: String(found.1), name: String(found.2))
      }
      return (String(id), tests)
    }
  }

  @Test func `every case that docs/cases.md lists has a test, and each test it names is there`() throws {
    let rows = try Self.rows()
    #expect(rows.count == 52)
    for row in rows {
      #expect(!row.tests.isEmpty, "\(row.id)")
      for test in row.tests {
        let file = Self.project.appendingPathComponent("Tests/\(test.file).swift")
        let source = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        #expect(source.contains("func `\(test.name)`"), "\(row.id): \(test.file): \(test.name)")
      }
    }
  }
}
