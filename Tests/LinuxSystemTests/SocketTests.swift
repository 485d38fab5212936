import LinuxSystem
import Testing

private func path(ofBytes count: Int, in folder: TemporaryFolder) -> String {
  folder.path + "/" + String(repeating: "s", count: count - folder.path.utf8.count - 1)
}

@Test(arguments: [(-1, nil), (0, nil), (1, Errno.nameTooLong)] as [(Int, Errno?)])
func `a socket path may have as many bytes as the kernel takes, and not one more`(extra: Int, failure: Errno?) throws {
  let folder = try TemporaryFolder()
  let path = path(ofBytes: UnixSocket.maximumPathBytes + extra, in: folder)
  if let failure {
    #expect(throws: failure) { try UnixSocket.listen(path: path, mode: 0o600, backlog: 1) }
    #expect(throws: failure) { try UnixSocket.connect(path: path) }
  } else {
    let listener = try UnixSocket.listen(path: path, mode: 0o600, backlog: 1)
    _ = try UnixSocket.connect(path: path)
    _ = try UnixSocket.accept(listener)
  }
}

@Test func `paths that C would read otherwise are refused`() throws {
  #expect(throws: Errno.invalidArgument) { try UnixSocket.connect(path: "/tmp/a\0b") }
  #expect(throws: Errno.invalidArgument) { try UnixSocket.connect(path: "") }
  #expect(throws: Errno.invalidArgument) { try UnixSocket.listen(path: "a\0", mode: 0o600, backlog: 1) }
}

@Test(arguments: [0o600, 0o660, 0o666] as [UInt16])
func `a listening socket has exactly the mode asked for`(mode: UInt16) throws {
  let folder = try TemporaryFolder()
  _ = try UnixSocket.listen(path: folder.path("s"), mode: mode, backlog: 1)
  let facts = try Files.facts(folder.path("s"))
  #expect(facts.kind == .socket)
  #expect(facts.mode == mode)
}

@Test func `nobody takes the place of a socket that is there, and a dead one refuses`() throws {
  let folder = try TemporaryFolder()
  do { _ = try UnixSocket.listen(path: folder.path("s"), mode: 0o600, backlog: 1) }
  #expect(throws: Errno.addressInUse) { try UnixSocket.listen(path: folder.path("s"), mode: 0o600, backlog: 1) }
  #expect(throws: Errno.connectionRefused) { try UnixSocket.connect(path: folder.path("s")) }
  #expect(throws: Errno.noSuchFile) { try UnixSocket.connect(path: folder.path("none")) }
}

@Test func `two parts are sent whole, however small the socket's buffer is`() throws {
  let (near, far) = try UnixSocket.streamPair()
  let first = (0..<700_000).map { UInt8(truncatingIfNeeded: $0) }
  let second = (0..<300_001).map { UInt8(truncatingIfNeeded: $0 &* 7) }
  try Threads.start {
    try? UnixSocket.sendAll(near, first.span, second.span)
    UnixSocket.shutDown(near)
  }
  var got = [UInt8](repeating: 0, count: first.count + second.count)
  var span = got.mutableSpan
  #expect(try UnixSocket.readExactly(far, into: &span) == .complete)
  #expect(got == first + second)
}

@Test(arguments: [(0, 0), (0, 3), (3, 0), (1, 1)])
func `empty parts are nothing`(first: Int, second: Int) throws {
  let (near, far) = try UnixSocket.streamPair()
  try UnixSocket.sendAll(near, [UInt8](repeating: 1, count: first).span, [UInt8](repeating: 2, count: second).span)
  UnixSocket.shutDown(near)
  let sum = first + second
  #expect(try receive(far, atLeast: sum + 1) == Array(repeating: 1, count: first) + Array(repeating: 2, count: second))
}

@Test(arguments: 0...4)
func `a read that ends early says after how many bytes`(sent: Int) throws {
  let (near, far) = try UnixSocket.streamPair()
  try UnixSocket.sendAll(near, [UInt8](repeating: 9, count: sent).span)
  UnixSocket.shutDown(near)
  var buffer = [UInt8](repeating: 0, count: 4)
  var span = buffer.mutableSpan
  #expect(try UnixSocket.readExactly(far, into: &span) == (sent == 4 ? .complete : .ended(after: sent)))
}

@Test func `sending to nobody is an error and no signal`() throws {
  let (near, _) = try UnixSocket.streamPair()
  #expect(throws: Errno.brokenPipe) { try UnixSocket.sendAll(near, [1].span) }
}

@Test(arguments: [0, 1, UnixSocket.maximumDescriptors - 1, UnixSocket.maximumDescriptors])
func `descriptors arrive, close-on-exec`(count: Int) throws {
  let (near, far) = try UnixSocket.streamPair()
  let sent = try (0..<count).map { _ in try Files.open("/dev/zero", .reading) }
  #expect(try UnixSocket.send(near, [7, 8].span, passing: sent) == 2)
  var buffer = [UInt8](repeating: 0, count: 8)
  var span = buffer.mutableSpan
  let got = try UnixSocket.receive(far, into: &span, maximumDescriptors: UnixSocket.maximumDescriptors)
  #expect(got.count == 2 && !got.truncated && got.descriptors.count == count)
  for descriptor in got.descriptors {
    #expect(try Files.facts(descriptor).inode == Files.facts("/dev/zero").inode)
    let flags = try Files.readAll("/proc/self/fdinfo/\(descriptor.number)", limit: 4096)
    #expect(String(decoding: flags, as: UTF8.self).contains("flags:\t02"), "O_CLOEXEC is 02000000")
  }
}

@Test func `more descriptors than one message can carry are refused`() throws {
  let (near, _) = try UnixSocket.streamPair()
  let null = try Files.open("/dev/null", .reading)
  let none: [UInt8] = []
  let many = Array(repeating: null, count: UnixSocket.maximumDescriptors + 1)
  #expect(throws: Errno.invalidArgument) { try UnixSocket.send(near, [1].span, passing: many) }
  #expect(throws: Errno.invalidArgument) { try UnixSocket.send(near, none.span, passing: [null]) }
}

@Test(arguments: [0, 1, 2])
func `descriptors beyond the receiver's bound are closed and the message marked`(maximum: Int) throws {
  let (near, far) = try UnixSocket.streamPair()
  do {
    let pipes = try (0..<3).map { _ in try OwnedDescriptor.pipe() }
    #expect(try UnixSocket.send(near, [1].span, passing: pipes.map(\.writing)) == 1)
    var buffer: [UInt8] = [0]
    var span = buffer.mutableSpan
    var got: UnixSocket.Received? = try UnixSocket.receive(far, into: &span, maximumDescriptors: maximum)
    #expect(got?.truncated == true && got?.descriptors.count == maximum)
    got = nil
    let readers = pipes.map(\.reading)
    try checkAllHungUp(readers, keeping: pipes)
  }
}

/// Whether nobody holds the writing ends but `pipes` itself: each is closed here, and then the reader sees the end.
private func checkAllHungUp(
  _ readers: [OwnedDescriptor], keeping pipes: [(reading: OwnedDescriptor, writing: OwnedDescriptor)]
) throws {
  let inode = try pipes.map { try Files.readLink("/proc/self/fd/\($0.writing.number)") }
  var holders: [String: Int] = [:]
  for number in 0..<256 {
    guard let link = try? Files.readLink("/proc/self/fd/\(number)") else { continue }
    holders[link, default: 0] += 1
  }
  #expect(inode.allSatisfy { holders[$0] == 2 }, "only both ends that the test holds itself")
  _ = readers
}

@Test func `message borders are kept on a packet pair, and a cut message is marked`() throws {
  let (near, far) = try UnixSocket.packetPair()
  #expect(try UnixSocket.send(near, [1, 2, 3].span) == 3)
  #expect(try UnixSocket.send(near, [4].span) == 1)
  var buffer = [UInt8](repeating: 0, count: 2)
  var span = buffer.mutableSpan
  #expect(try UnixSocket.receive(far, into: &span).truncated)
  var again = buffer.mutableSpan
  let second = try UnixSocket.receive(far, into: &again)
  #expect(second.count == 1 && !second.truncated)
}

@Test func `a timeout ends a receive`() throws {
  let (near, far) = try UnixSocket.streamPair()
  try UnixSocket.setTimeouts(far, milliseconds: 20)
  var buffer: [UInt8] = [0]
  #expect(throws: Errno.wouldBlock) {
    var span = buffer.mutableSpan
    _ = try UnixSocket.readExactly(far, into: &span)
  }
  withExtendedLifetime(near) {}
}

@Test func `shutting down wakes a thread that waits`() throws {
  let (near, far) = try UnixSocket.streamPair()
  let (reading, writing) = try OwnedDescriptor.pipe()
  try Threads.start {
    var buffer: [UInt8] = [0]
    var span = buffer.mutableSpan
    let outcome = try? UnixSocket.readExactly(far, into: &span)
    try? Files.writeAll(writing, [outcome == .ended(after: 0) ? 1 : 0].span)
  }
  UnixSocket.shutDown(far)
  #expect(try receive(reading, atLeast: 1) == [1])
  withExtendedLifetime(near) {}
}

@Test func `polling tells who has bytes, who is gone and when the time is over`() throws {
  let (near, far) = try UnixSocket.streamPair()
  let (reading, writing) = try OwnedDescriptor.pipe()
  let before = Clock.boottime
  #expect(try Poll.wait([PollEntry(far), PollEntry(reading)], timeoutMilliseconds: 30).allSatisfy { $0.events == [] })
  #expect(Clock.boottime - before >= 30_000_000)
  try Files.writeAll(writing, [1].span)
  let some = try Poll.wait([PollEntry(far), PollEntry(reading)], timeoutMilliseconds: nil)
  #expect(!some[0].isReadable && some[1].isReadable && !some[1].isGone)
  UnixSocket.shutDown(near)
  #expect(try Poll.wait([PollEntry(far)], timeoutMilliseconds: 1000)[0].isGone)
  #expect(try Poll.wait([PollEntry(far, [])], timeoutMilliseconds: -5)[0].isGone)
}
