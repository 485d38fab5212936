import LinuxSystem
import Testing

@Test func `a raised wake-up is readable and stays so`() throws {
  let wake = try WakeUp()
  func isReadable() throws -> Bool { try Poll.wait([PollEntry(wake.descriptor)], timeoutMilliseconds: 0)[0].isReadable }
  #expect(try !isReadable())
  try Threads.start { wake.raise() }
  #expect(try Poll.wait([PollEntry(wake.descriptor)], timeoutMilliseconds: 5000)[0].isReadable)
  wake.raise()
  #expect(try isReadable())
}
