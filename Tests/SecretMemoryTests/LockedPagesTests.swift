import Glibc
import Testing

@testable import SecretMemory

/// One mapping of /proc/self/smaps.
private struct Mapping {
  var range: Range<UInt>
  var permissions: Substring
  var flags: Set<Substring> = []

  private static func text() throws -> String {
    let file = try #require(fopen("/proc/self/smaps", "r"))
    defer { fclose(file) }
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { all += chunk.prefix(count) }
    return String(decoding: all, as: UTF8.self)
  }

  static func all() throws -> [Mapping] {
    var mappings: [Mapping] = []
    for line in try text().split(separator: "\n") {
      let words = line.split(separator: " ")
      let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      if ends.count == 2 {
        mappings.append(Mapping(range: ends[0]..<ends[1], permissions: words[1]))
      } else if words[0] == "VmFlags:" {
        mappings[mappings.count - 1].flags = Set(words.dropFirst())
      }
    }
    return mappings
  }
}

@Test(arguments: [1, 32, 4096, 4097, SecretBytes.maximumCount])
func `the kernel keeps secrets locked, out of core dumps and of children, between pages nobody can touch`(count: Int)
  throws
{
  let secret = try SecretBytes.random(count: count)
  let address = UInt(bitPattern: secret.address)
  let mappings = try Mapping.all()
  let index = try #require(mappings.firstIndex { $0.range.contains(address) })
  let own = mappings[index]
  #expect(own.range.contains(address + UInt(count) - 1))
  // lo: locked, dd: not dumped, wf: zero in a child (proc(5)).
  #expect(own.flags.isSuperset(of: ["lo", "dd", "wf"]), "\(own.flags)")
  #expect(own.permissions == "rw-p")
  for neighbour in [mappings[index - 1], mappings[index + 1]] {
    #expect(neighbour.permissions == "---p")
    #expect(neighbour.range.upperBound == own.range.lowerBound || neighbour.range.lowerBound == own.range.upperBound)
  }
  #expect(SecretMemory.lockedBytes >= count && SecretMemory.lockedBytes <= SecretMemory.limit)
  withExtendedLifetime(secret) {}
}

@Test func `reading past a large value ends the program`() async {
  await #expect(processExitsWith: .signal(SIGSEGV)) {
    let secret = try SecretBytes(count: 8192)
    let beyond = secret.address.load(fromByteOffset: 8192, as: UInt8.self)
    print(beyond)
  }
}

@Test func `reading before a large value ends the program`() async {
  await #expect(processExitsWith: .signal(SIGSEGV)) {
    let secret = try SecretBytes(count: 8192)
    let before = secret.address.load(fromByteOffset: -1, as: UInt8.self)
    print(before)
  }
}
