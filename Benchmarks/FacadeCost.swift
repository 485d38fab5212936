import Foundation
import KeychainClient
import KeychainModel
import SecretMemory
import Security

/// What Apple's API costs beside the bare client: the same plain item, read by both in turn in one process.
enum FacadeCost {
  private static let service = "org.example.facade"
  private static let account = "me"

  /// Prints the median nanoseconds of a read by each, from so many reads. Benchmarks/daemon calls it as an account.
  static func run(reads: Int) throws {
    let keychain = Keychain()
    let query = ItemQuery.genericPassword(service: ExactText(service), account: ExactText(account))
    let value = try SecretBytes(copying: Array("thirty-two bytes of a test value".utf8))
    try keychain.set(NewItem(service: ExactText(service), account: ExactText(account), value: value))
    defer { _ = try? keychain.delete(query) }
    var times: (client: [Double], facade: [Double]) = ([], [])
    for _ in 0..<reads {
      times.client.append(try time { guard try keychain.value(query).count == 32 else { throw wrong } })
      times.facade.append(try time { guard try read() == 32 else { throw wrong } })
    }
    try Report.write("client \(Series(times.client).median)\nfacade \(Series(times.facade).median)")
  }

  private static let wrong = BenchFailure("a read answered something else")

  /// A read as programs write it, dictionary and all; answers the value's size.
  private static func read() throws -> Int {
    let query =
      [
        kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account, kSecReturnData: true,
      ] as [CFString: Any]
    var result: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &result)
    guard status == errSecSuccess, let data = result as? Data else { throw BenchFailure("a read was \(status)") }
    return data.count
  }
}
