import Testing

@testable import SecretMemory

private func countingKey(_ count: Int) throws -> SecretBytes { try SecretBytes(copying: (0..<count).map { UInt8($0) }) }

/// The first and last of the keyed vectors that BLAKE2's authors publish (key 00 to 3f).
@Test func `keyed BLAKE2b gives the published hashes`() throws {
  let key = try countingKey(64)
  #expect(
    KeyedHash.hash([], key: key, size: 64)
      == hex(
        "10ebb67700b1868efb4417987acf4690ae9d972fb7a590c2f02871799aaa4786b5e996e8f0f4eb981fc214b005f42d2ff4233499391653df7aefcbc13fc51568"
      ))
  #expect(
    KeyedHash.hash([UInt8](0..<255), key: key, size: 64)
      == hex(
        "142709d62e28fcccd0af97fad0f8465b971e82201dc51070faa0372aa43e92484be1c1e73ba10906d5d1853db6a4106e0a7bf9800d373d6dee2d46d62ef2a461"
      ))
}

@Test func `a derived key is what another implementation derives`() throws {
  // Python: hashlib.blake2b(len(label) as 8 bytes + label + context, key=..., digest_size=32, person=b"latchkey.derive1")
  let derived = try KeyedHash.derive(key: countingKey(32), label: "item-key", context: [1, 2, 3])
  #expect(bytes(derived) == hex("84679a9affe8103c25a0b0bc9c47b804ce4efde267d0f0cd19f107ea64d150e0"))
}

@Test func `label and context cannot be traded for each other, nor for a plain hash`() throws {
  let key = try countingKey(32)
  let one = bytes(try KeyedHash.derive(key: key, label: "ab", context: Array("c".utf8)))
  let other = bytes(try KeyedHash.derive(key: key, label: "a", context: Array("bc".utf8)))
  let plain = KeyedHash.hash([2, 0, 0, 0, 0, 0, 0, 0] + Array("abc".utf8), key: key)
  #expect(Set([one, other, plain]).count == 3)
}

@Test(arguments: [0, 1, 127, 128, 129, 255, 256, 257, 1000])
func `a hash fed in pieces is the hash of the whole`(count: Int) throws {
  let key = try SecretBytes.random(count: 32)
  let message = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
  for piece in [1, 7, 128, 1000] {
    var hasher = try KeyedHasher(key: key)
    for start in stride(from: 0, to: count, by: piece) {
      hasher.update(Array(message[start..<min(start + piece, count)]))
    }
    #expect(hasher.finish() == KeyedHash.hash(message, key: key))
  }
}

@Test(arguments: [16, 17, 63, 64])
func `a hash has the size that was asked for`(size: Int) throws {
  #expect(KeyedHash.hash([1], key: try countingKey(16), size: size).count == size)
}

@Test func `a key or hash too short or too long ends the program`() async {
  await #expect(processExitsWith: .failure) { _ = KeyedHash.hash([], key: try SecretBytes(count: 15)) }
  await #expect(processExitsWith: .failure) { _ = KeyedHash.hash([], key: try SecretBytes(count: 65)) }
  await #expect(processExitsWith: .failure) { _ = KeyedHash.hash([], key: try SecretBytes(count: 32), size: 15) }
  await #expect(processExitsWith: .failure) { _ = KeyedHash.hash([], key: try SecretBytes(count: 32), size: 65) }
}

@Test(arguments: [
  ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
  ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
])
func `SHA-256 gives the published digests`(text: String, digest: String) {
  #expect(Digest.sha256(Array(text.utf8)) == hex(digest))
}
