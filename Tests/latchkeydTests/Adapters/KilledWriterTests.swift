import Foundation
import KeychainModel
import KeychainService
import SecretMemory
import Testing

@testable import latchkeyd

/// Where a child process of these tests writes; set for the child alone.
private let childFolder = ProcessInfo.processInfo.environment["LATCHKEY_TEST_WRITER"]

@Suite struct KilledWriterTests {
  /// The child: stores items and says each name once it was acknowledged, until it is killed.
  @Test(.enabled(if: childFolder != nil)) func `a writer that never ends`() throws {
    let folder = try #require(childFolder)
    let store = try UserStore.open(
      folder: folder + "/store", deviceKeyFile: folder + "/device.key", account: ScratchFolder.alice,
      stretching: .interactive)
    let acknowledged = try #require(FileHandle(forWritingAtPath: folder + "/acknowledged"))
    try acknowledged.seekToEnd()
    for number in 0..<1_000_000 {
      let name = "\(getpid())-\(number)"
      let item = NewItem(
        itemClass: .genericPassword,
        attributes: ItemAttributes([
          .service: .text("mail"), .account: .text(ExactText(name)), .accessGroup: .text("default"),
        ]), accessControl: .unconstrained(.whenUnlocked), boundEnrolment: nil, value: secret(name),
        applicationPassword: nil)
      _ = try store.add(item, keys: StoreOwnKeys(store: store))
      try acknowledged.write(contentsOf: Data((name + "\n").utf8))
    }
  }

  @Test(.enabled(if: childFolder == nil), .timeLimit(.minutes(3)))
  func `every write that was acknowledged is there after a kill, whole`() throws {
    let folder = ScratchFolder()
    folder.write("", to: "acknowledged")
    for round in 0..<6 {
      let before = acknowledged(folder).count
      let child = Process()
      child.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      child.arguments =
        Array(CommandLine.arguments.dropFirst().prefix { $0 != "--filter" })
        + ["--testing-library", "swift-testing", "--filter", "a_writer_that_never_ends|a writer that never ends"]
      child.environment = ProcessInfo.processInfo.environment.merging(["LATCHKEY_TEST_WRITER": folder.path]) { $1 }
      child.standardOutput = FileHandle.nullDevice
      try child.run()
      let wrote = becomesTrue(within: 20) { acknowledged(folder).count > before + 10 * round }
      kill(child.processIdentifier, SIGKILL)
      child.waitUntilExit()
      #expect(wrote, "the child stored nothing")
      try check(folder)
    }
  }

  private func acknowledged(_ folder: ScratchFolder) -> [String] {
    let text = String(decoding: folder.bytes("acknowledged") ?? [], as: UTF8.self)
    // The last piece is empty, or a name whose line was cut off by the kill.
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  private func check(_ folder: ScratchFolder) throws {
    let store = try folder.store()
    for name in acknowledged(folder) {
      let query = ItemQuery(
        itemClass: .genericPassword,
        attributes: ItemAttributes([.service: .text("mail"), .account: .text(ExactText(name))]))
      let page = try store.find(
        query, groups: ["default"], page: PageRequest(after: nil, limit: 2), keys: StoreOwnKeys(store: store))
      let item = try #require(page.items.first, "\(name) is lost")
      let opened = try store.open(
        item, grant: grant(item.identifier, .decrypt), keys: StoreOwnKeys(store: store), itemKey: nil,
        applicationPassword: nil)
      #expect(text(opened.value) == name)
    }
  }
}
