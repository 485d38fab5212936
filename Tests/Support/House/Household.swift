import LinuxSystem

/// The two ways to run the daemon.
public enum Mode: String, CaseIterable, Sendable {
  case system, user
}

/// One account with a password and a home, and a daemon for it in one of the modes.
public final class Household {
  /// The account.
  public let account: TestAccount
  /// Its login password.
  public let password: String
  private let system: SystemDaemon?
  /// The command line of the account, served by its daemon.
  public let commandLine: CommandLine

  /// Makes the account and, in system mode, starts a daemon with these policies and this reader.
  public init(_ mode: Mode, policy: [String: String] = [:], reader: FingerprintHouse? = nil) throws {
    password = "horse-\(UInt64.random(in: 0 ... .max))"
    account = TestAccount(password: password, home: .made)
    switch mode {
    case .system:
      let daemon = try SystemDaemon(policy: policy, reader: reader)
      system = daemon
      commandLine = daemon.commandLine(of: account)
    case .user:
      system = nil
      commandLine = UserDaemon(account: account).commandLine
    }
  }

  deinit { account.killEverything() }

  /// The stores of a system daemon.
  public var state: String? { system?.state }

  /// The stacks of a system daemon.
  public var pam: String? { system?.pam }

  /// Ends the daemon as a crash would; in user mode the next call starts another.
  public func crash() throws {
    if let system {
      system.crash()
      try system.start()
    } else {
      account.killEverything()
    }
  }

  /// The keybag's state, as `status` tells it.
  public func keybag() throws -> String {
    let status = commandLine.run("status", "--json")
    guard let state = JSONAnswer(status.output)["keybag"] as? String else {
      throw NoAnswer(printed: status.output + status.complaint)
    }
    return state
  }

  /// What was printed instead of an answer.
  public struct NoAnswer: Error {
    /// Both streams.
    public let printed: String
  }

  /// Stores a value that wants presence.
  @discardableResult
  public func add(_ service: String, _ value: [UInt8], require flags: String? = "userPresence") -> CommandResult {
    commandLine.run(
      ["add", "-s", service, "-a", "me"] + (flags.map { ["--require", $0] } ?? []), input: value)
  }

  /// Reads it at a terminal, with these answers typed at the prompts, the value going to a file.
  public func read(_ service: String, typing answers: [String]) throws -> (
    status: Int32, value: [UInt8], screen: String
  ) {
    let person = try Person(owner: account.account)
    let output = "\(account.account.home)/value-\(UInt32.random(in: 0 ... .max))"
    let process = try commandLine.start("get", "-s", service, "-a", "me", at: person, output: output)
    for answer in answers {
      try person.see("Passcode for")
      try person.type(answer)
    }
    let status = process.status()
    person.readOn()
    let value = (try? Files.readAll(output, limit: 2 << 20)) ?? []
    return (status, value, person.screen)
  }

  /// The reason of a refused read, with a passcode handed in.
  public func reason(_ service: String, passcode: String) -> (status: Int32, reason: String) {
    let result = commandLine.run("get", "-s", service, "-a", "me", "--json", passcode: passcode)
    return (result.status, JSONAnswer(result.output)["reason"] as? String ?? result.output + result.complaint)
  }
}
