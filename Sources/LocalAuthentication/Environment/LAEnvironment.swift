public import Foundation
internal import KeychainClient
internal import KeychainModel
internal import Security
internal import Synchronization

/// What the user could be asked for on this machine.
public final class LAEnvironment: NSObject, @unchecked Sendable {
  /// The environment of the user whose process this is.
  public static let currentUser = LAEnvironment()

  private struct Observers {
    var list: [WeakObserver] = []
    var last: LAEnvironmentState?
  }

  private let observers = Mutex(Observers())

  private override init() {}

  /// What could be asked for now. Asks the daemon; observers hear of it where something changed since the last time.
  public var state: LAEnvironmentState {
    let now = LAEnvironmentState.current()
    let (told, old) = observers.withLock { observers -> ([any LAEnvironmentObserver], LAEnvironmentState?) in
      let old = observers.last
      observers.last = now
      observers.list.removeAll { $0.observer == nil }
      guard let old, !old.isEqual(now) else { return ([], nil) }
      return (observers.list.compactMap(\.observer), old)
    }
    if let old { for observer in told { observer.environment(self, stateDidChangeFromOldState: old) } }
    return now
  }

  /// Adds an observer, held weakly. It hears of a change when ``state`` is looked at: nothing watches the reader meanwhile.
  public func addObserver(_ observer: any LAEnvironmentObserver) {
    observers.withLock { $0.list.append(WeakObserver(observer)) }
  }

  /// Removes an observer.
  public func removeObserver(_ observer: any LAEnvironmentObserver) {
    observers.withLock { $0.list.removeAll { $0.observer === observer } }
  }

  private final class WeakObserver: @unchecked Sendable {
    weak let observer: (any LAEnvironmentObserver)?
    init(_ observer: any LAEnvironmentObserver) { self.observer = observer }
  }
}

/// Hears of changes of the environment.
public protocol LAEnvironmentObserver: AnyObject {
  /// The environment is another one now.
  func environment(_ environment: LAEnvironment, stateDidChangeFromOldState oldState: LAEnvironmentState)
}

extension LAEnvironmentObserver {
  /// Does nothing.
  public func environment(_ environment: LAEnvironment, stateDidChangeFromOldState oldState: LAEnvironmentState) {}
}

/// What the user could be asked for at one moment.
public final class LAEnvironmentState: NSObject, @unchecked Sendable {
  /// The reader, or `nil` where there is none.
  public let biometry: LAEnvironmentMechanismBiometry?
  /// The passcode, or `nil` where the daemon cannot be asked.
  public let userPassword: LAEnvironmentMechanismUserPassword?
  /// Paired devices; there are none here.
  public var companions: [LAEnvironmentMechanismCompanion] { [] }
  /// Everything there is.
  public var allMechanisms: [LAEnvironmentMechanism] {
    [biometry, userPassword].compactMap { $0 as LAEnvironmentMechanism? }
  }

  private init(biometry: LAEnvironmentMechanismBiometry?, userPassword: LAEnvironmentMechanismUserPassword?) {
    self.biometry = biometry
    self.userPassword = userPassword
  }

  static func current() -> LAEnvironmentState {
    LAEnvironmentState(
      biometry: LAEnvironmentMechanismBiometry.current(), userPassword: LAEnvironmentMechanismUserPassword.current())
  }

  /// Whether both say the same.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? LAEnvironmentState else { return false }
    return facts == other.facts
  }

  /// Hashes what ``isEqual(_:)`` compares.
  public override var hash: Int { facts.hashValue }

  private var facts: [String] {
    [
      biometry.map {
        "\($0.isUsable) \($0.isEnrolled) \($0.isLockedOut) \($0.biometryType) \($0.stateHash.base64EncodedString())"
      } ?? "", userPassword.map { "\($0.isUsable) \($0.isSet)" } ?? "",
    ]
  }
}

/// A way to prove that the user is there.
public class LAEnvironmentMechanism: NSObject, @unchecked Sendable {
  /// Whether it could be asked for now.
  public let isUsable: Bool
  /// What it is called.
  public let localizedName: String
  /// The name of a picture for it; there is none here.
  public var iconSystemName: String { "" }

  init(isUsable: Bool, localizedName: String) {
    self.isUsable = isUsable
    self.localizedName = localizedName
  }

  /// Why methods could not be asked for now, or `nil` where they could.
  static func obstacle(_ method: MethodBits) -> Reason? {
    do throws(Refusal) {
      try SharedKeychain.keychain.useContext(.canEvaluate([method]), options: CallOptions(interaction: .fail))
      return nil
    } catch { return error.reason }
  }
}

/// The reader.
public final class LAEnvironmentMechanismBiometry: LAEnvironmentMechanism, @unchecked Sendable {
  /// Its kind.
  public let biometryType: LABiometryType
  /// Whether a finger is enrolled.
  public let isEnrolled: Bool
  /// Whether too many fingers did not match.
  public let isLockedOut: Bool
  /// Changes with the enrolled fingers; empty where none is.
  public let stateHash: Data
  /// Whether a reader that is built in cannot be reached: the lid is shut.
  public let builtInSensorInaccessible: Bool

  private init(_ obstacle: Reason?, _ type: LABiometryType) {
    biometryType = type
    isEnrolled = obstacle != .biometryNotEnrolled
    isLockedOut = obstacle == .biometryLockout
    builtInSensorInaccessible = obstacle == .lidClosed
    let state = try? SharedKeychain.keychain.enrolmentState(options: CallOptions(interaction: .fail))
    stateHash = Data(state ?? [])
    super.init(isUsable: obstacle == nil, localizedName: "Fingerprint")
  }

  static func current() -> LAEnvironmentMechanismBiometry? {
    let obstacle = obstacle(.biometry)
    let type = obstacle.map(ContextCore.readerType) ?? .touchID
    return type == .none ? nil : LAEnvironmentMechanismBiometry(obstacle, type)
  }
}

/// The passcode.
public final class LAEnvironmentMechanismUserPassword: LAEnvironmentMechanism, @unchecked Sendable {
  /// Whether the account has one.
  public let isSet: Bool

  private init(_ obstacle: Reason?) {
    isSet = obstacle != .passcodeNotSet && obstacle != .passcodeUnusable
    super.init(isUsable: obstacle == nil, localizedName: "Passcode")
  }

  static func current() -> LAEnvironmentMechanismUserPassword? {
    let obstacle = obstacle(.passcode)
    return obstacle == .serviceUnavailable ? nil : LAEnvironmentMechanismUserPassword(obstacle)
  }
}

/// A paired device; there are none here.
public final class LAEnvironmentMechanismCompanion: LAEnvironmentMechanism, @unchecked Sendable {
  /// Its kind.
  public let type: LACompanionType
  /// Changes with the pairing.
  public let stateHash: Data?

  private init(_ type: LACompanionType) {
    self.type = type
    stateHash = nil
    super.init(isUsable: false, localizedName: "")
  }
}
