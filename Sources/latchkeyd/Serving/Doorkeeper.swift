internal import KeychainModel
internal import KeychainWire
internal import LinuxSystem

/// Takes connections in and gives each a thread. Never waits for a client.
struct Doorkeeper: Sendable {
  /// Whom the daemon serves.
  enum Clientele: Hashable, Sendable {
    /// Every user.
    case everyone
    /// This one.
    case user(UInt32)
  }

  let clientele: Clientele
  let shared: ServingState
  let desk = RefusalDesk()

  /// Bytes of a connection's stack; what is not touched costs nothing.
  static let stackBytes = 524_288
  /// How many connections are taken before other things are looked after.
  static let mostAtOnce = 32
  /// How long a client may leave a daemon's frame unread before it is given up, in milliseconds.
  static let blockMilliseconds: UInt32 = 10_000

  init(clientele: Clientele, shared: ServingState) {
    self.clientele = clientele
    self.shared = shared
  }

  /// Takes the connections that wait, the first of which poll(2) announced, but no more than ``mostAtOnce``.
  func takeWaiting(_ listener: OwnedDescriptor) {
    for _ in 0..<Self.mostAtOnce {
      takeNext(listener)
      guard (try? Poll.wait([PollEntry(listener)], timeoutMilliseconds: 0).first?.isReadable) == true else { return }
    }
  }

  /// Takes the next connection, which poll(2) announced.
  func takeNext(_ listener: OwnedDescriptor) {
    let socket: OwnedDescriptor
    do throws(Errno) { socket = try UnixSocket.accept(listener) } catch {
      // Out of descriptors: the idle give way. The pause keeps a full table from spinning.
      shared.table.makeRoom()
      _ = try? Poll.wait([], timeoutMilliseconds: 10)
      return
    }
    let acceptedAt = Clock.boottime
    guard let credentials = try? UnixSocket.peerCredentials(socket), isServed(credentials.uid) else { return }
    switch shared.table.admit(socket, of: credentials.uid) {
    case .full: desk.take(socket)
    case .admitted(let number):
      start(number, socket, acceptedAt, shared.budget.part(of: credentials.uid, while: socket))
    }
  }

  private func isServed(_ uid: UInt32) -> Bool {
    switch clientele {
    case .everyone: true
    case .user(let own): uid == own
    }
  }

  private func start(
    _ number: ConnectionNumber, _ socket: OwnedDescriptor, _ acceptedAt: UInt64, _ quota: SecretBudget.Part
  ) {
    let shared = shared
    let started: Void? = try? Threads.start(stackBytes: Self.stackBytes) {
      defer { shared.table.remove(number) }
      guard let peer = try? ConnectedPeer(socket, acceptedAt: acceptedAt) else { return UnixSocket.shutDown(socket) }
      do throws(FrameSocketError) {
        let frames = try FrameSocket(
          socket, side: .daemon, blockMilliseconds: Self.blockMilliseconds, quota: quota)
        ConnectionService(shared: shared, number: number, socket: frames, peer: peer, quota: quota).run()
      } catch {
        FrameSocket.turnAway(socket, Message(requestID: 0, body: .reply(.refused(Refusal(dropped: .outOfMemory)))))
      }
    }
    if started == nil { shared.table.remove(number) }
  }
}
