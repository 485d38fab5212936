internal import AccessPolicy
internal import KeychainModel
internal import KeychainService

/// One decision as one line of JSON. docs/formats/log.md describes it.
///
/// The last byte of a whole line is a brace, and no text in it holds a quote or a closing brace as such: so a line that was
/// cut off in the middle is told from a whole one by its last two bytes.
enum DecisionLine {
  /// Most bytes of the program's path, of the service, and of the detail, each escaped.
  static let textBytes = 1000
  /// Most bytes of a word: action, method.
  static let wordBytes = 64
  /// Most bytes of a line.
  static let mostBytes = 4096

  /// The line of a record, with its final line feed.
  static func bytes(of record: DecisionRecord, number: UInt64) -> [UInt8] {
    bytes(number: number, then: rest(of: record))
  }

  /// A line by its number and what stands behind it, so that only the number is written while other threads wait.
  static func bytes(number: UInt64, then rest: [UInt8]) -> [UInt8] {
    var line = LineWriter()
    line.put("{\"n\":", number)
    line.put(rest)
    return line.bytes
  }

  /// What stands behind the number.
  static func rest(of record: DecisionRecord) -> [UInt8] {
    var line = LineWriter()
    line.put(",\"time\":", milliseconds: record.time)
    line.put(",\"pid\":", record.peer.process.pid)
    line.put(",\"uid\":", record.peer.uid)
    line.put("program", record.peer.executable?.displayPath ?? "", atMost: textBytes)
    line.put("service", record.service.string, atMost: textBytes)
    line.put("item", hexadecimal: record.item?.bytes ?? [])
    line.put("action", record.action, atMost: wordBytes)
    line.put("method", record.method, atMost: wordBytes)
    line.put("outcome", record.refusal == nil ? "allow" : "refuse", atMost: wordBytes)
    line.put("reason", record.refusal?.reason.rawValue ?? "", atMost: wordBytes)
    line.put("detail", record.refusal?.detail ?? "", atMost: textBytes)
    line.end()
    return line.bytes
  }

  /// The number of a line without its line feed; `nil` where it is not a whole line of this log.
  static func number(of line: ArraySlice<UInt8>) -> UInt64? {
    let head = Array("{\"n\":".utf8)
    guard line.count <= mostBytes, line.starts(with: head), line.suffix(2).elementsEqual("\"}".utf8) else { return nil }
    let digits = line.dropFirst(head.count).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard line.dropFirst(head.count + digits.count).first == UInt8(ascii: ",") else { return nil }
    return UInt64(String(decoding: digits, as: UTF8.self))
  }
}
