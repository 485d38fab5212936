internal import LinuxSystem

/// An archive that has a name before it is whole, on a file system without nameless files (vfat, NFS): a signal that ends the
/// program removes it. What a kill leaves behind the next export to that place removes.
enum UnfinishedArchive {
  private static let endings = [Signals.interrupt, Signals.terminate, Signals.hangUp, Signals.quit]

  /// Makes the file; no signal comes between it and its guard. To be called before any other thread starts.
  static func make(_ newFile: () throws(Failure) -> NewFile) throws(Failure) -> NewFile {
    guard let signals = try? Signals(collecting: endings) else { return try newFile() }
    let file: NewFile
    do throws(Failure) { file = try newFile() } catch {
      try? signals.stopCollecting()
      throw error
    }
    if let name = file.temporaryName { remove(name, on: signals) } else { try? signals.stopCollecting() }
    return file
  }

  /// Makes the file and takes it away again; a signal that comes meanwhile takes its effect afterwards.
  static func tryOut(_ newFile: () throws(Failure) -> NewFile) throws(Failure) {
    let signals = try? Signals(collecting: endings)
    defer { try? signals?.stopCollecting() }
    _ = try newFile()
  }

  /// Waits for a signal on a thread of its own until the program ends.
  private static func remove(_ name: String, on signals: Signals) {
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
