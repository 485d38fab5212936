internal import LinuxSystem

/// An archive that has a name before it is whole, on a file system without nameless files (vfat, NFS): a signal that ends the
/// program removes it.
enum UnfinishedArchive {
  private static let endings = [Signals.interrupt, Signals.terminate, Signals.hangUp, Signals.quit]

  /// Waits for a signal on a thread of its own until the program ends; to be called before any other thread starts. What a
  /// kill leaves behind the next export to that place removes.
  static func removeOnSignal(_ file: NewFile) {
    guard let name = file.temporaryName, let signals = try? Signals(collecting: endings) else { return }
    try? Threads.start {
      while true {
        let ready = try? Poll.wait([PollEntry(signals.descriptor, .readable)], timeoutMilliseconds: nil)
        guard ready != nil else { return }
        guard let signal = try? signals.next() else { continue }
        try? Files.unlink(name)
        // As a shell tells of a program that a signal ended.
        ThisProcess.exitNow(UInt8(128 + signal))
      }
    }
  }
}
