import KeychainModel
import SecretMemory
import Testing

@testable import KeychainWire

/// Encodes a message and splits header and public part.
func split(_ message: Message) throws -> (header: FrameHeader, publicPart: [UInt8]) {
  var encoder = MessageEncoder()
  try encoder.encode(message)
  let header = try FrameHeader(parsing: encoder.bytes.span)
  return (header, Array(encoder.bytes.dropFirst(FrameHeader.byteCount)))
}

@Suite struct CodecTests {
  @Test(arguments: UInt64(1)...8) func `whatever is encoded is decoded to the same`(seed: UInt64) throws {
    var messages = RandomMessages(seed: seed)
    for _ in 0..<500 {
      let message = try messages.next()
      let (header, bytes) = try split(message)
      let decoded = try DecodedPublicPart(header: header, bytes: bytes)
      #expect(decoded.body == message.body)
      #expect(decoded.secretLengths == message.secrets.map(\.count))
      #expect(header.requestID == message.requestID)
    }
  }

  @Test(arguments: UInt64(11)...14) func `every truncation is refused`(seed: UInt64) throws {
    var messages = RandomMessages(seed: seed)
    for _ in 0..<40 {
      let (header, bytes) = try split(try messages.next())
      for length in 0..<bytes.count {
        var shorter = header
        shorter.publicLength = length
        #expect(throws: WireError.self) { try DecodedPublicPart(header: shorter, bytes: Array(bytes.prefix(length))) }
      }
      #expect(throws: WireError.truncated) {
        try DecodedPublicPart(header: header, bytes: Array(bytes.dropLast()))
      }
    }
  }

  @Test func `a byte too many is refused`() throws {
    var messages = RandomMessages(seed: 21)
    for _ in 0..<200 {
      let (header, bytes) = try split(try messages.next())
      #expect(throws: WireError.trailingBytes) { try DecodedPublicPart(header: header, bytes: bytes + [0]) }
      var longer = header
      longer.publicLength += 1
      #expect(throws: WireError.self) { try DecodedPublicPart(header: longer, bytes: bytes + [0]) }
    }
  }

  @Test(arguments: UInt64(31)...36)
  func `what a flipped bit leaves readable encodes to the very same bytes`(seed: UInt64) throws {
    var messages = RandomMessages(seed: seed)
    var readable = 0
    for _ in 0..<400 {
      let message = try messages.next()
      var (header, bytes) = try split(message)
      bytes[Int.random(in: bytes.indices, using: &messages.generator)] ^=
        1 << UInt8.random(in: 0...7, using: &messages.generator)
      guard let decoded = try? DecodedPublicPart(header: header, bytes: bytes) else { continue }
      readable += 1
      let secrets = try decoded.secretLengths.map { try SecretBytes(count: $0) }
      let again = Message(requestID: header.requestID, body: decoded.body, secrets: secrets)
      guard decoded.body != .presentation(.terminal) else { continue }
      #expect(try split(again).publicPart == bytes)
    }
    #expect(readable > 20)
  }

  @Test(arguments: UInt64(41)...44) func `random bytes end in an error or in a message, never in a trap`(seed: UInt64) {
    var messages = RandomMessages(seed: seed)
    for _ in 0..<3000 {
      let kind = messages.pick(FrameKind.self)
      let bytes = [0] + messages.bytes(0...60)
      let header = FrameHeader(kind: kind, requestID: 0, publicLength: bytes.count, secretLength: 0)
      _ = try? DecodedPublicPart(header: header, bytes: bytes)
    }
  }

  @Test func `attributes out of order or twice the same are refused`() throws {
    let attributes = ItemAttributes([.account: .text("a"), .service: .text("b")])
    let query = ItemQuery(itemClass: .genericPassword, attributes: attributes)
    let body = MessageBody.request(.find(FindRequest(query: query, returns: .data)), RequestOptions())
    let (header, bytes) = try split(Message(requestID: 1, body: body))
    let first = try #require(bytes.firstIndex(of: AttributeKey.account.number))
    #expect(bytes[first + 5] == AttributeKey.service.number)
    for (place, key) in [(first, AttributeKey.service), (first + 5, .account), (first, .path)] {
      var changed = bytes
      changed[place] = key.number
      #expect(throws: WireError.notRising) { try DecodedPublicPart(header: header, bytes: changed) }
    }
    var unknown = bytes
    unknown[first + 5] = 200
    #expect(throws: WireError.unknownValue) { try DecodedPublicPart(header: header, bytes: unknown) }
  }

  @Test func `an unknown reason is refused`() throws {
    let (header, bytes) = try split(Message(requestID: 1, body: .reply(.refused(Refusal(.itemNotFound)))))
    var changed = bytes
    changed[4] = UInt8(ascii: "I")
    #expect(String(decoding: bytes[4..<16], as: UTF8.self) == "itemNotFound")
    #expect(throws: WireError.unknownValue) { try DecodedPublicPart(header: header, bytes: changed) }
  }

  @Test func `a secret that is missing, named twice or not named is refused by both sides`() throws {
    let secret = try SecretBytes(count: 3)
    let body = MessageBody.request(
      .delete(DeleteRequest(query: ItemQuery(itemClass: .key), onlyIfValue: 0)),
      RequestOptions(applicationPassword: 1))
    let good = Message(requestID: 1, body: body, secrets: [secret, secret])
    let (header, bytes) = try split(good)
    #expect(throws: WireError.secretMismatch) { try split(Message(requestID: 1, body: body, secrets: [secret])) }
    #expect(throws: WireError.secretMismatch) {
      try split(Message(requestID: 1, body: .cancel, secrets: [secret]))
    }
    var twice = bytes
    twice[bytes.count - 2] = 1
    #expect(throws: WireError.secretMismatch) { try DecodedPublicPart(header: header, bytes: twice) }
    var shorter = header
    shorter.secretLength = 5
    #expect(throws: WireError.secretMismatch) { try DecodedPublicPart(header: shorter, bytes: bytes) }
  }

  @Test func `dates that are not finite and limits below two are refused by both sides`() throws {
    for seconds in [Double.nan, .infinity, -.infinity] {
      let query = ItemQuery(itemClass: .key, attributes: ItemAttributes([.startDate: .date(seconds)]))
      let body = MessageBody.request(.find(FindRequest(query: query, returns: [])), RequestOptions())
      #expect(throws: WireError.invalidValue) { try split(Message(requestID: 1, body: body)) }
    }
    for count in [UInt32(0), 1] {
      let query = ItemQuery(itemClass: .key, limit: .count(count))
      let body = MessageBody.request(.find(FindRequest(query: query, returns: [])), RequestOptions())
      #expect(throws: WireError.invalidValue) { try split(Message(requestID: 1, body: body)) }
    }
  }
}
