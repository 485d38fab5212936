import Foundation
import Testing

@testable import SecretMemory

/// Secrets on both sides of fork(2).
@Suite(.serialized) struct ForkTests {
  /// Runs something in a child and tells how that ended: the exit status, or minus the signal.
  private func child(_ body: () -> Int32) -> Int32 {
    typealias Fork = @convention(c) () -> pid_t
    let fork = unsafeBitCast(dlsym(nil, "fork")!, to: Fork.self)
    let child = fork()
    if child == 0 {
      // Whatever hangs ends; nothing of the test's own program runs on.
      alarm(10)
      _exit(body())
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
  }

  private func make(_ text: String, _ arena: LockedArena) throws -> SecretBytes {
    let secret = try SecretBytes(count: text.utf8.count, arena: arena)
    secret.withMutableSpan { span in
      for (index, byte) in text.utf8.enumerated() { span[index] = byte }
    }
    return secret
  }

  private func reads(_ secret: SecretBytes, _ text: String) -> Bool {
    secret.withSpan { span in span.indices.map { span[$0] } == Array(text.utf8) }
  }

  @Test(arguments: [10, 100_000])
  func `a child makes secrets of its own and lets go of its parent's`(length: Int) throws {
    let arena = LockedArena(pages: .kernel)
    let text = String(repeating: "s", count: length)
    var kept: SecretBytes? = try make(text, arena)
    let before = arena.lockedBytes
    let ended = child {
      guard let own = try? make("own" + text, arena), reads(own, "own" + text) else { return 1 }
      kept = nil
      guard let second = try? make("second", arena), reads(second, "second"), reads(own, "own" + text) else { return 2 }
      // Only what the child locked itself counts.
      return arena.lockedBytes <= 65_536 + own.count + 8192 ? 0 : 3
    }
    #expect(ended == 0)
    #expect(reads(kept!, text), "the parent's own is as it was")
    #expect(arena.lockedBytes == before)
  }

  @Test func `a child that reads its parent's secret ends, before and after it made one of its own`() throws {
    let arena = LockedArena(pages: .kernel)
    let secret = try make("secret", arena)
    #expect(child { reads(secret, "secret") ? 1 : 2 } < 0)
    #expect(
      child {
        guard let own = try? make("second", arena) else { return 3 }
        return own.equals(secret) ? 1 : 2
      } < 0)
    #expect(reads(secret, "secret"))
  }

  @Test func `the child of a child begins anew as well`() throws {
    let arena = LockedArena(pages: .kernel)
    let secret = try make("secret", arena)
    let ended = child {
      guard let own = try? make("own", arena) else { return 1 }
      let inner = child {
        guard let other = try? make("other", arena), reads(other, "other") else { return 1 }
        return 0
      }
      return inner == 0 && reads(own, "own") ? 0 : 2
    }
    #expect(ended == 0)
    #expect(reads(secret, "secret"))
  }
}
