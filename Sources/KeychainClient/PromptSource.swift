public import KeychainModel
internal import KeychainWire
public import LinuxSystem
public import SecretMemory

/// Where a prompt may appear when the daemon wants a proof. Nothing is opened before it does.
public enum PromptSource: Sendable {
  /// The controlling terminal; without one the display the environment names; without both nowhere.
  case automatic
  /// The controlling terminal, or nowhere.
  case controllingTerminal
  /// This terminal.
  case terminal(OwnedDescriptor)
  /// The display the environment names, or nowhere.
  case display
  /// No prompt: a passcode the program hands in. It is asked for each proof anew; what it throws ends the request.
  case passcode(@Sendable (_ attempt: UInt32) throws(Refusal) -> SecretBytes)
  /// Nowhere.
  case none

  /// A passcode that stands ready on a descriptor; it serves for one proof only.
  ///
  /// - Throws: `passcodeSuppliedTwice` for the second proof, and as ``PasscodeDescriptor/read(_:)``.
  public static func passcode(from descriptor: OwnedDescriptor) -> PromptSource {
    .passcode { (attempt) throws(Refusal) in
      guard attempt == 1 else { throw Refusal(.passcodeSuppliedTwice) }
      return try PasscodeDescriptor.read(descriptor)
    }
  }

  /// What to answer.
  func offer(attempt: UInt32) throws(Refusal) -> PromptOffer {
    switch self {
    case .none: return PromptOffer(.none)
    case .terminal(let terminal): return PromptOffer(.terminal, descriptor: terminal)
    case .controllingTerminal: return PromptOffer.controllingTerminal() ?? PromptOffer(.none)
    case .display: return PromptOffer.display() ?? PromptOffer(.none)
    case .automatic: return PromptOffer.controllingTerminal() ?? PromptOffer.display() ?? PromptOffer(.none)
    case .passcode(let provide): return PromptOffer(.passcode(0), secrets: [try provide(attempt)])
    }
  }
}

/// A presentation with what travels beside it.
struct PromptOffer: Sendable {
  let presentation: Presentation
  let secrets: [SecretBytes]
  let descriptor: OwnedDescriptor?

  init(_ presentation: Presentation, secrets: [SecretBytes] = [], descriptor: OwnedDescriptor? = nil) {
    self.presentation = presentation
    self.secrets = secrets
    self.descriptor = descriptor
  }

  static func controllingTerminal() -> PromptOffer? {
    ControllingTerminal.open().map { PromptOffer(.terminal, descriptor: $0) }
  }

  /// The display, where the environment names one.
  static func display() -> PromptOffer? {
    var variables: [String: String] = [:]
    for name in DisplayVariable.names {
      guard let value = Environment.value(name), !value.isEmpty else { continue }
      guard value.utf8.count <= WireLimits.displayValueBytes else { continue }
      variables[name] = value
    }
    guard variables["DISPLAY"] != nil || variables["WAYLAND_DISPLAY"] != nil else { return nil }
    return PromptOffer(.display(variables))
  }
}
