internal import LinuxSystem

/// What the programs of a dialogue, helper and prompter, check alike before anything else: that nobody looks on, and that the
/// daemon started them.
public enum PrivateStart {
  /// Why such a program does not run; the raw value is its exit status.
  public enum Refusal: UInt8, Error {
    /// The kernel did not let it hide from other processes of its user.
    case exposed = 10
    /// Somebody traces it.
    case traced = 11
    /// It was given arguments.
    case arguments = 12
  }

  /// What stands at a descriptor that should be a channel.
  public enum Channel {
    /// A channel.
    case open(DialogueChannel)
    /// Nothing.
    case absent
    /// Something that is no packet socket.
    case other
  }

  /// Shuts the process to others of its user and to core files, then looks whether it was alone and started without a word.
  ///
  /// - Throws: ``Refusal``.
  public static func enter() throws(Refusal) {
    let surroundings: ProcessSurroundings
    do throws(Errno) {
      try ProcessHardening.leaveCrashesToKernel()
      try ProcessHardening.makeUndumpable()
      try ProcessHardening.disableCoreFiles()
      surroundings = try ProcessSurroundings.current()
    } catch { throw .exposed }
    guard surroundings.tracer == nil else { throw .traced }
    guard ProcessArguments.bytes.count == 1 else { throw .arguments }
  }

  /// Takes over the packet channel at a descriptor that the program was started with.
  public static func channel(_ number: Int32) -> Channel {
    guard let descriptor = try? OwnedDescriptor.inherited(number) else { return .absent }
    guard (try? UnixSocket.kind(of: descriptor)) == .packets else { return .other }
    return .open(DialogueChannel(descriptor))
  }
}
