import TestSupport
import Testing

/// Values come back byte for byte, in both modes, behind a real proof.
@Suite(.serialized, .enabled(if: isRoot, "makes accounts"))
struct ExactBytesTests {
  static let sizes = [0, 1, 511, 512, 513, 4096, 1_048_576]

  static func value(_ count: Int) -> [UInt8] {
    var generator = SeededGenerator(seed: UInt64(count))
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  @Test(arguments: Mode.allCases)
  func `a value of any size and every byte comes back as it was stored`(mode: Mode) throws {
    let house = try Household(mode)
    for size in Self.sizes {
      let added = house.add("size \(size)", Self.value(size))
      #expect(added.status == 0, "\(size): \(added.complaint)")
    }
    house.add("bytes", Array(0...255))
    for size in Self.sizes {
      let read = house.commandLine.run("get", "-s", "size \(size)", "-a", "me", passcode: house.password)
      #expect(read.status == 0, "\(size): \(read.complaint)")
      #expect(read.bytes == Self.value(size), "\(size) bytes")
    }
    #expect(house.commandLine.run("get", "-s", "bytes", "-a", "me", passcode: house.password).bytes == Array(0...255))
  }

  @Test(arguments: Mode.allCases)
  func `one byte too many is refused and nothing is stored`(mode: Mode) throws {
    let house = try Household(mode)
    let refused = house.add("large", Self.value(1_048_577), require: nil)
    #expect(refused.status != 0)
    #expect(refused.complaint.contains("1048576") || refused.complaint.contains("1,048,576"), "\(refused.complaint)")
    #expect(house.commandLine.run("get", "-s", "large", "-a", "me").status == 44)
  }
}
