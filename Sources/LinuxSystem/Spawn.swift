internal import CLinux

/// Starting programs.
public enum Spawn {
  /// Starts a program with nothing but what the plan names: other descriptors closed, default signals, no inherited
  /// environment.
  ///
  /// It returns when the program runs, so a failure to execute it is an error here.
  /// - Parameter program: The path of its file; there is no search in PATH.
  /// - Throws: ``Errno``: ENOENT, EACCES or ENOEXEC (the program or the folder), EPERM (another user, and we are not
  ///   root), EINVAL (a NUL in a text, an empty argument list, a bad environment name, a descriptor number out of range
  ///   or used twice, or more than 16 descriptors), EAGAIN or ENOMEM (no room for a process).
  public static func start(_ program: String, _ plan: SpawnPlan) throws(Errno) -> SpawnedProcess {
    let (pid, pidfd) = try run(program, plan, .child)
    return SpawnedProcess(pid: pid, pidfd: OwnedDescriptor(owning: pidfd))
  }

  /// Starts a program that is no child of this one: it belongs to init, nothing of it is left to wait for, and no SIGCHLD
  /// comes. For daemons that outlive whoever starts them.
  ///
  /// - Throws: ``Errno``, as ``start(_:_:)``; EINVAL for a plan with a signal at the parent's death.
  public static func startDetached(_ program: String, _ plan: SpawnPlan) throws(Errno) {
    guard plan.parentDeathSignal == nil else { throw .invalidArgument }
    _ = try run(program, plan, .nobody)
  }

  /// Whose child the new program is.
  private enum Parentage { case child, nobody }

  private static func run(
    _ program: String, _ plan: SpawnPlan, _ parentage: Parentage
  ) throws(Errno) -> (pid: Int32, pidfd: Int32) {
    try check(program, plan)
    let descriptors = try complete(plan.descriptors)
    let groups = try plan.asUser.map { user throws(Errno) in try Users.groups(of: user) } ?? []
    let arguments = CStringList(plan.arguments)
    let environment = CStringList(plan.environment.map { "\($0.key)=\($0.value)" })
    var pid: pid_t = -1
    var pidfd: Int32 = -1
    var failure: Int32 = 0
    // SAFETY: every pointer in the plan comes from a buffer that lives until the call returns.
    unsafe program.withCString { program in
      unsafe plan.workingDirectory.withCString { directory in
        unsafe descriptors.map(\.descriptor.number).withUnsafeBufferPointer { sources in
          unsafe descriptors.map(\.number).withUnsafeBufferPointer { targets in
            unsafe groups.withUnsafeBufferPointer { groups in
              var record = unsafe clinux_spawn_plan()
              unsafe record.program = program
              unsafe record.directory = directory
              unsafe record.arguments = arguments.pointers
              unsafe record.environment = environment.pointers
              unsafe record.sources = sources.baseAddress
              unsafe record.targets = targets.baseAddress
              unsafe record.descriptor_count = descriptors.count
              unsafe record.groups = groups.baseAddress
              unsafe record.group_count = groups.count
              unsafe fill(&record, from: plan)
              unsafe record.detached = parentage == .nobody ? 1 : 0
              failure = unsafe clinux_spawn(&record, &pid, &pidfd)
            }
          }
        }
      }
    }
    withExtendedLifetime((arguments, environment, descriptors)) {}
    guard failure == 0 else { throw Errno(rawValue: failure) }
    return (pid, pidfd)
  }

  private static func fill(_ record: inout clinux_spawn_plan, from plan: SpawnPlan) {
    unsafe record.mask = plan.umask
    unsafe record.new_session = plan.newSession ? 1 : 0
    unsafe record.parent_death_signal = plan.parentDeathSignal ?? 0
    guard let user = plan.asUser else { return }
    unsafe record.change_user = 1
    unsafe record.user = user.uid
    unsafe record.group = user.gid
  }

  private static func check(_ program: String, _ plan: SpawnPlan) throws(Errno) {
    try SystemCall.requireNoNUL(program)
    try SystemCall.requireNoNUL(plan.workingDirectory)
    guard !plan.arguments.isEmpty else { throw .invalidArgument }
    for argument in plan.arguments { try SystemCall.requireNoNUL(argument) }
    for (name, value) in plan.environment {
      try SystemCall.requireNoNUL(name)
      try SystemCall.requireNoNUL(value)
      guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "=")) else { throw .invalidArgument }
    }
  }

  /// The descriptors in rising order of their numbers, with /dev/null for what is missing of 0, 1 and 2: a program that
  /// starts without them would give these numbers to the next files it opens.
  private static func complete(_ given: [SpawnPlan.Descriptor]) throws(Errno) -> [SpawnPlan.Descriptor] {
    var all = given
    for number in Int32(0)...2 where !given.contains(where: { $0.number == number }) {
      all.append(.init(try Files.open("/dev/null", .readingAndWriting), as: number))
    }
    all.sort { $0.number < $1.number }
    let isUnique = zip(all, all.dropFirst()).allSatisfy { $0.number < $1.number }
    guard isUnique, all.allSatisfy({ (0...255).contains($0.number) }) else { throw .invalidArgument }
    return all
  }
}

/// A NULL-ended array of C strings, as execve(2) wants it.
@safe final class CStringList {
  // SAFETY: owned by this object alone; `count` copies made by strdup, then NULL.
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  convenience init(_ texts: [String]) { self.init(texts.map { Array($0.utf8) }) }

  /// Bytes without a NUL, UTF-8 or not.
  init(_ texts: [[UInt8]]) {
    count = texts.count
    unsafe pointers = .allocate(capacity: texts.count + 1)
    for (index, text) in texts.enumerated() {
      unsafe text.withUnsafeBytes { bytes in
        let start = unsafe bytes.assumingMemoryBound(to: CChar.self).baseAddress
        unsafe (pointers + index).initialize(
          to: start.map { start in unsafe strndup(start, bytes.count) } ?? strdup(""))
      }
    }
    unsafe (pointers + texts.count).initialize(to: nil)
  }

  deinit {
    for index in 0..<count { unsafe free(pointers[index]) }
    unsafe pointers.deallocate()
  }
}
