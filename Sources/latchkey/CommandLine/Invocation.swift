internal import KeychainModel

/// What a command line asks for.
struct Invocation {
  let globals: GlobalOptions
  let action: Action

  /// What is to be done.
  enum Action {
    /// Explain a command, or all of them.
    case help(Manual?)
    case version
    case command(any Command)
  }

  /// Reads the words behind the program's name: global options, a command, its options and operands.
  init(_ words: ArraySlice<[UInt8]>) throws(Failure) {
    var rest = words
    do throws(UsageError) {
      let before = try Arguments(&rest, Option.global, end: .atFirstOperand)
      guard let name = before.operands.first ?? rest.popFirst() else {
        (globals, action) = (try GlobalOptions(before), try Self.bare(before))
        return
      }
      guard let type = Program.command(name) else {
        throw UsageError(noCommand: ExactText(bytes: name).string)
      }
      (globals, action) = try Self.read(type, before, rest)
    } catch { throw Failure(error) }
  }

  private static func bare(_ arguments: Arguments) throws(UsageError) -> Action {
    if arguments.has(.help) { return .help(nil) }
    if arguments.has(.version) { return .version }
    throw UsageError("name a command.")
  }

  private static func read(
    _ type: any Command.Type, _ before: Arguments, _ words: ArraySlice<[UInt8]>
  ) throws(UsageError) -> (GlobalOptions, Action) {
    if before.has(.help) { return (try GlobalOptions(before), .help(type.manual)) }
    if before.has(.version) { return (try GlobalOptions(before), .version) }
    do throws(UsageError) {
      var rest = words
      // The words of another program are its own.
      if type.manual.passesOn {
        return (try GlobalOptions(before), .command(try type.init(Arguments(passingOn: rest))))
      }
      let arguments = try Arguments(&rest, type.manual.options + Option.global, end: .behindAll)
      let globals = try GlobalOptions(before).joined(with: try GlobalOptions(arguments))
      if arguments.has(.help) { return (globals, .help(type.manual)) }
      if arguments.has(.version) { return (globals, .version) }
      return (globals, .command(try type.init(arguments)))
    } catch {
      var error = error
      error.command = type.manual.name
      throw error
    }
  }

  /// Which format an answer has, also where the words make no sense.
  static func format(of words: ArraySlice<[UInt8]>) -> Output.Format {
    let options = words.prefix { !$0.elementsEqual("--".utf8) }
    return options.contains { $0.elementsEqual("--json".utf8) } ? .json : .text
  }
}
