import ItemStore
import KeychainModel
import KeychainWire
import LinuxSystem
import SecretMemory

/// What Benchmarks/daemon needs done in Swift, one word each:
///
///     latchkey-bench frame FILE SERVICE ACCOUNT   the frame of a read of one value
///     latchkey-bench frame FILE                   the frame of a question for the status
///     latchkey-bench fill FOLDER UID NAME FROM TO adds plain items of these numbers, readable while locked, to a store nobody has open
///     latchkey-bench facade READS                 prints the median nanoseconds of a read by the bare client and by Apple's API
///     latchkey-bench derive                       prints the milliseconds of five key derivations of the least strength
enum Provision {
  /// Does it; `false` where the words are not one of these.
  static func run(_ words: [String]) throws -> Bool {
    switch (words.first, words.count) {
    case ("frame", 2): try frame(.status, to: words[1])
    case ("frame", 4): try frame(.find(request(service: words[2], account: words[3])), to: words[1])
    case ("fill", 6):
      try fill(words[1], uid: words[2], name: words[3], numbers: (Int(words[4]) ?? 0)..<(Int(words[5]) ?? 0))
    case ("facade", 2): try FacadeCost.run(reads: Int(words[1]) ?? 0)
    case ("derive", 1): try derive()
    default: return false
    }
    return true
  }

  private static func request(service: String, account: String) -> FindRequest {
    var query = ItemQuery(
      itemClass: .genericPassword,
      attributes: ItemAttributes([.service: .text(ExactText(service)), .account: .text(ExactText(account))]))
    query.limit = .one
    return FindRequest(query: query, returns: [.data, .attributes])
  }

  private static func frame(_ request: KeychainRequest, to file: String) throws {
    var encoder = MessageEncoder()
    try encoder.encode(Message(requestID: 1, body: .request(request, RequestOptions())))
    try Files.writeAtomically(encoder.bytes.span, to: file, mode: 0o644)
  }

  private static func fill(_ folder: String, uid: String, name: String, numbers: Range<Int>) throws {
    guard let uid = UInt32(uid) else { throw BenchFailure("\(uid): no user id") }
    let key = try SecretBytes(copying: Files.readAll(folder + "/device.key", limit: 64))
    let sample = try SampleStore(
      folder, deviceKey: key, owner: StoreOwner(uid: uid, userName: name), accessibility: .alwaysThisDeviceOnly)
    _ = try sample.add(numbers, batch: 10_000)
  }

  private static func derive() throws {
    let passcode = try SecretBytes(copying: Array("a passcode".utf8))
    let parameters = try StretchingParameters(
      salt: StretchingParameters.fresh().salt, operations: StretchingParameters.operationsBounds.lowerBound,
      memoryBytes: StretchingParameters.memoryBounds.lowerBound)
    for _ in 0..<5 {
      let taken = try time { _ = try PasscodeStretching.stretch(passcode, parameters: parameters) }
      try Report.write("\(taken / 1_000_000)")
    }
  }
}
