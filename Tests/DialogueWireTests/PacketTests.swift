import PAMModel
import SecretMemory
import TestSupport
import Testing

@testable import DialogueWire

/// The codec as such: what is written is read back, and nothing else is.
struct PacketTests {
  @Test(arguments: allSamples)
  func `a message is read back as it was written`(sample: Sample) throws {
    #expect(try sample.reencode(sample.bytes) == sample.bytes)
  }

  @Test(arguments: allSamples)
  func `every truncation is refused`(sample: Sample) {
    for count in 0..<sample.bytes.count {
      #expect(throws: DialogueError.self, "cut after \(count)") {
        try sample.reencode(Array(sample.bytes.prefix(count)))
      }
    }
  }

  @Test(arguments: allSamples)
  func `a trailing byte is refused`(sample: Sample) {
    for extra: UInt8 in [0, 1, 255] {
      #expect(throws: DialogueError.trailingBytes) { try sample.reencode(sample.bytes + [extra]) }
    }
  }

  @Test(arguments: allSamples)
  func `every flipped bit is refused or is another message in its one spelling`(sample: Sample) {
    for bit in 0..<(sample.bytes.count * 8) {
      var flipped = sample.bytes
      flipped[bit / 8] ^= 1 << (bit % 8)
      if let again = try? sample.reencode(flipped) { #expect(again == flipped, "bit \(bit)") }
    }
  }

  @Test(arguments: allSamples)
  func `another version or another direction is refused`(sample: Sample) {
    for place in 0...1 {
      for value in UInt8.min...UInt8.max where value != sample.bytes[place] {
        var foreign = sample.bytes
        foreign[place] = value
        #expect(throws: DialogueError.foreignPacket) { try sample.reencode(foreign) }
      }
    }
  }

  @Test(arguments: allSamples)
  func `an unknown kind is refused`(sample: Sample) {
    var unknown = sample.bytes
    unknown[2] = 200
    #expect(throws: DialogueError.unknownKind(200)) { try sample.reencode(unknown) }
  }

  @Test func `random packets never crash the reader`() {
    var generator = SeededGenerator(seed: 20_240_601)
    for _ in 0..<4000 {
      let sample = allSamples.randomElement(using: &generator)!
      let count = Int.random(in: 0...300, using: &generator)
      let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let bytes = Array(sample.bytes.prefix(3)) + noise
      if let again = try? sample.reencode(bytes) { #expect(again == bytes) }
    }
  }

  @Test(arguments: [(8191, true), (8192, true), (8193, false)])
  func `a packet holds 8192 bytes and no more`(count: Int, fits: Bool) throws {
    let buffer = try SecretBytes(count: count)
    #expect(((try? Packet(buffer: buffer, count: count)) != nil) == fits)
  }

  @Test func `a count beyond the buffer is refused`() throws {
    let buffer = try SecretBytes(count: 10)
    #expect(throws: DialogueError.tooLarge) { try Packet(buffer: buffer, count: 11) }
    #expect(try Packet(buffer: buffer, count: 10).count == 10)
  }

  @Test func `the writer stops at the packet's end`() throws {
    var writer = try PacketWriter()
    for _ in 0..<Packet.maximumCount { try writer.byte(1) }
    #expect(throws: DialogueError.tooLarge) { try writer.byte(1) }
    #expect(throws: DialogueError.tooLarge) { try writer.text("x", in: 0...1) }
  }

  @Test func `the largest setup fits`() throws {
    let text = ShownText(Array(repeating: 65, count: 512))
    let environment = Dictionary(
      uniqueKeysWithValues: (1...8).map { (String(repeating: "\($0)", count: 64), String(repeating: "v", count: 512)) })
    let plan = PinentryPlan(program: "/" + String(repeating: "p", count: 255), environment: environment)
    let largest = setup(.pinentry(plan)) {
      ($0.program, $0.user, $0.service, $0.label, $0.reason) = (text, text, text, text, text)
      $0.language = String(repeating: "l", count: 64)
    }
    #expect(try encoded(largest).count < Packet.maximumCount)
  }
}
