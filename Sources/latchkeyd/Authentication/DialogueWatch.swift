internal import KeychainModel
internal import KeychainService
internal import LinuxSystem

/// What may end a dialogue from outside at any moment: its client, who has the terminal, and its deadline.
struct DialogueWatch {
  /// The client.
  let channel: any PresentingChannel
  /// The end, in nanoseconds of the boot-time clock.
  let deadline: UInt64
  /// Whether the keychain still takes the proof.
  var standing: @Sendable () -> ChannelLiveness = { .alive }
  /// The client's place on the terminal of the prompt, where the prompt is on one.
  var foreground: ForegroundCheck?

  /// How often it looks whether the answer is still wanted, beside the client's socket: nanoseconds.
  private static let slice: UInt64 = 50_000_000
  /// The longest that a stack's delay is kept: nanoseconds.
  private static let longestHold: UInt64 = 10_000_000_000

  /// Refuses where nobody waits for the answer any more.
  ///
  /// - Throws: ``Refusal``: `clientGone`, `appCancelled`, `systemCancelled`, `deadlinePassed`; `noWayToPrompt` where the client
  ///   was sent to the background.
  func requireWanted() throws(Refusal) {
    if case .ended(let reason) = channel.liveness { throw Refusal(reason) }
    if case .ended(let reason) = standing() { throw Refusal(reason) }
    guard Clock.boottime < deadline else { throw Refusal(.deadlinePassed) }
    try foreground?.require()
  }

  /// Waits until one of the descriptors has something, or to a moment; says which have.
  ///
  /// - Throws: ``Refusal``: as ``requireWanted()``; `internalFailure`.
  func wait(for descriptors: [OwnedDescriptor], until moment: UInt64 = .max) throws(Refusal) -> [Bool] {
    let entries = descriptors.map { PollEntry($0) }
    var client = [PollEntry(channel.descriptor)]
    while true {
      try requireWanted()
      let end = min(moment, deadline, Clock.boottime + Self.slice)
      guard let results = try? Poll.wait(entries + client, until: end) else {
        throw Refusal(.internalFailure, detail: "poll failed")
      }
      let ready = results.map { $0.isReadable || $0.isGone }
      if ready.prefix(entries.count).contains(true) || Clock.boottime >= moment {
        return Array(ready.prefix(entries.count))
      }
      // What it sent was no end: it stays readable, so from here on only the slices look.
      if ready.last == true { client = [] }
    }
  }

  /// Keeps a refusal back for the delay that the stack asked for, or until nobody waits for it.
  func hold(microseconds: UInt32) {
    let end = Clock.boottime + min(UInt64(microseconds) * 1000, Self.longestHold)
    var client = [PollEntry(channel.descriptor)]
    while Clock.boottime < end, case .alive = channel.liveness {
      let results = try? Poll.wait(client, until: min(end, Clock.boottime + Self.slice))
      if results?.last?.isReadable == true { client = [] }
    }
  }
}
