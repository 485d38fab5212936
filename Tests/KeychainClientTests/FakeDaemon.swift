import Foundation
import KeychainModel
import KeychainWire
import LinuxSystem
import SecretMemory
import TestSupport

@testable import KeychainClient

/// A folder that goes away with the test.
final class ScratchFolder: Sendable {
  let path: String
  init() throws {
    path = NSTemporaryDirectory() + "latchkey-client-\(UUID().uuidString.prefix(8))"
    try Files.makeDirectory(path, mode: 0o700)
  }
  deinit { try? FileManager.default.removeItem(atPath: path) }
  func write(_ name: String, _ text: String, mode: Int = 0o600) throws -> String {
    let file = path + "/" + name
    // Written by another process: what is open for writing anywhere, be it in a child that another test forks just now, cannot
    // be started (ETXTBSY).
    run(["tee", file], input: Array(text.utf8))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    return file
  }
  func read(_ name: String) -> String { (try? String(contentsOfFile: path + "/" + name, encoding: .utf8)) ?? "" }
}

func bytes(_ secret: SecretBytes) -> [UInt8] { secret.withSpan { span in span.indices.map { span[$0] } } }

func secret(_ text: String) throws -> SecretBytes { try SecretBytes(copying: Array(text.utf8).span) }

/// A keychain that talks to a chosen socket.
func keychain(
  at path: String, prompt: PromptSource = .none, timeouts: KeychainTimeouts = KeychainTimeouts(),
  notice: (@Sendable (Notice) -> Void)? = nil
) -> Keychain {
  Keychain(
    KeychainConfiguration(
      places: ServicePlaces(chosenSocket: path, systemSocket: "/nonexistent"), prompt: prompt, notice: notice,
      timeouts: timeouts))
}

/// The reason a call is refused for, or `nil` where it is not.
func reason(_ body: () throws -> Void) -> Reason? {
  do {
    try body()
    return nil
  } catch let refusal as Refusal {
    return refusal.reason
  } catch { return .internalFailure }
}
