import Foundation
import LinuxSystem

/// `latchkey` as one account types it.
public struct CommandLine {
  /// The program: `latchkey`, or another client.
  public let latchkey: String
  /// Who types.
  public let account: UserAccount
  /// What stands in the environment beside the account's own names.
  public var environment: [String: String] = [:]

  /// The command line of an account; also for another program that it runs.
  public init(latchkey: String, account: UserAccount, environment: [String: String] = [:]) {
    self.latchkey = latchkey
    self.account = account
    self.environment = environment
  }

  /// Runs it without a terminal.
  @discardableResult
  public func run(
    _ arguments: String..., input: [UInt8] = [], passcode: String? = nil, timeout: Double = 60
  ) -> CommandResult {
    run(arguments, input: input, passcode: passcode, timeout: timeout)
  }

  /// Runs it without a terminal; a passcode goes in through a descriptor.
  @discardableResult
  public func run(
    _ arguments: [String], input: [UInt8] = [], passcode: String? = nil, timeout: Double = 60
  ) -> CommandResult {
    var command = [latchkey] + arguments
    var descriptors: [SpawnPlan.Descriptor] = []
    if let passcode {
      let pipe = try! OwnedDescriptor.pipe()
      try! Files.writeAll(pipe.writing, Array(passcode.utf8).span)
      command += ["--passcode-fd", "3"]
      descriptors = [.init(pipe.reading, as: 3)]
    }
    return TestSupport.run(
      command, input: input, environment: variables, as: account, descriptors: descriptors, timeout: timeout)
  }

  /// Runs it at one of these terminals, where it sees them and those of its own number here not.
  public func start(_ arguments: String..., at place: Person, of terminals: ForeignTerminals) throws -> SpawnedProcess {
    let named = ["USER=\(account.name)", "HOME=\(account.home)"] + environment.map { "\($0)=\($1)" }
    let person = ["--reuid", "\(account.uid)", "--regid", "\(account.gid)", "--clear-groups"]
    let words =
      terminals.entrance + ["/usr/bin/setpriv"] + person + ["/usr/bin/env", "-i"] + named
      + ["/usr/bin/setsid", "-c", "-w", latchkey] + arguments
    var plan = SpawnPlan(arguments: words, environment: [:], descriptors: streams(at: place))
    plan.newSession = false
    return try Spawn.start(words[0], plan)
  }

  private func streams(at person: Person) -> [SpawnPlan.Descriptor] {
    (0...2).map { .init(person.terminal, as: $0) }
  }

  /// Runs it at a terminal of its own, with the value going to a file where one is named; the person answers.
  public func start(_ arguments: String..., at person: Person, output: String? = nil) throws -> SpawnedProcess {
    // setsid -c gives it the terminal as its own, as a login shell has it.
    let redirected = output.map { " >'\($0)'" } ?? ""
    let words = ([latchkey] + arguments).map { "'\($0)'" }.joined(separator: " ")
    var plan = SpawnPlan(
      arguments: ["setsid", "-c", "-w", "/bin/sh", "-c", words + redirected], environment: variables)
    plan.newSession = false
    plan.asUser = account
    plan.descriptors = streams(at: person)
    return try Spawn.start("/usr/bin/setsid", plan)
  }

  /// Starts a shell that leads a session at a terminal of its own.
  public func startShell(at person: Person) throws -> SpawnedProcess {
    var shell = variables
    shell["PS1"] = "$ "
    var plan = SpawnPlan(arguments: ["setsid", "-c", "-w", "/bin/sh", "-i"], environment: shell)
    plan.newSession = false
    plan.asUser = account
    plan.descriptors = streams(at: person)
    return try Spawn.start("/usr/bin/setsid", plan)
  }

  private var variables: [String: String] {
    var all = ["HOME": account.home, "USER": account.name, "LOGNAME": account.name]
    all.merge(environment) { $1 }
    return all
  }
}

extension SpawnedProcess {
  /// Its exit status, or minus the signal; -9999 where it does not end in time.
  public func status(within milliseconds: Int32 = 20_000) -> Int32 {
    guard (try? Poll.wait([PollEntry(pidfd)], timeoutMilliseconds: milliseconds))?.first?.isReadable == true,
      let exit = try? wait()
    else {
      killAndWait()
      return -9999
    }
    return switch exit {
    case .exited(let code): Int32(code)
    case .signalled(let signal): -signal
    }
  }
}
