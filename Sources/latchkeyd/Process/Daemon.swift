internal import KeychainModel
internal import KernelKeyring
internal import LinuxSystem

/// The program: reads its command line, checks how it was started, serves, ends.
struct Daemon {
  /// Exit statuses.
  enum ExitStatus {
    static let served: UInt8 = 0
    static let refused: UInt8 = 1
    static let usage: UInt8 = 2
  }

  /// Runs the program.
  ///
  /// - Parameter keyring: joined as the first thing of all, before any thread starts.
  /// - Returns: The exit status.
  static func run(_ keyring: KernelKeyring) -> UInt8 {
    let hardening = Result { () throws(StartFailure) in try DaemonHardening.apply() }
    do throws(UsageFault) {
      switch try DaemonCommandLine.parse(Array(ProcessArguments.bytes.dropFirst())) {
      case .help: return say(DaemonText.help)
      case .version: return say("latchkeyd \(DaemonText.version)\n")
      case .run(let options): return serve(options, try ReadyWord(options.readyDescriptor), keyring, hardening)
      }
    } catch {
      complain(error.text + "\nTry 'latchkeyd --help'.")
      return ExitStatus.usage
    }
  }

  private static func serve(
    _ options: DaemonOptions, _ word: ReadyWord, _ keyring: KernelKeyring,
    _ hardening: Result<Void, StartFailure>
  ) -> UInt8 {
    do throws(StartFailure) {
      try hardening.get()
      try StartCheck.ofThisProcess(options.mode).run()
      let start = try DaemonStart(options, keyring)
      word.serves()
      withExtendedLifetime(start) { start.server.serve(on: start.listener) }
      return ExitStatus.served
    } catch {
      word.refuses(error)
      complain(error.line)
      return ExitStatus.refused
    }
  }

  private static func say(_ text: String) -> UInt8 {
    (try? StandardStreams.write(text)) == nil ? ExitStatus.refused : ExitStatus.served
  }

  private static func complain(_ text: String) {
    try? StandardStreams.write("latchkeyd: \(text)\n", to: StandardStreams.error)
  }
}
