public import Foundation
internal import KeychainModel

/// What authorising a right takes.
open class LAAuthenticationRequirement: NSObject, @unchecked Sendable {
  let rule: RightRule

  init(_ rule: RightRule) { self.rule = rule }

  /// A finger or the passcode.
  open class var `default`: LAAuthenticationRequirement { LAAuthenticationRequirement(.ownerPresent) }
  /// Any enrolled finger.
  open class var biometry: LAAuthenticationRequirement { LAAuthenticationRequirement(.anyFinger) }
  /// A finger; a right that is stored ends for good when the enrolled fingers change.
  open class var biometryCurrentSet: LAAuthenticationRequirement { LAAuthenticationRequirement(.enrolledFingers) }

  /// A finger, or what stands in for it.
  open class func biometry(fallback: LABiometryFallbackRequirement) -> LAAuthenticationRequirement {
    LAAuthenticationRequirement(fallback.rule)
  }

  /// Whether both take the same.
  open override func isEqual(_ object: Any?) -> Bool { (object as? LAAuthenticationRequirement)?.rule == rule }
  /// Hashes what ``isEqual(_:)`` compares.
  open override var hash: Int { rule.hashValue }
}

/// What stands in for a finger.
open class LABiometryFallbackRequirement: NSObject, @unchecked Sendable {
  let rule: RightRule

  init(_ rule: RightRule) { self.rule = rule }

  /// What the system offers beside a finger: here the passcode.
  open class var `default`: LABiometryFallbackRequirement { LABiometryFallbackRequirement(.ownerPresent) }
  /// The passcode.
  open class var devicePasscode: LABiometryFallbackRequirement { LABiometryFallbackRequirement(.ownerPresent) }
}

/// A requirement as the keychain knows it.
enum RightRule: CaseIterable, Hashable, Sendable {
  case ownerPresent
  case anyFinger
  case enrolledFingers

  /// What a right that is not stored asks for.
  var methods: [MethodBits] { self == .ownerPresent ? [.biometry, .passcode] : [.biometry] }

  /// What a stored right's item demands.
  var flags: AccessControlFlags {
    switch self {
    case .ownerPresent: .userPresence
    case .anyFinger: .biometryAny
    case .enrolledFingers: .biometryCurrentSet
    }
  }

  /// The rule of a stored right's item, or `nil` for an item that is none.
  init?(_ flags: AccessControlFlags) {
    guard let rule = Self.allCases.first(where: { $0.flags == flags }) else { return nil }
    self = rule
  }
}
