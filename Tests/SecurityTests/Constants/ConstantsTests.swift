import Security
import Testing

/// Apple's values, beside the constants that must have them.
@Suite struct ConstantsTests {
  @Test(arguments: [
    ConstantTable.classes, ConstantTable.attributes, ConstantTable.keyAttributes, ConstantTable.accessibility,
    ConstantTable.protocols, ConstantTable.authenticationTypes, ConstantTable.keyValues, ConstantTable.searches,
    ConstantTable.results, ConstantTable.uses,
  ])
  func `each constant has Apple's value`(table: ConstantTable) {
    for (constant, value) in table.rows { #expect(constant as String == value) }
  }

  @Test func `the values of one kind are told apart`() {
    for table in [
      ConstantTable.classes, .accessibility, .protocols, .authenticationTypes, .searches, .results, .uses,
    ] {
      #expect(Set(table.rows.map { $0.0 as String }).count == table.rows.count, "\(table.name)")
    }
  }

  @Test func `a constant keys a dictionary of any kind`() {
    let swift: [String: Any] = [kSecAttrAccount as String: "a"]
    let bridged: [CFString: Any] = [kSecAttrAccount: "a"]
    #expect((swift as CFDictionary).isEqual(bridged as CFDictionary))
  }
}
