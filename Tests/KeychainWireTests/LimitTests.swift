import KeychainModel
import SecretMemory
import Testing

@testable import KeychainWire

@Suite struct LimitTests {
  /// Whether a body survives the way there and back.
  func travels(_ body: MessageBody, secrets: [SecretBytes] = []) -> Bool {
    guard let parts = try? split(Message(requestID: 1, body: body, secrets: secrets)) else { return false }
    return (try? DecodedPublicPart(header: parts.header, bytes: parts.publicPart))?.body == body
  }

  func letters(_ count: Int) -> String { String(repeating: "x", count: count) }

  func findBody(_ attributes: ItemAttributes) -> MessageBody {
    .request(
      .find(FindRequest(query: ItemQuery(itemClass: .key, attributes: attributes), returns: [])), RequestOptions())
  }

  func nested(_ depth: Int) -> Constraint { depth == 1 ? .passcode : .anyOf([nested(depth - 1)]) }

  func controlBody(_ constraint: Constraint) throws -> MessageBody {
    let control = try AccessControl(
      accessibility: .always, overrides: [.decrypt: .constrained(constraint)])
    return .request(.context(.evaluateAccessControl(control, .decrypt)), RequestOptions())
  }

  @Test(arguments: [(-1, true), (0, true), (1, false)])
  func `every text stands at its bound and not above it`(extra: Int, fits: Bool) throws {
    let service = ItemAttributes([.service: .text(ExactText(letters(WireLimits.attributeBytes + extra)))])
    #expect(travels(findBody(service)) == fits)
    let reason = RequestOptions(reason: ExactText(letters(WireLimits.shortTextBytes + extra)))
    #expect(travels(.request(.lock, reason)) == fits)
    let title = ExactText(letters(WireLimits.titleBytes + extra))
    for titles in [PromptTitles(fallback: .named(title)), PromptTitles(cancel: title)] {
      #expect(travels(.request(.lock, RequestOptions(titles: titles))) == fits)
    }
    let detail = Refusal(.ioFailed, detail: letters(WireLimits.shortTextBytes + extra))
    #expect(travels(.reply(.refused(detail))) == fits)
    let policy = ExactText(letters(WireLimits.policyBytes + extra))
    #expect(travels(.request(.policy(.apply(text: policy)), RequestOptions())) == fits)
    let pattern = ExactText(letters(WireLimits.serviceBytes + extra))
    #expect(travels(.request(.policy(.remove(service: pattern)), RequestOptions())) == fits)
    let display = ["DISPLAY": letters(WireLimits.displayValueBytes + extra)]
    #expect(travels(.presentation(.display(display))) == fits)
    #expect(travels(.reply(.log(LogReply(lines: [letters(WireLimits.lineBytes + extra)], next: nil)))) == fits)
    #expect(travels(.helloReply(HelloReply(daemon: letters(WireLimits.wordBytes + extra)))) == fits)
  }

  @Test(arguments: [(-1, true), (0, true), (1, false)])
  func `every count stands at its bound and not above it`(extra: Int, fits: Bool) throws {
    let lines = Array(repeating: "", count: WireLimits.listEntries + extra)
    #expect(travels(.reply(.log(LogReply(lines: lines, next: nil)))) == fits)
    #expect(travels(.request(.log(LogRequest(limit: UInt32(WireLimits.logLines + extra))), RequestOptions())) == fits)
    let members = Array(repeating: Constraint.passcode, count: WireLimits.constraintMembers + extra)
    #expect(travels(try controlBody(.allOf(members))) == fits)
    #expect(travels(try controlBody(nested(WireLimits.constraintDepth + extra))) == fits)
    let alternatives = [UInt8](repeating: 1, count: WireLimits.alternatives + extra)
    #expect(travels(.request(.context(.evaluate(alternatives: alternatives)), RequestOptions())) == fits)
    let enrolment = [UInt8](repeating: 1, count: WireLimits.enrolmentBytes + extra)
    #expect(travels(.reply(.enrolment(enrolment))) == fits)
  }

  @Test func `lengths above a bound are refused before anything is read`() throws {
    var writer = WireWriter()
    writer.put(UInt16(1025))
    var reader = WireReader(writer.bytes)
    #expect(throws: WireError.tooLong(limit: 1024)) { _ = try reader.block(limit: 1024) }
    var list = WireReader(writer.bytes)
    #expect(throws: WireError.tooLong(limit: 1024)) {
      _ = try list.list(limit: 1024) { (reader) throws(WireError) in try reader.uint8() }
    }
    var promised = WireReader([0xFF, 0x03])
    #expect(throws: WireError.truncated) {
      _ = try promised.list(limit: 1024) { (reader) throws(WireError) in try reader.uint8() }
    }
  }

  @Test func `the public part stands at 64 KiB and not above it`() throws {
    // Secret count, tag, count of lines, sixteen full lines with their lengths, one short line, no next.
    let full = Array(repeating: letters(WireLimits.lineBytes), count: 15)
    let rest = WireLimits.publicBytes - (1 + 1 + 2 + 15 * (WireLimits.lineBytes + 2) + 2 + 1)
    for (extra, fits) in [(-1, true), (0, true), (1, false)] {
      let reply = LogReply(lines: full + [letters(rest + extra)], next: nil)
      #expect(travels(.reply(.log(reply))) == fits)
    }
  }

  @Test func `secrets stand at their bounds and not above them`() throws {
    let value = MessageBody.reply(.recoveryKey(0))
    #expect(SecretBytes.maximumCount >= WireLimits.oneSecretBytes)
    for (count, fits) in [(WireLimits.oneSecretBytes - 1, true), (WireLimits.oneSecretBytes, true)] {
      #expect(travels(value, secrets: [try SecretBytes(count: count)]) == fits)
    }
    let control = AccessControl.unconstrained(.always)
    func page(_ count: Int) -> MessageBody {
      .reply(
        .found(
          FindReply(
            items: (0..<count).map {
              FoundItem(
                identifier: ItemIdentifier(high: 0, low: 0), itemClass: .key, attributes: nil, accessControl: control,
                value: SecretIndex($0))
            }, hidden: 0, next: nil)))
    }
    let small = try SecretBytes(count: 1)
    for (count, fits) in [(63, true), (64, true), (65, false)] {
      #expect(travels(page(count), secrets: Array(repeating: small, count: count)) == fits)
    }
    let large = try SecretBytes(count: 1_048_576)
    for (count, fits) in [(65_535, true), (65_536, true), (65_537, false)] {
      #expect(travels(page(2), secrets: [large, try SecretBytes(count: count)]) == fits)
    }
  }

  @Test func `a secret's length above its bound is refused on reading`() {
    let count = UInt32(WireLimits.oneSecretBytes + 1)
    let bytes: [UInt8] = [1] + (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) } + [6, 0, 0]
    let header = FrameHeader(kind: .reply, requestID: 1, publicLength: bytes.count, secretLength: Int(count))
    #expect(throws: WireError.tooLong(limit: WireLimits.oneSecretBytes)) {
      try DecodedPublicPart(header: header, bytes: bytes)
    }
  }

  @Test func `a header's lengths stand at their bounds and not above them`() throws {
    func header(publicLength: Int, secretLength: Int) -> [UInt8] {
      var encoder = MessageEncoder()
      try! encoder.encode(Message(requestID: 7, body: .cancel))
      var bytes = Array(encoder.bytes.prefix(24))
      for place in 0..<4 {
        bytes[12 + place] = UInt8(truncatingIfNeeded: publicLength >> (8 * place))
        bytes[16 + place] = UInt8(truncatingIfNeeded: secretLength >> (8 * place))
      }
      return bytes
    }
    for (extra, fits) in [(-1, true), (0, true), (1, false)] {
      let long = header(publicLength: WireLimits.publicBytes + extra, secretLength: 0)
      #expect(((try? FrameHeader(parsing: long.span)) != nil) == fits)
      let secret = header(publicLength: 0, secretLength: WireLimits.secretBytes + extra)
      #expect(((try? FrameHeader(parsing: secret.span)) != nil) == fits)
    }
  }

  @Test(arguments: [
    (0, UInt8(0), WireError.badMagic), (4, 2, .version(2)), (6, 0, .unknownKind(0)), (6, 9, .unknownKind(9)),
    (7, 1, .reservedSet), (7, 2, .reservedSet), (20, 1, .reservedSet), (23, 1, .reservedSet),
  ])
  func `a header with a wrong byte is refused`(place: Int, byte: UInt8, error: WireError) throws {
    var encoder = MessageEncoder()
    try encoder.encode(Message(requestID: 7, body: .cancel))
    var bytes = Array(encoder.bytes.prefix(24))
    bytes[place] = byte
    #expect(throws: error) { try FrameHeader(parsing: bytes.span) }
    #expect(throws: WireError.truncated) { try FrameHeader(parsing: bytes.span.extracting(0..<23)) }
  }

  @Test func `a long detail is cut at a character's edge`() {
    let detail = letters(1023) + "é"
    let clipped = Refusal(.ioFailed, detail: detail).clipped()
    #expect(clipped.detail == letters(1023))
    #expect(Refusal(.ioFailed, detail: letters(1024)).clipped().detail == letters(1024))
  }
}
