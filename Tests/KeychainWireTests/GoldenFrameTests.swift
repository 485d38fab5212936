import Foundation
import KeychainModel
import SecretMemory
import Testing

@testable import KeychainWire

/// Pins the bytes of docs/formats/protocol.md: a change here is a new version of the protocol.
@Suite struct GoldenFrameTests {
  func encoded(_ message: Message) throws -> [UInt8] {
    var encoder = MessageEncoder()
    try encoder.encode(message)
    return encoder.bytes
  }

  @Test func `a find request has these bytes`() throws {
    let query = ItemQuery(
      itemClass: .genericPassword, attributes: ItemAttributes([.service: .text("s"), .account: .text("a")]))
    let body = MessageBody.request(.find(FindRequest(query: query, returns: .data)), RequestOptions())
    let header: [UInt8] = [
      0x4C, 0x4B, 0x45, 0x59, 1, 0, 3, 0, 4, 3, 2, 1, 29, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ]
    let options: [UInt8] = [0, 0, 0, 0, 0, 0, 0]
    let attributes: [UInt8] = [2, 8, 1, 1, 0, 0x61, 9, 1, 1, 0, 0x73]
    let request: [UInt8] = [2, 1, 0] + attributes + [0, 1, 0, 0, 0, 1, 0]
    #expect(try encoded(Message(requestID: 0x0102_0304, body: body)) == header + [0] + options + request)
  }

  @Test func `a found value has these bytes`() throws {
    let item = FoundItem(
      identifier: ItemIdentifier(high: 0x0001_0203_0405_0607, low: 0x0809_0A0B_0C0D_0E0F), itemClass: .genericPassword,
      attributes: nil, accessControl: try AccessControl(accessibility: .whenUnlocked, flags: .userPresence), value: 0)
    let body = MessageBody.reply(.found(FindReply(items: [item], hidden: 0, next: 7)))
    let lengths: [UInt8] = [1, 1, 0, 0, 0]
    let control: [UInt8] = [1, 1, 0, 0, 0, 0, 0, 0, 0, 0]
    let found: [UInt8] = Array(0...15) + [1, 0] + control + [1, 0, 0, 0]
    let page: [UInt8] = [3, 1, 0] + found + [0, 0, 0, 0, 1, 7, 0, 0, 0, 0, 0, 0, 0]
    let message = Message(requestID: 1, body: body, secrets: [try SecretBytes(count: 1)])
    #expect(try Array(encoded(message).dropFirst(24)) == lengths + page)
    #expect(try Array(encoded(message)[12..<20]) == [UInt8(lengths.count + page.count), 0, 0, 0, 1, 0, 0, 0])
  }

  @Test func `the specification names the attributes in the order of their numbers`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appendingPathComponent("docs/formats/protocol.md"), encoding: .utf8)
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains(AttributeKey.allCases.map(\.rawValue).joined(separator: ", ") + "."))
  }
}
