import Testing

@testable import latchkey

@Test func `every command has a name of its own`() {
  #expect(Set(Program.commands.map { $0.manual.name }).count == Program.commands.count)
}
