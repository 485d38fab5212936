/// What a new program is started with. Nothing else of this process reaches it.
public struct SpawnPlan: Sendable {
  /// One open file for the new program.
  public struct Descriptor: Sendable {
    /// The file here.
    public var descriptor: OwnedDescriptor
    /// Its number there: 0 to 255.
    public var number: Int32
    /// Names a file and its number in the new program.
    public init(_ descriptor: OwnedDescriptor, as number: Int32) {
      self.descriptor = descriptor
      self.number = number
    }
  }

  /// The argument list, from argv[0] on; not empty.
  public var arguments: [String]
  /// The whole environment. Names hold no `=`.
  public var environment: [String: String]
  /// The open files, at most 16 with 0, 1 and 2. Of those three the missing ones are /dev/null.
  public var descriptors: [Descriptor]
  /// Whether it leads a session of its own, without a controlling terminal (setsid(2)).
  public var newSession: Bool
  /// Where it runs; entered as the new user.
  public var workingDirectory: String
  /// The bits that new files of it do not get.
  public var umask: UInt32
  /// Whom it becomes, with all its groups; only root may. `nil` keeps this process's ids.
  public var asUser: UserAccount?
  /// A signal it gets when the THREAD that started it ends (PR_SET_PDEATHSIG), or `nil`.
  public var parentDeathSignal: Int32?

  /// Plans a program that runs in `/` with umask 077 and a session of its own.
  public init(
    arguments: [String], environment: [String: String] = [:], descriptors: [Descriptor] = [], newSession: Bool = true,
    asUser: UserAccount? = nil
  ) {
    self.arguments = arguments
    self.environment = environment
    self.descriptors = descriptors
    self.newSession = newSession
    self.workingDirectory = "/"
    self.umask = 0o077
    self.asUser = asUser
    self.parentDeathSignal = nil
  }
}
