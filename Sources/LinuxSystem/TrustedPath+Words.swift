extension TrustedPath.Reason {
  /// What is wrong, to follow the component's name.
  public var words: String {
    switch self {
    case .owner(let uid): "belongs to user \(uid)"
    case .writable: "can be written by others"
    case .notAbsolute: "is not an absolute path"
    case .tooManyLinks: "leads through too many links"
    case .unreadable(let failure): "cannot be looked at (\(failure.words))"
    }
  }

  /// The command that mends a component, for root; `nil` where none does, as for a folder that is meant for everybody
  /// (sticky, like /tmp): then the files must move.
  public func command(for component: String) -> String? {
    switch self {
    case .owner: "chown root:root \(ShellWord(component))"
    case .writable(let mode): mode & 0o1000 == 0 ? "chmod go-w \(ShellWord(component))" : nil
    case .notAbsolute, .tooManyLinks, .unreadable: nil
    }
  }
}
