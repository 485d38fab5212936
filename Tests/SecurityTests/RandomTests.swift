import Security
import Testing

@Suite struct RandomTests {
  @Test(arguments: [0, 1, 31, 32, 33, 4096, 1 << 20])
  func `exactly the bytes asked for are written`(count: Int) {
    var bytes = [UInt8](repeating: 0xA5, count: count + 32)
    #expect(SecRandomCopyBytes(kSecRandomDefault, count, &bytes) == errSecSuccess)
    #expect(bytes[count...].allSatisfy { $0 == 0xA5 })
    if count >= 31 { #expect(bytes[..<count].contains { $0 != 0xA5 }) }
  }

  @Test func `two draws differ and no byte value is missing from a long one`() {
    var first = [UInt8](repeating: 0, count: 1 << 16)
    var second = first
    #expect(SecRandomCopyBytes(nil, first.count, &first) == errSecSuccess)
    #expect(SecRandomCopyBytes(nil, second.count, &second) == errSecSuccess)
    #expect(first != second)
    #expect(Set(first).count == 256)
  }

  @Test func `a negative count or another generator is a wrong argument and writes nothing`() {
    var bytes = [UInt8](repeating: 0xA5, count: 8)
    #expect(SecRandomCopyBytes(kSecRandomDefault, -1, &bytes) == errSecParam)
    #expect(SecRandomCopyBytes(kSecRandomDefault, .min, &bytes) == errSecParam)
    #expect(SecRandomCopyBytes(OpaquePointer(bitPattern: 8), 8, &bytes) == errSecParam)
    #expect(bytes.allSatisfy { $0 == 0xA5 })
  }

  @Test func `the idiom of client code fills a Data`() {
    var data = Data(count: 32)
    let status = data.withUnsafeMutableBytes { SecRandomCopyBytes(kSecRandomDefault, 32, $0.baseAddress!) }
    #expect(status == errSecSuccess)
    #expect(data.contains { $0 != 0 })
  }
}
