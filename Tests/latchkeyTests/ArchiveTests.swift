import AccessPolicy
import Foundation
import KeychainModel
import LinuxSystem
import SecretMemory
import TestSupport
import Testing

@testable import latchkey

func secret(_ text: String) throws -> SecretBytes { try SecretBytes(copying: Array(text.utf8)) }

private func text(_ secret: SecretBytes?) -> String? {
  secret?.withSpan { span in String(decoding: span.indices.map { span[$0] }, as: UTF8.self) }
}

/// One archive, written once: stretching takes its time.
private struct Sample {
  let folder: ScratchFolder
  let bytes: [UInt8]
  let key: SecretBytes
  static let items: [ArchiveItem] = {
    let name = ItemAttributes([
      .service: .text("a"), .account: .data([0, 0xFF]), .port: .number(-2), .startDate: .date(1.5),
      .creationDate: .date(1),
    ])
    let rules: [ItemOperation: OperationRule] = [
      .delete: .constrained(.anyOf([.passcode, .allOf([.biometryAny, .companion])])), .sign: .denied, .attest: .allowed,
    ]
    return [
      ArchiveItem(
        .genericPassword, name, try! AccessControl(accessibility: .always, flags: .userPresence, overrides: rules),
        value: try! secret("value")),
      ArchiveItem(.certificate, ItemAttributes(), .unconstrained(.afterFirstUnlock), value: nil),
      ArchiveItem(.genericPassword, name, .unconstrained(.whenUnlocked), value: try! secret("")),
    ]
  }()

  init() throws {
    folder = try ScratchFolder()
    let file = try Files.open(folder.path("x"), [.writing, .creating])
    var writer = try ArchiveWriter(file, named: "x", passphrase: try secret("open"))
    for item in Self.items { try writer.append(item) }
    try writer.finish()
    bytes = try Files.readAll(folder.path("x"), limit: 1_000_000)
    key = try ArchiveHeader(Array(bytes.prefix(ArchiveHeader.size))).key(passphrase: try secret("open"))
  }

  /// Reads an archive to its end; the detail of the failure, or `nil`.
  func read(_ bytes: [UInt8]) throws -> (items: [ArchiveItem], failure: Failure?) {
    // Tests run side by side, each with a file of its own.
    let file = folder.path(UUID().uuidString)
    try bytes.withUnsafeBytes { try Data($0).write(to: URL(fileURLWithPath: file)) }
    defer { try? Files.unlink(file) }
    var items: [ArchiveItem] = []
    do {
      let start = try ArchiveReader.Start(try Files.open(file, .reading), named: "y")
      var reader = ArchiveReader(start, key: key)
      while let item = try reader.next() { items.append(item) }
      return (items, nil)
    } catch let failure as Failure { return (items, failure) }
  }
}

@Suite struct ArchiveTests {
  private static let sample = Result { try Sample() }

  @Test func `items come back as they were, without what the system sets`() throws {
    let sample = try Self.sample.get()
    let (items, failure) = try sample.read(sample.bytes)
    #expect(failure == nil && items.count == 3)
    for (item, original) in zip(items, Sample.items) {
      #expect(item.itemClass == original.itemClass && item.attributes == original.attributes)
      #expect(item.accessControl == original.accessControl && text(item.value) == text(original.value))
    }
    #expect(items[0].attributes[.creationDate] == nil && items[0].attributes[.startDate] == .date(1.5))
  }

  @Test func `an archive that is cut anywhere is never taken for whole`() throws {
    let sample = try Self.sample.get()
    for count in 0..<sample.bytes.count {
      let failure = try sample.read(Array(sample.bytes.prefix(count))).failure
      #expect(failure?.code == "archiveInvalid", "cut after \(count)")
    }
    #expect(try sample.read(sample.bytes + [0]).failure?.detail.hasPrefix("more behind its end") == true)
  }

  @Test func `an archive with any bit changed is refused`() throws {
    let sample = try Self.sample.get()
    for place in 0..<sample.bytes.count {
      var changed = sample.bytes
      changed[place] ^= 1 << UInt8(place % 8)
      #expect(try sample.read(changed).failure?.code == "archiveInvalid", "byte \(place)")
    }
  }

  @Test func `chunks open only in their own place`() throws {
    let sample = try Self.sample.get()
    let header = ArchiveHeader.size
    let size = 5 + Int(sample.bytes[header + 1]) + Int(sample.bytes[header + 2]) << 8
    let first = Array(sample.bytes[header..<(header + size)])
    let rest = Array(sample.bytes[(header + size)...])
    let head = Array(sample.bytes.prefix(header))
    for moved in [head + rest, head + first + first + rest, head + rest + first] {
      #expect(try sample.read(moved).failure?.code == "archiveInvalid")
    }
  }

  @Test func `a wrong passphrase is told from damage`() throws {
    let sample = try Self.sample.get()
    let header = try ArchiveHeader(Array(sample.bytes.prefix(ArchiveHeader.size)))
    #expect(throws: ArchiveError.passphraseWrong) { try header.key(passphrase: try secret("opem")) }
    #expect(throws: ArchiveError.notAnArchive) { try ArchiveHeader(Array("PK".utf8)) }
  }

  @Test func `the file holds neither values nor names`() throws {
    let sample = try Self.sample.get()
    #expect(Data(sample.bytes).range(of: Data("value".utf8)) == nil)
  }
}

@Suite struct ExportTests {
  private func export(_ daemon: MemoryDaemon, _ words: String..., passphrase: String = "open sesame") throws
    -> CommandResult
  {
    run(
      [BuiltPrograms.path(of: "latchkey")] + words + ["--passphrase-fd", "5"],
      environment: ["LATCHKEY_SOCKET": daemon.folder.path("socket")], descriptors: [try handed(passphrase, as: 5)])
  }

  @Test func `protected items move to another keychain after one proof, and what may not leave stays`() throws {
    let from = try MemoryDaemon()
    for number in 0..<5 {
      #expect(
        from.latchkey("add", "-s", "a\(number)", "-a", "b", "--require", "userPresence", input: [1, UInt8(number)])
          .status == 0)
    }
    #expect(from.latchkey("add", "-s", "big", "-a", "b", input: [UInt8](repeating: 3, count: 1_048_576)).status == 0)
    let file = from.folder.path("archive")
    let first = try json(try export(from, "export", file, "--json").output)
    #expect(first["exported"] as? Int == 6)
    #expect(from.authenticator.prompts == 1)
    #expect(try Files.facts(file).mode & 0o777 == 0o600)
    #expect(try export(from, "export", file).status == 45)
    #expect(
      from.latchkey("add", "-s", "here", "-a", "b", "--accessible", "whenUnlockedThisDeviceOnly", input: [1]).status
        == 0)
    let second = try json(try export(from, "export", file, "--force", "--json").output)
    #expect(second["exported"] as? Int == 6)
    #expect((second["leftOut"] as? [String: Int])?["thisDeviceOnly"] == 1)

    let to = try MemoryDaemon()
    #expect(try export(to, "import", file, passphrase: "wrong").status == 51)
    let dry = try json(try export(to, "import", file, "--dry-run", "--json").output)
    #expect(dry["imported"] as? Int == 6 && dry["dryRun"] as? Bool == true)
    #expect(to.latchkey("list").output.isEmpty)
    #expect(try export(to, "import", file).status == 0)
    #expect(to.latchkey("get", "-s", "a3", "-a", "b").bytes == [1, 3])
    #expect(to.authenticator.prompts == 1)
    #expect(to.latchkey("get", "-s", "big", "-a", "b").bytes.count == 1_048_576)
    let again = try export(to, "import", file, "--json")
    #expect(try again.status == 45 && json(again.output)["kept"] as? Int == 6)
  }

  @Test func `a locked keychain is unlocked and read for an archive by one proof, where the policy lets it serve`()
    throws
  {
    for (reuse, prompts) in [(ServicePolicy.builtIn.reuse, 1), (Reuse(windowSeconds: 0, scope: .never), 2)] {
      let daemon = try MemoryDaemon(reuse: reuse)
      #expect(daemon.latchkey("add", "-s", "a", "-a", "b", "--require", "userPresence", input: [1]).status == 0)
      #expect(daemon.latchkey("unlock").status == 0)
      #expect(daemon.latchkey("lock", "--all").status == 0)
      let before = daemon.authenticator.prompts
      let file = daemon.folder.path("archive")
      #expect(try json(try export(daemon, "export", file, "--json").output)["exported"] as? Int == 1)
      #expect(daemon.authenticator.prompts - before == prompts)
    }
  }

  /// Adds an item with an application password.
  private func addWithPassword(_ daemon: MemoryDaemon, _ service: String) throws {
    let added = run(
      [BuiltPrograms.path(of: "latchkey"), "add", "-s", service, "-a", "b", "--require", "applicationPassword"]
        + ["--application-password-fd", "5"], input: [1],
      environment: ["LATCHKEY_SOCKET": daemon.folder.path("socket")], descriptors: [try handed("more", as: 5)])
    #expect(added.status == 0)
  }

  @Test func `an item with an application password does not have its neighbours asked for one by one`() throws {
    let daemon = try MemoryDaemon(reuse: ServicePolicy.builtIn.reuse)
    for (service, flag) in [
      ("a", "userPresence"), ("b", "userPresence"), ("c", "devicePasscode"), ("d", "devicePasscode"),
    ] {
      #expect(daemon.latchkey("add", "-s", service, "-a", "b", "--require", flag, input: [1]).status == 0)
    }
    try addWithPassword(daemon, "e")
    let file = daemon.folder.path("archive")
    let exported = try json(try export(daemon, "export", file, "--json").output)
    #expect(exported["exported"] as? Int == 4 && daemon.authenticator.prompts == 1)
    #expect((exported["leftOut"] as? [String: Int])?["applicationPassword"] == 1)
    let before = daemon.authenticator.prompts
    let replaced = try json(try export(daemon, "import", file, "--replace", "--json").output)
    #expect(replaced["imported"] as? Int == 4 && daemon.authenticator.prompts - before == 1)
    #expect(try export(daemon, "import", file).status == 45 && daemon.authenticator.prompts - before == 1)
  }

  @Test func `one item that nobody can prove is named, and left out where that is wanted`() throws {
    let daemon = try MemoryDaemon(reuse: ServicePolicy.builtIn.reuse)
    #expect(daemon.latchkey("add", "-s", "plain", "-a", "b", input: [1]).status == 0)
    for (service, flag) in [
      ("a", "userPresence"), ("bank", "companion"), ("c", "userPresence"), ("bank2", "companion"),
    ] {
      #expect(daemon.latchkey("add", "-s", service, "-a", "me", "--require", flag, input: [1]).status == 0)
    }
    let file = daemon.folder.path("archive")
    let refused = try export(daemon, "export", file)
    #expect(refused.status == 53 && (try? Files.factsNoFollow(file)) == nil)
    #expect(refused.complaint.contains("bank/me: companionNotAvailable, bank2/me: companionNotAvailable"))
    #expect(
      refused.complaint.contains("2 items cannot be proved here") && refused.complaint.contains("--skip-unprovable"))
    #expect(!refused.complaint.contains("c/me"), "\(refused.complaint)")

    let told = try export(daemon, "export", file, "--skip-unprovable")
    #expect(
      told.status == 53 && told.complaint.contains("left out: bank/me: no paired device can be used"),
      "\(told.complaint)")
    #expect(told.complaint.contains("exported 3 items"))
    let result = try export(daemon, "export", file, "--force", "--skip-unprovable", "--json")
    let object = try json(result.output)
    #expect(result.status == 53 && object["exported"] as? Int == 3)
    let left = try #require(object["unprovable"] as? [[String: Any]])
    #expect(left.map { $0["service"] as? String } == ["bank", "bank2"])
    #expect(left.allSatisfy { $0["reason"] as? String == "companionNotAvailable" && $0["account"] as? String == "me" })

    let other = try MemoryDaemon()
    #expect(try json(try export(other, "import", file, "--json").output)["imported"] as? Int == 3)
    for service in ["bank", "bank2"] { #expect(daemon.latchkey("delete", "-s", service, "-a", "me").status == 0) }
    let whole = try export(daemon, "export", file, "--force", "--skip-unprovable", "--json")
    #expect(try whole.status == 0 && (json(whole.output)["unprovable"] as? [Any])?.isEmpty == true)
  }

  @Test(
    arguments: [
      ("userPresence", [ProofNeed.presence]), ("devicePasscode", [.passcode]), ("biometryAny", [.finger]),
      ("companion", []),
      ("devicePasscode,companion", [.passcode]), ("biometryAny,devicePasscode", [.finger, .passcode]),
    ] as [(String, Set<ProofNeed>)])
  func `what an item wants is asked for ahead by its kind`(flags: String, needs: Set<ProofNeed>) throws {
    let flags = flags.split(separator: ",").compactMap { AccessControlFlags(name: String($0)) }
      .reduce(into: AccessControlFlags()) { $0.formUnion($1) }
    #expect(ProofNeed.of(try AccessControl(accessibility: .whenUnlocked, flags: flags)) == needs)
    let either = flags.union(.or)
    if flags == [.biometryAny, .devicePasscode] {
      #expect(ProofNeed.of(try AccessControl(accessibility: .whenUnlocked, flags: either)) == [.presence])
    }
  }

  @Test(arguments: [("1234567", Int32(206)), ("12345678", 0), ("123456789", 0)])
  func `a new archive's passphrase has 8 bytes at least`(_ passphrase: String, _ status: Int32) throws {
    let daemon = try MemoryDaemon()
    #expect(daemon.latchkey("add", "-s", "a", "-a", "b", input: [1]).status == 0)
    let file = daemon.folder.path("archive")
    #expect(try export(daemon, "export", file, passphrase: passphrase).status == status)
    #expect(((try? Files.factsNoFollow(file)) != nil) == (status == 0))
  }

  @Test func `where an archive cannot be written that is told before anything is asked, in words`() throws {
    let daemon = try MemoryDaemon()
    let result = daemon.latchkey("export", daemon.folder.path("nowhere/archive"), "--no-prompt")
    #expect(result.complaint.contains("cannot be written (no such file or directory)"), "\(result.complaint)")
    #expect(daemon.requests.isEmpty)
  }

  @Test func `an archive that comes through a named pipe is read once`() throws {
    let daemon = try MemoryDaemon()
    #expect(daemon.latchkey("add", "-s", "a", "-a", "b", input: [7]).status == 0)
    let (file, pipe) = (daemon.folder.path("archive"), daemon.folder.path("pipe"))
    #expect(try export(daemon, "export", file).status == 0)
    #expect(daemon.latchkey("delete", "-s", "a", "-a", "b").status == 0)
    try #require(mkfifo(pipe, 0o600) == 0)
    let writer = try Spawn.start("/bin/sh", SpawnPlan(arguments: ["sh", "-c", "exec /bin/cat '\(file)' >'\(pipe)'"]))
    defer { writer.killAndWait() }
    #expect(try export(daemon, "import", pipe).status == 0)
    #expect(daemon.latchkey("get", "-s", "a", "-a", "b").bytes == [7])
  }

  @Test func `a damaged file changes nothing and no half file is left behind`() throws {
    let daemon = try MemoryDaemon()
    #expect(daemon.latchkey("add", "-s", "a", "-a", "b", input: [1]).status == 0)
    let file = daemon.folder.path("archive")
    #expect(try export(daemon, "export", file).status == 0)
    var bytes = try Files.readAll(file, limit: 100_000)
    bytes.removeLast(3)
    try Files.writeAtomically(bytes.span, to: file, mode: 0o600)
    #expect(daemon.latchkey("delete", "-s", "a", "-a", "b").status == 0)
    let result = try export(daemon, "import", file)
    #expect(result.status == 206 && result.complaint.contains("cut short"))
    #expect(daemon.latchkey("list").output.isEmpty)
    // A refused proof ends an export without a file.
    #expect(daemon.latchkey("add", "-s", "a", "-a", "b", "--require", "userPresence", input: [1]).status == 0)
    daemon.authenticator.follow([.refuse(.userCancelled)])
    #expect(try export(daemon, "export", daemon.folder.path("other")).status == 128)
    #expect(try FileManager.default.contentsOfDirectory(atPath: daemon.folder.path).sorted() == ["archive", "socket"])
  }
}
