internal import LinuxSystem

/// Tells whoever started the daemon that it serves, or why it does not; once, and closes the descriptor.
final class ReadyWord {
  private var descriptor: OwnedDescriptor?

  /// Most bytes of the line, its end included.
  static let lineBytes = 1024

  /// Takes over a descriptor this program was started with.
  ///
  /// - Throws: ``UsageFault`` where it is not open.
  init(_ number: Int32?) throws(UsageFault) {
    guard let number else { return }
    do throws(Errno) { descriptor = try OwnedDescriptor.inherited(number) } catch {
      throw UsageFault("descriptor \(number) of --ready-fd is not open")
    }
  }

  /// It serves: one byte.
  func serves() { write([0x0A]) }

  /// It does not: one line.
  func refuses(_ failure: StartFailure) {
    write(Array(failure.word.utf8.map { $0 == 0x0A ? 0x20 : $0 }.prefix(Self.lineBytes - 1)) + [0x0A])
  }

  /// Whoever waits may have left; that changes nothing here. The reader waits for the end, so nothing is kept open.
  private func write(_ bytes: [UInt8]) {
    if let descriptor { try? Files.writeAll(descriptor, bytes.span) }
    descriptor = nil
  }
}
