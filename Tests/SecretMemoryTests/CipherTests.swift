import Testing

@testable import SecretMemory

func hex(_ text: String) -> [UInt8] {
  let digits = text.filter { !$0.isWhitespace }.map { UInt8($0.hexDigitValue!) }
  return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

/// draft-irtf-cfrg-xchacha-03, A.3.1.
private let draftKey = [UInt8](0x80...0x9f)
private let draftNonce = [UInt8](0x40...0x57)
private let draftData = hex("50515253c0c1c2c3c4c5c6c7")
private let draftText =
  "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
private let draftSealed = hex(
  """
  bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39
  ae64c6708c54c216cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9
  21f9664c97637da9768812f615c68b13b52e c0875924c1c7987947deafd8780acf49
  """)

private func key() throws -> SecretBytes { try SecretBytes.random(count: 32) }

@Test func `the published vector opens`() throws {
  let opened = try AuthenticatedCipher.open(
    draftNonce + draftSealed, key: SecretBytes(copying: draftKey), associatedData: draftData)
  #expect(bytes(opened) == Array(draftText.utf8))
}

@Test func `the published vector seals to the same bytes`() throws {
  let made = [UInt8](writing: draftSealed.count) { target in
    let secret = try! SecretBytes(copying: draftKey)
    AuthenticatedCipher.encrypt(
      Array(draftText.utf8).span, key: secret, nonce: draftNonce, associatedData: draftData.span, to: target)
  }
  #expect(made == draftSealed)
}

@Test(arguments: [0, 1, 15, 16, 17, 63, 64, 65, 4095, 4096, 4097, 1_048_576, SecretBytes.maximumCount])
func `what was sealed opens, under the same data only`(count: Int) throws {
  let key = try key()
  let plaintext = try SecretBytes.random(count: count)
  let sealed = try AuthenticatedCipher.seal(plaintext, key: key, associatedData: [1, 2])
  #expect(sealed.count == count + AuthenticatedCipher.overhead)
  #expect(try AuthenticatedCipher.open(sealed, key: key, associatedData: [1, 2]).equals(plaintext))
  for data in [[], [1], [1, 3], [1, 2, 0]] as [[UInt8]] {
    #expect(throws: CipherError.notAuthentic) { try AuthenticatedCipher.open(sealed, key: key, associatedData: data) }
  }
  #expect(throws: CipherError.notAuthentic) {
    try AuthenticatedCipher.open(sealed, key: SecretBytes.random(count: 32), associatedData: [1, 2])
  }
}

@Test func `a flipped bit anywhere is noticed`() throws {
  let key = try key()
  let sealed = try AuthenticatedCipher.seal(SecretBytes.random(count: 70), key: key, associatedData: [9])
  for index in sealed.indices {
    for bit in 0..<8 {
      var changed = sealed
      changed[index] ^= 1 << bit
      #expect(throws: CipherError.notAuthentic) { try AuthenticatedCipher.open(changed, key: key, associatedData: [9]) }
    }
  }
  #expect(throws: CipherError.notAuthentic) {
    try AuthenticatedCipher.open(sealed + [0], key: key, associatedData: [9])
  }
}

@Test func `a value cut anywhere is refused`() throws {
  let key = try key()
  let sealed = try AuthenticatedCipher.seal(SecretBytes.random(count: 5), key: key, associatedData: [])
  for count in 0..<sealed.count {
    let error: CipherError = count < AuthenticatedCipher.overhead ? .truncated : .notAuthentic
    #expect(throws: error) { try AuthenticatedCipher.open(Array(sealed.prefix(count)), key: key, associatedData: []) }
  }
}

@Test func `a failed open changes neither the sealed value nor later opens`() throws {
  let key = try key()
  let plaintext = try SecretBytes.random(count: 100)
  let sealed = try AuthenticatedCipher.seal(plaintext, key: key, associatedData: [])
  var damaged = sealed
  damaged[50] ^= 1
  let before = damaged
  #expect(throws: CipherError.notAuthentic) { try AuthenticatedCipher.open(damaged, key: key, associatedData: []) }
  #expect(damaged == before)
  #expect(try AuthenticatedCipher.open(sealed, key: key, associatedData: []).equals(plaintext))
}

@Test(arguments: [0, 31, 33, 64])
func `a key of another size is refused`(count: Int) throws {
  let key = try SecretBytes(count: count)
  let text = try SecretBytes(count: 1)
  #expect(throws: CipherError.wrongKeySize) { try AuthenticatedCipher.seal(text, key: key, associatedData: []) }
  #expect(throws: CipherError.wrongKeySize) {
    try AuthenticatedCipher.open([UInt8](repeating: 0, count: 60), key: key, associatedData: [])
  }
}

@Test func `an opening longer than a secret may be is refused`() throws {
  let sealed = [UInt8](repeating: 0, count: SecretBytes.maximumCount + 1 + AuthenticatedCipher.overhead)
  #expect(throws: CipherError.memory(.tooLarge)) {
    try AuthenticatedCipher.open(sealed, key: key(), associatedData: [])
  }
}

@Test func `no two seals of one value are alike`() throws {
  let key = try key()
  let text = try SecretBytes(count: 1)
  let sealed = try (0..<1000).map { _ in try AuthenticatedCipher.seal(text, key: key, associatedData: []) }
  #expect(Set(sealed.map { $0.prefix(24) }).count == 1000)
}
