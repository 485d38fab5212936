public import KeychainModel
public import LinuxSystem
public import SecretMemory

/// A passcode that stands ready on a descriptor (`--passcode-fd`).
public enum PasscodeDescriptor {
  /// Most bytes of a passcode: 511, because PAM's answers end in a NUL.
  public static let passcodeBytes = ItemLimits.passcodeBytes - 1

  /// Reads to the end of the descriptor, straight into locked memory. One newline at the end is taken away, nothing is cut.
  ///
  /// - Throws: `Refusal`: `emptyPasscode`, `answerTooLong` (more than 511 bytes), `outOfMemory`, `invalidParameter` (the
  ///   descriptor cannot be read).
  public static func read(_ descriptor: OwnedDescriptor) throws(Refusal) -> SecretBytes {
    let passcode: SecretBytes
    do throws(SecretFillError<Errno>) {
      // Room for the newline, and for one byte more that tells too much from just enough.
      passcode = try SecretBytes(filling: passcodeBytes + 2) { (buffer) throws(Errno) in
        try fill(&buffer, from: descriptor)
      }
    } catch {
      if case .source = error { throw Refusal(.invalidParameter, detail: "the passcode's descriptor cannot be read") }
      throw Refusal(.outOfMemory)
    }
    guard passcode.count > 0 else { throw Refusal(.emptyPasscode) }
    guard passcode.count <= passcodeBytes else { throw Refusal(.answerTooLong) }
    return passcode
  }

  /// Fills the buffer; how many bytes count, without one newline at the end.
  private static func fill(
    _ buffer: inout MutableSpan<UInt8>, from descriptor: OwnedDescriptor
  ) throws(Errno) -> Int {
    var filled = 0
    while filled < buffer.count {
      let count = try Files.read(descriptor, into: &buffer, at: filled)
      if count == 0 { break }
      filled += count
    }
    if filled > 0, buffer[filled - 1] == UInt8(ascii: "\n") { return filled - 1 }
    return filled
  }
}
