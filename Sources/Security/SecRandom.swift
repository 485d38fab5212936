internal import SecretMemory

/// A generator of random numbers; there is only ``kSecRandomDefault``.
public typealias SecRandomRef = OpaquePointer

/// The default generator, which is the kernel's.
public var kSecRandomDefault: SecRandomRef? { nil }

/// Fills memory with random bytes from the kernel's generator.
///
/// - Parameters:
///   - generator: ``kSecRandomDefault``.
///   - count: How many bytes; 0 writes nothing.
///   - bytes: Where they go; at least `count` bytes.
/// - Returns: `errSecSuccess`; `errSecParam` for another generator or a negative count, and then nothing is written.
@discardableResult
public func SecRandomCopyBytes(_ generator: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer) -> Int32 {
  guard generator == kSecRandomDefault, count >= 0 else { return errSecParam }
  let target = UnsafeMutableBufferPointer(start: bytes.assumingMemoryBound(to: UInt8.self), count: count)
  var span = target.mutableSpan
  RandomBytes.fill(&span)
  return errSecSuccess
}
