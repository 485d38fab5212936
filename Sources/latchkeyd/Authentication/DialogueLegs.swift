internal import AccessPolicy
internal import DialogueWire
internal import KeychainModel
internal import PAMModel

/// What a dialogue asks for, with the stacks that prove it.
enum DialogueLegs: Sendable {
  /// The passcode.
  case passcode(CheckedStack)
  /// A finger.
  case finger(CheckedStack)
  /// Both at once; whichever is proved first is enough.
  case either(passcode: CheckedStack, finger: CheckedStack)
  /// Both at once, and both are wanted.
  case both(passcode: CheckedStack, finger: CheckedStack)

  /// The stack of the passcode, or `nil`.
  var passcode: CheckedStack? {
    switch self {
    case .passcode(let stack), .either(let stack, _), .both(let stack, _): stack
    case .finger: nil
    }
  }

  /// The stack of the finger, or `nil`.
  var finger: CheckedStack? {
    switch self {
    case .finger(let stack), .either(_, let stack), .both(_, let stack): stack
    case .passcode: nil
    }
  }

  /// How the prompt speaks of the finger.
  var offer: FingerOffer {
    switch self {
    case .passcode: .none
    case .finger: .alone
    case .either: .orPasscode
    case .both: .andPasscode
    }
  }

  /// The legs of the alternatives that can run, as few as are enough; `nil` where there is none.
  init?(_ runnable: [MethodSet], passcode: CheckedStack?, finger: CheckedStack?) {
    let single = (runnable.contains(.passcode) ? passcode : nil, runnable.contains(.biometry) ? finger : nil)
    switch single {
    case (let passcode?, let finger?): self = .either(passcode: passcode, finger: finger)
    case (let passcode?, nil): self = .passcode(passcode)
    case (nil, let finger?): self = .finger(finger)
    case (nil, nil):
      guard runnable.contains(.all), let passcode, let finger else { return nil }
      self = .both(passcode: passcode, finger: finger)
    }
  }
}
