import LinuxSystem
import SecretMemory
import Testing

@testable import DialogueWire

@Suite struct DialogueChannelTests {
  private let soon = Clock.boottime + 30_000_000_000

  @Test func `messages arrive whole and in order`() throws {
    let (near, far) = try DialogueChannel.pair()
    try near.send(PromptMessage.info(ShownText("one")))
    try near.send(PromptMessage.error(ShownText("two")))
    guard case .info(let first) = try far.receive(PromptMessage.self, until: soon),
      case .error(let second) = try far.receive(PromptMessage.self, until: soon)
    else { throw DialogueError.foreignPacket }
    #expect(first == ShownText("one") && second == ShownText("two"))
  }

  @Test func `the end, the deadline and a foreign message are told apart`() throws {
    var (near, far): (DialogueChannel?, DialogueChannel) = try DialogueChannel.pair()
    let past = Clock.boottime + 20_000_000
    #expect(throws: DialogueError.deadlinePassed) { try far.receive(PromptMessage.self, until: past) }
    #expect(Clock.boottime >= past)
    try near?.send(PrompterReport.ready)
    #expect(throws: DialogueError.foreignPacket) { try far.receive(PromptMessage.self, until: soon) }
    near = nil
    #expect(throws: DialogueError.ended) { try far.receive(PromptMessage.self, until: soon) }
    #expect(throws: DialogueError.ended) { try far.send(PrompterReport.ready) }
  }

  @Test(arguments: [Packet.maximumCount, Packet.maximumCount + 1])
  func `a packet above the bound is refused as too large`(count: Int) throws {
    let (near, far) = try DialogueChannel.pair()
    let bytes = [UInt8](repeating: 0, count: count)
    _ = try UnixSocket.send(near.descriptor, bytes.span)
    let expected: DialogueError = count > Packet.maximumCount ? .tooLarge : .foreignPacket
    #expect(throws: expected) { try far.receive(PromptMessage.self, until: soon) }
  }

  @Test func `a descriptor along with a packet is refused and closed`() throws {
    let (near, far) = try DialogueChannel.pair()
    let pipe = try OwnedDescriptor.pipe()
    _ = try UnixSocket.send(near.descriptor, [1, 5, 1].span, passing: [pipe.writing])
    #expect(throws: DialogueError.tooLarge) { try far.receive(PromptSetup.self, until: soon) }
  }

  @Test func `a side that does not read cannot hold the other up`() throws {
    let (near, far) = try DialogueChannel.pair()
    #expect(throws: DialogueError.self) {
      while true { try near.send(PromptMessage.info(ShownText("again"))) }
    }
    withExtendedLifetime(far) {}
  }
}
