internal import KeychainModel
internal import LinuxSystem
internal import SecretMemory

/// Reads secrets from a file, a pipe or a terminal to its end, straight into locked memory.
enum SecretStream {
  /// How much is read before memory for the longest is taken.
  private static let first = 4096

  /// All bytes of a stream, exactly.
  ///
  /// - Parameters:
  ///   - limit: the most bytes there may be.
  ///   - tooLong: what to throw above it.
  static func read(
    _ stream: OwnedDescriptor, named name: String, limit: Int, tooLong: Failure
  ) throws(Failure) -> SecretBytes {
    let start = try fill(min(first, limit + 1), from: stream, named: name, after: nil)
    if start.count < min(first, limit + 1) { return start }
    let whole = try fill(limit + 1, from: stream, named: name, after: start)
    guard whole.count <= limit else { throw tooLong }
    return whole
  }

  private static func fill(
    _ capacity: Int, from stream: OwnedDescriptor, named name: String, after start: SecretBytes?
  ) throws(Failure) -> SecretBytes {
    do throws(SecretFillError<Errno>) {
      return try SecretBytes(filling: capacity) { (buffer) throws(Errno) in
        var count = 0
        if let start {
          guard (try? start.copy(to: &buffer)) != nil else { throw .invalidArgument }
          count = start.count
        }
        while count < buffer.count {
          let more = try Files.read(stream, into: &buffer, at: count)
          if more == 0 { break }
          count += more
        }
        return count
      }
    } catch .source(let errno) { throw Failure(name, .read, errno) } catch {
      throw Failure(Refusal(.outOfMemory))
    }
  }
}
