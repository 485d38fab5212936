internal import AccessPolicy
internal import KeychainModel
internal import LinuxSystem

/// The process at the other end of a connection, as the kernel names it.
final class ConnectedPeer: Sendable {
  private let process: PeerProcess
  private let facts: PeerFacts

  /// Looks at the process of a connection that was just taken. Where its session comes from is read once: it does not change.
  ///
  /// - Throws: ``PeerRefusal``.
  init(_ socket: OwnedDescriptor, acceptedAt: UInt64) throws(PeerRefusal) {
    process = try PeerProcess.identify(socket, acceptedAt: acceptedAt)
    let identity = process.identity
    let origin = PeerOrigin.read(pid: identity.process.pid, uid: identity.uid)
    // All that was read by process id is about this process only if it still lives.
    guard try !process.hasExited() else { throw .exited }
    facts = PeerFacts(identity, origin: origin)
  }

  /// The facts for one request. The program is looked at anew: a process can become another (execve(2)) while a child of it
  /// goes on with the connection, and no request is the new program's own. One that could not be told at first stays untold.
  ///
  /// - Throws: ``Refusal``: `programChanged`, `clientGone`, `internalFailure` where it cannot be looked at.
  func factsNow() throws(Refusal) -> PeerFacts {
    let now: ExecutableIdentity?
    do throws(PeerRefusal) { now = ExecutableIdentity(try process.executable()) } catch .exited {
      throw Refusal(.clientGone)
    } catch { throw Refusal(.internalFailure, detail: "the program that asks cannot be looked at") }
    guard let now, let before = facts.executable else {
      var untold = facts
      untold.executable = nil
      return untold
    }
    guard now == before else { throw Refusal(.programChanged, detail: "it was \(before.displayPath)") }
    return facts
  }

  /// Readable (poll) once the process has ended.
  var processDescriptor: OwnedDescriptor { process.pidfd }

  /// Whether the process runs. A connection that outlives it, in a child, is nobody's.
  var isAlive: Bool { (try? process.hasExited()) == false }
}

extension PeerFacts {
  fileprivate init(_ identity: PeerIdentity, origin: PeerOrigin) {
    let leader = identity.sessionLeader.map(ProcessIdentity.init)
    let terminal: TerminalIdentity? =
      if let device = identity.terminalDevice, let leader { TerminalIdentity(device: device, leader: leader) } else {
        nil
      }
    self.init(
      uid: identity.uid, process: ProcessIdentity(identity.process), terminal: terminal, session: leader,
      executable: ExecutableIdentity(identity.executable), origin: Origin(origin))
  }
}

extension ProcessIdentity {
  fileprivate init(_ process: PeerIdentity.Process) { self.init(pid: process.pid, startTime: process.startTime) }
}

extension ExecutableIdentity {
  fileprivate init?(_ executable: PeerIdentity.Executable) {
    guard case .known(let file) = executable else { return nil }
    self.init(device: file.device, inode: file.inode, displayPath: file.displayPath)
  }
}

extension PeerFacts.Origin {
  init(_ origin: PeerOrigin) {
    switch origin {
    case .local: self = .local
    case .remote: self = .remote
    case .unknown: self = .unknown
    }
  }
}
