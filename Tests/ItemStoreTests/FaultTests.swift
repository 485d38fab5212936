import Foundation
import KeychainModel
import SecretMemory
import Testing

@testable import AccessPolicy
@testable import ItemStore

@Suite struct FaultTests {
  /// Fails `work` at its first writing statement, its second, and so on until it succeeds; after each failure the store is
  /// opened anew and `check` looks at it.
  private func failEverywhere(
    _ make: () throws -> StoreFixture, _ work: (StoreFixture) throws -> Void,
    check: (StoreFixture, _ done: Bool) throws -> Void
  ) throws {
    for step in 0..<1000 {
      let fixture = try make()
      fixture.fault.arm(after: step)
      var done = false
      do {
        try work(fixture)
        done = true
      } catch let error as StoreError {
        #expect(error.reason == .ioFailed)
      }
      fixture.fault.arm(after: nil)
      try check(fixture, done)
      try fixture.reopen()
      try check(fixture, done)
      if done {
        #expect(step >= 3, "a write has at least a beginning, a statement and an end")
        return
      }
    }
    Issue.record("never succeeded")
  }

  private func filled() throws -> StoreFixture {
    let fixture = try StoreFixture()
    try fixture.add("s", "a", value: [1], label: "old")
    try fixture.add("s", "b", value: [2], label: "old")
    return fixture
  }

  private func values(_ fixture: StoreFixture) throws -> [[UInt8]?] {
    try ["a", "b"].map { try fixture.value("s", $0) }
  }

  @Test func `An update that fails at any step leaves every old value or every new one`() throws {
    try failEverywhere(filled) {
      try $0.update(StoreFixture.query("s")) {
        $0.value = try StoreFixture.secret([9])
        $0.attributes[.label] = .text("new")
      }
    } check: { fixture, done throws in
      #expect(try values(fixture) == (done ? [[9], [9]] : [[1], [2]]))
      #expect(
        try fixture.find(StoreFixture.everything).allSatisfy { $0.attributes?.text(.label) == (done ? "new" : "old") })
    }
  }

  @Test func `An add that fails at any step leaves no item or the whole item`() throws {
    try failEverywhere(filled) {
      try $0.add("new", value: [5])
    } check: { fixture, done throws in
      #expect(try fixture.find(StoreFixture.query("new", "me")).count == (done ? 1 : 0))
      if done { #expect(try fixture.value("new") == [5]) }
      #expect(try values(fixture) == [[1], [2]])
    }
  }

  @Test func `A batch that fails at any step leaves none of its items or all`() throws {
    try failEverywhere(filled) { fixture in
      let items = try (0..<3).map { number in
        NewItem(
          itemClass: .genericPassword,
          attributes: ItemAttributes([.service: .text("n"), .account: .text(ExactText("\(number)"))]),
          accessControl: .unconstrained(.whenUnlocked), value: try StoreFixture.secret([5]))
      }
      _ = try fixture.store.add(items, onDuplicate: .refuse, keys: fixture.keys, now: 1)
    } check: { fixture, done throws in
      #expect(try fixture.find(StoreFixture.query("n")).count == (done ? 3 : 0))
    }
  }

  @Test func `A replacing add and a delete that fail at any step leave the old item or the new state`() throws {
    try failEverywhere(filled) {
      try $0.add("s", "a", value: [9], rule: .replace)
    } check: { fixture, done throws in
      #expect(try values(fixture) == [done ? [9] : [1], [2]])
    }
    try failEverywhere(filled) {
      _ = try $0.store.delete(StoreFixture.query("s"), keys: $0.keys)
    } check: { fixture, done throws in
      #expect(try fixture.store.count() == (done ? 0 : 2))
      if !done { #expect(try values(fixture) == [[1], [2]]) }
    }
  }

  @Test func `A binding that fails at any step leaves the unbound store or the bound one`() throws {
    var passcode = try StoreFixture.passcode(1)
    try failEverywhere(filled) {
      passcode = try $0.bind()
    } check: { fixture, done throws in
      #expect(fixture.store.keybagState(holding: []) == (done ? .beforeFirstUnlock : .unbound))
      fixture.keys = try fixture.store.deviceWrappedKeys()
      if done { fixture.keys = fixture.keys.merging(try fixture.store.unlock(passcode.key)) }
      #expect(try values(fixture) == [[1], [2]])
    }
  }

  @Test func `A rebinding, a recovery key and a destruction that fail at any step change nothing`() throws {
    func bound() throws -> StoreFixture {
      let fixture = try filled()
      try fixture.bind(1)
      try fixture.add("p", access: access(.whenPasscodeSetThisDeviceOnly))
      return fixture
    }
    try failEverywhere(bound) { fixture in
      _ = try fixture.store.rebind(from: .passcode(StoreFixture.passcode(1).key), to: StoreFixture.passcode(2))
    } check: { fixture, done throws in
      let keys = try fixture.store.unlock(StoreFixture.passcode(done ? 2 : 1).key)
      fixture.keys = try fixture.store.deviceWrappedKeys().merging(keys)
      #expect(try values(fixture) == [[1], [2]])
    }
    try failEverywhere(bound) {
      _ = try $0.store.makeRecoveryKey(keys: $0.keys)
    } check: { fixture, done throws in
      #expect(fixture.store.hasRecoveryKey == done)
    }
    try failEverywhere(bound) {
      try $0.store.destroyAkpu()
    } check: { fixture, done throws in
      #expect((try fixture.one("p").dead != nil) == done)
      #expect((fixture.store.keybagState(holding: []) == .akpuDestroyed) == done)
      if !done { #expect(try fixture.value("p") == [1, 2, 3]) }
    }
  }

  @Test func `A full disk is said, and loses nothing`() throws {
    let fixture = try filled()
    let pages = try #require(
      try fixture.store.writer.statement("PRAGMA page_count").first { row in row.integer(0) })
    try fixture.store.writer.execute("PRAGMA max_page_count = \(pages)")
    #expect(throws: StoreError.diskFull) { try fixture.add("big", value: [UInt8](repeating: 1, count: 100_000)) }
    #expect(throws: StoreError.diskFull) {
      try fixture.update(StoreFixture.query("s")) {
        $0.value = try StoreFixture.secret([UInt8](repeating: 1, count: 100_000))
      }
    }
    #expect(try values(fixture) == [[1], [2]])
    try fixture.store.writer.execute("PRAGMA max_page_count = 1000000")
    try fixture.add("big", value: [UInt8](repeating: 1, count: 100_000))
    try fixture.reopen()
    #expect(try values(fixture) == [[1], [2]])
    #expect(try fixture.value("big")?.count == 100_000)
  }

  @Test func `Every write acknowledged before a kill is there afterwards`() async throws {
    let folder = try StoreFixture.makeFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let acknowledged = folder + "/acknowledged"
    _ = FileManager.default.createFile(atPath: acknowledged, contents: nil)
    for round in 0..<6 {
      await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String, round = round as Int] in
        let fixture = try StoreFixture(folder)
        let file = try #require(FileHandle(forWritingAtPath: folder + "/acknowledged"))
        try file.seekToEnd()
        for number in 0... {
          // In the first round perhaps before any write, in the others after one at least.
          if number == min(round, 1) {
            Thread.detachNewThread {
              usleep(UInt32(4000 + round * 9000))
              kill(getpid(), SIGKILL)
            }
          }
          try fixture.add("r\(round)", "\(number)", value: Array("\(number)".utf8))
          try file.write(contentsOf: Data("\(round) \(number)\n".utf8))
        }
      }
      let fixture = try StoreFixture(folder)
      let lines = try String(contentsOfFile: acknowledged, encoding: .utf8).split(separator: "\n")
      for line in lines {
        let parts = line.split(separator: " ").map(String.init)
        #expect(try fixture.value("r" + parts[0], parts[1]) == Array(parts[1].utf8))
      }
      let whole = try fixture.find(StoreFixture.everything).count
      #expect(whole >= lines.count && whole <= lines.count + round + 1)
      #expect(try fixture.pages(StoreFixture.everything).flatMap(\.unreadable) == [])
      fixture.keepsFolder = true
    }
    let fixture = try StoreFixture(folder)
    #expect(try fixture.store.count() > 0)
  }

  @Test func `A kill in the middle of a binding leaves one of the two stores`() async throws {
    for round in 0..<5 {
      let folder = try StoreFixture.makeFolder()
      defer { try? FileManager.default.removeItem(atPath: folder) }
      try {
        let fixture = try StoreFixture(folder)
        fixture.keepsFolder = true
        let items = try (0..<400).map { number in
          NewItem(
            itemClass: .genericPassword,
            attributes: ItemAttributes([.service: .text("s"), .account: .text(ExactText("\(number)"))]),
            accessControl: .unconstrained(.whenUnlocked), value: try StoreFixture.secret(Array("\(number)".utf8)))
        }
        _ = try fixture.store.add(items, onDuplicate: .refuse, keys: fixture.keys, now: 1)
      }()
      await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String, round = round as Int] in
        let fixture = try StoreFixture(folder)
        Thread.detachNewThread {
          usleep(UInt32(1000 + round * 12000))
          kill(getpid(), SIGKILL)
        }
        try fixture.bind(1)
        sleep(10)
      }
      let fixture = try StoreFixture(folder)
      if fixture.store.stretching != nil {
        fixture.keys = fixture.keys.merging(try fixture.store.unlock(StoreFixture.passcode(1).key))
      }
      #expect(try fixture.find(StoreFixture.everything).count == 400)
      for number in [0, 63, 64, 399] { #expect(try fixture.value("s", "\(number)") == Array("\(number)".utf8)) }
    }
  }
}
