import Testing

@testable import SecretMemory

private let salt = Array("0123456789abcdef".utf8)
private let mebibyte: UInt64 = 1 << 20

/// From the reference program: `argon2 0123456789abcdef -id -t N -k 65536 -p 1 -r -l 32`.
@Test(arguments: [
  (2, "5e5200462044d270c5ecfb1fb9b9c497bfa48f661c229469141c9d2c3bb10e02"),
  (3, "92599c67f23f1d9dce9b6f0cfb5a9b18ce110336de00799947472465edd9e49a"),
])
func `a passcode stretches to what the reference program gives`(operations: UInt64, key: String) throws {
  let parameters = try StretchingParameters(salt: salt, operations: operations, memoryBytes: 64 * mebibyte)
  let passcode = try SecretBytes(copying: Array("correct horse".utf8))
  #expect(bytes(try PasscodeStretching.stretch(passcode, parameters: parameters)) == hex(key))
}

@Test func `an empty passcode stretches, and another salt gives another key`() throws {
  let empty = try SecretBytes(count: 0)
  let one = try PasscodeStretching.stretch(empty, parameters: .fresh())
  let other = try PasscodeStretching.stretch(empty, parameters: .fresh())
  #expect(one.count == 32 && !one.equals(other))
}

@Test(
  arguments: [
    (15, 2, 64 * mebibyte, StretchingParameterError.saltSize(15)),
    (16, 2, 64 * mebibyte, nil),
    (17, 2, 64 * mebibyte, .saltSize(17)),
    (16, 0, 64 * mebibyte, .operationsBelowFloor(0)),
    (16, 1, 64 * mebibyte, .operationsBelowFloor(1)),
    (16, 3, 64 * mebibyte, nil),
    (16, 4, 64 * mebibyte, .operationsAboveCeiling(4)),
    (16, UInt64.max, 64 * mebibyte, .operationsAboveCeiling(.max)),
    (16, 2, 0, .memoryBelowFloor(0)),
    (16, 2, 64 * mebibyte - 1, .memoryBelowFloor(64 * mebibyte - 1)),
    (16, 2, 64 * mebibyte + 1, nil),
    (16, 2, 256 * mebibyte - 1, nil),
    (16, 2, 256 * mebibyte, nil),
    (16, 2, 256 * mebibyte + 1, .memoryAboveCeiling(256 * mebibyte + 1)),
    (16, 2, UInt64.max, .memoryAboveCeiling(.max)),
  ] as [(Int, UInt64, UInt64, StretchingParameterError?)])
func `stored parameters outside of the bounds are refused by name`(
  salt: Int, operations: UInt64, memory: UInt64, error: StretchingParameterError?
) {
  var thrown: StretchingParameterError?
  do {
    _ = try StretchingParameters(
      salt: [UInt8](repeating: 1, count: salt), operations: operations, memoryBytes: memory)
  } catch {
    thrown = error
  }
  #expect(thrown == error)
}

@Test func `fresh parameters are within the bounds and never twice the same`() throws {
  let made = (0..<100).map { _ in StretchingParameters.fresh() }
  #expect(Set(made.map(\.salt)).count == 100)
  for one in made {
    let parsed = try StretchingParameters(salt: one.salt, operations: one.operations, memoryBytes: one.memoryBytes)
    #expect(parsed == one)
  }
}
