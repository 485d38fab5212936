import Foundation
import LinuxSystem
import Testing

struct FolderListingTests {
  @Test func `the names of a folder come in the order of their bytes, up to the limit`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try Files.names(in: folder.path) == [])
    for name in ["b", "\u{E9}", "B", ".a"] { try Data().write(to: folder.appendingPathComponent(name)) }
    #expect(try Files.names(in: folder.path, limit: 4) == [".a", "B", "b", "\u{E9}"])
    #expect(throws: Errno.fileTooLarge) { try Files.names(in: folder.path, limit: 3) }
  }

  @Test func `what is no folder, or is not there, is an error`() {
    #expect(throws: Errno.noSuchFile) { try Files.names(in: "/nonexistent") }
    #expect(throws: Errno.notDirectory) { try Files.names(in: "/proc/version") }
    #expect(throws: Errno.invalidArgument) { try Files.names(in: "/\0") }
  }
}
