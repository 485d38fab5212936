internal import KeychainModel
internal import LinuxSystem
internal import SecretMemory
internal import TerminalIO

/// The secrets that come into this program, and where each comes from.
extension Session {
  /// A value to store: standard input to its end, exactly; where that is a terminal, asked twice.
  func readValue() throws(Failure) -> SecretBytes {
    if Terminal.isTerminal(StandardStreams.input) {
      try requirePrompting("the value comes from standard input.")
      return try Questions.askTwice("Value")
    }
    guard globals.passcodeDescriptor != 0 else {
      throw Failure(UsageError("standard input cannot hold both the passcode and the value."))
    }
    return try SecretStream.read(
      StandardStreams.input, named: "standard input", limit: ItemLimits.valueBytes,
      tooLong: Failure(
        Refusal(.valueTooLarge, detail: "a value is at most \(ItemLimits.valueBytes) bytes")))
  }

  /// A secret that is one line: from a descriptor where one is named, else asked for.
  ///
  /// - Parameters:
  ///   - descriptor: what `option` names.
  ///   - asking: how often it is asked for; what is new is asked for twice.
  func readLine(
    _ what: String, _ descriptor: Int32?, _ option: Option, asking: Asking
  ) throws(Failure) -> SecretBytes {
    let line: SecretBytes
    if let descriptor {
      line = try Self.line(try InputDescriptor.open(descriptor, for: option), named: "the \(what)'s descriptor")
    } else {
      try requirePrompting("the \(what) comes from --\(option.long).")
      let title = what.prefix(1).uppercased() + what.dropFirst()
      line = asking == .twice ? try Questions.askTwice(title) : try Questions.askOnce(title)
    }
    if line.count == 0 {
      throw Failure(.invalidParameter, "the \(what) is empty.", nextStep: "Give one of at least one byte.")
    }
    return line
  }

  /// How often something is asked for.
  enum Asking { case once, twice }

  /// All bytes but one newline at the end.
  private static func line(_ stream: OwnedDescriptor, named name: String) throws(Failure) -> SecretBytes {
    let tooLong = Failure(
      .invalidParameter, "\(name) holds more than \(Questions.typedBytes) bytes.", nextStep: "Give a shorter one.")
    // Room for the newline that is taken away.
    let read = try SecretStream.read(stream, named: name, limit: Questions.typedBytes + 1, tooLong: tooLong)
    let endsInNewline = read.withSpan { $0.count > 0 && $0[$0.count - 1] == UInt8(ascii: "\n") }
    let count = endsInNewline ? read.count - 1 : read.count
    guard count <= Questions.typedBytes else { throw tooLong }
    return try Failure.locking { () throws(SecretMemoryError) in try read.slice(0..<count) }
  }

  private func requirePrompting(_ instead: String) throws(Failure) {
    guard globals.prompting == .allowed else { throw Failure(UsageError("with --no-prompt \(instead)")) }
  }
}
