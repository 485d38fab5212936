import Foundation
import KeychainKit

/// What the article leaves to its reader: an interface that stores in memory and counts the calls.
final class MockKeychainInterface: KeychainInterfaceProtocol, @unchecked Sendable {
  private let lock = NSLock()
  private var values: [KeychainAttributes: [UInt8]] = [:]

  func read(_ key: KeychainAttributes) throws(KeychainError) -> [UInt8] {
    guard let value = lock.withLock({ values[key] }) else { throw .itemNotFound }
    return value
  }

  func insert(_ value: [UInt8], for key: KeychainAttributes) throws(KeychainError) {
    guard lock.withLock({ values[key] }) == nil else { throw .duplicateItem }
    lock.withLock { values[key] = value }
  }

  func update(_ value: [UInt8], for key: KeychainAttributes) throws(KeychainError) {
    guard lock.withLock({ values[key] }) != nil else { throw .itemNotFound }
    lock.withLock { values[key] = value }
  }

  func remove(_ key: KeychainAttributes) throws(KeychainError) {
    guard lock.withLock({ values.removeValue(forKey: key) }) != nil else { throw .itemNotFound }
  }
}
