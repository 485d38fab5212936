/// What the daemon asks of a client in the middle of a request.
public enum PresentationWanted: Hashable, Sendable {
  /// A proof is needed: say where the prompt may appear. `attempt` counts from 1 within the request.
  case prompt(attempt: UInt32)
}

/// Where a prompt may appear. A terminal's descriptor and a passcode travel beside the message.
public enum Presentation: Hashable, Sendable {
  /// The terminal whose descriptor comes with the message.
  case terminal
  /// A display: the variables pinentry needs (DISPLAY, WAYLAND_DISPLAY, XAUTHORITY, XDG_RUNTIME_DIR,
  /// DBUS_SESSION_BUS_ADDRESS, LANG, LC_ALL); at most 8 of 512 bytes each.
  case display([String: String])
  /// No prompt: the passcode is the secret at this place.
  case passcode(SecretIndex)
  /// No way to prompt.
  case none
}

/// A line the daemon sends while a request waits; shown or ignored.
public struct Notice: Hashable, Sendable {
  /// What it is about.
  public var kind: NoticeKind
  /// Text for people.
  public var text: String
  /// Makes a notice.
  public init(kind: NoticeKind, text: String) {
    self.kind = kind
    self.text = text
  }
}

/// Kinds of notices.
public enum NoticeKind: UInt8, CaseIterable, Sendable {
  /// A prompt is up or waits for its turn.
  case waiting = 1
  /// The keybag was bound to the passcode: plain items now need one unlock after each boot.
  case bound = 2
}
