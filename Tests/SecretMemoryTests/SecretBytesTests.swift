import Testing

@testable import SecretMemory

func bytes(_ secret: SecretBytes) -> [UInt8] { secret.unprotectedCopy() }

@Test(arguments: [
  (-1, SecretMemoryError.tooLarge), (0, nil), (1, nil), (4095, nil), (4096, nil), (4097, nil),
  (SecretBytes.maximumCount - 1, nil), (SecretBytes.maximumCount, nil), (SecretBytes.maximumCount + 1, .tooLarge),
])
func `a value holds up to its maximum`(count: Int, error: SecretMemoryError?) throws {
  if let error {
    #expect(throws: error) { try SecretBytes(count: count) }
  } else {
    let secret = try SecretBytes(count: count)
    #expect(secret.count == count)
    #expect(secret.withSpan { $0.count } == count)
    #expect(bytes(secret) == [UInt8](repeating: 0, count: count))
  }
}

@Test func `random values differ`() throws {
  let values = try (0..<100).map { _ in bytes(try SecretBytes.random(count: 16)) }
  #expect(Set(values).count == 100)
}

@Test func `a copy holds the bytes it was made from`() throws {
  let all = [UInt8](0...255)
  #expect(bytes(try SecretBytes(copying: all)) == all)
  #expect(bytes(try SecretBytes(copying: all.span)) == all)
  #expect(bytes(try SecretBytes(copying: [])) == [])
}

@Test(arguments: [(0..<0, true), (0..<256, true), (255..<256, true), (256..<256, true), (10..<20, true)])
func `a slice is a copy of its range`(range: Range<Int>, inside: Bool) throws {
  let all = [UInt8](0...255)
  #expect(bytes(try SecretBytes(copying: all).slice(range)) == Array(all[range]))
}

@Test(arguments: [0..<257, -1..<3, 256..<257, 300..<400])
func `a slice outside is refused`(range: Range<Int>) throws {
  let secret = try SecretBytes(copying: [UInt8](0...255))
  #expect(throws: SecretMemoryError.outOfRange) { try secret.slice(range) }
}

@Test func `joined values stand one after the other`() throws {
  let parts: [[UInt8]] = [[1, 2], [], [3], [4, 5, 6]]
  let secrets = try parts.map { try SecretBytes(copying: $0) }
  #expect(bytes(try SecretBytes.joined(secrets)) == [1, 2, 3, 4, 5, 6])
  #expect(try SecretBytes.joined([]).count == 0)
  let half = try SecretBytes(count: SecretBytes.maximumCount / 2)
  let more = try SecretBytes(count: SecretBytes.maximumCount / 2 + 1)
  #expect(try SecretBytes.joined([half, half]).count == SecretBytes.maximumCount)
  #expect(throws: SecretMemoryError.tooLarge) { try SecretBytes.joined([half, more]) }
}

@Test(arguments: [(0, nil), (1, nil), (2, SecretMemoryError.outOfRange), (-1, .outOfRange), (Int.max, .outOfRange)])
func `a copy out fits or writes nothing`(offset: Int, error: SecretMemoryError?) throws {
  let secret = try SecretBytes(copying: [7, 8, 9])
  var target = [UInt8](repeating: 1, count: 4)
  var span = target.mutableSpan
  var thrown: SecretMemoryError?
  do { try secret.copy(to: &span, at: offset) } catch { thrown = error }
  #expect(thrown == error)
  #expect(target == (offset == 0 ? [7, 8, 9, 1] : offset == 1 ? [1, 7, 8, 9] : [1, 1, 1, 1]))
}

private struct SourceFailed: Error, Equatable {}

@Test(arguments: [0, 1, 9, 10])
func `a filled value keeps what was written`(written: Int) throws {
  let secret = try SecretBytes(filling: 10) { span in
    for index in 0..<written { span[index] = UInt8(index + 1) }
    return written
  }
  #expect(bytes(secret) == (0..<written).map { UInt8($0 + 1) })
}

@Test(arguments: [-1, 11])
func `a fill that claims more than it was lent is refused`(written: Int) throws {
  #expect(throws: SecretFillError<Never>.memory(.outOfRange)) { try SecretBytes(filling: 10) { _ in written } }
}

@Test func `a fill says whether memory or source failed`() throws {
  #expect(throws: SecretFillError<SourceFailed>.source(SourceFailed())) {
    try SecretBytes(filling: 10) { _ throws(SourceFailed) in throw SourceFailed() }
  }
  #expect(throws: SecretFillError<Never>.memory(.tooLarge)) {
    try SecretBytes(filling: SecretBytes.maximumCount + 1) { _ in 0 }
  }
}

@Test func `values are equal by their bytes alone`() throws {
  let one = try SecretBytes(copying: [1, 2, 3])
  #expect(one.equals(try SecretBytes(copying: [1, 2, 3])))
  for other in [[1, 2, 4], [0, 2, 3], [1, 2], [1, 2, 3, 0], []] as [[UInt8]] {
    #expect(!one.equals(try SecretBytes(copying: other)))
  }
}

@Test func `no way of printing shows a byte or the length`() throws {
  let short = try SecretBytes(copying: Array("canary".utf8))
  let long = try SecretBytes(copying: Array("another canary".utf8))
  for secret in [short, long] {
    var dumped = ""
    dump(secret, to: &dumped)
    for text in ["\(secret)", String(reflecting: secret), String(describing: [secret]), dumped] {
      #expect(text.contains("<secret>"))
      #expect(!text.contains("canary") && !text.contains("99"))
    }
  }
  #expect("\(short)" == "\(long)")
}

@Test func `a wiped array is zero and empty`() {
  var array: [UInt8] = [1, 2, 3]
  let start = array.withUnsafeBufferPointer { $0.baseAddress! }
  array.wipe()
  #expect(array.isEmpty)
  #expect(Array(UnsafeBufferPointer(start: start, count: 3)) == [0, 0, 0], "the storage is still the array's")
  array.append(1)
}
