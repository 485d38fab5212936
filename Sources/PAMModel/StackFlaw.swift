/// Why a stack file is refused, and where.
public struct StackFlaw: Error, Hashable, Sendable {
  /// The line, from 1. A flaw of an included file stands at the line that includes it.
  public var line: Int
  /// What is wrong.
  public var reason: StackFlawReason

  /// The module it is about, as the line names it; `nil` for a flaw of the line or the stack.
  public var module: String?

  /// Makes a flaw.
  public init(line: Int, reason: StackFlawReason, module: String? = nil) {
    self.line = line
    self.reason = reason
    self.module = module
  }

  /// One sentence for people, without a full stop.
  public var sentence: String { (module.map { "\($0): " } ?? "") + reason.explanation }
}

/// What makes a stack unfit to prove presence.
public enum StackFlawReason: String, CaseIterable, Sendable {
  /// No `auth` line: PAM would run the stack `other` in its place.
  case noAuthentication
  /// No `account` line: PAM would run the stack `other` in its place.
  case noAccount
  /// Every `auth` line is ignored or optional, so that none is demanded.
  case nothingDemanded
  /// The `auth` lines can succeed although no module that verifies the person has succeeded.
  case acceptsWithoutProof
  /// `nullok` lets an empty passcode in.
  case emptyPasscodeAllowed
  /// A relative `include`, `substack` or `@include`: libpam looks for it in /etc/pam.d, not beside the stack.
  case relativeInclude
  /// An included file cannot be read.
  case includeUnreadable
  /// Files include each other more than 8 deep.
  case includesTooDeep
  /// A module named by its path could be changed by somebody whom the daemon does not trust.
  case untrustedModule
  /// A module that the stack fails without is not there.
  case missingModule
  /// A line that pam.conf(5) does not allow.
  case syntax
  /// A line of more than 1022 bytes: libpam would cut it in two.
  case lineTooLong
  /// A backslash with blanks, nothing, a comment or an empty line behind it: libpam joins over them.
  case brokenContinuation
  /// A file is larger than 64 KiB, or there are more than 256 auth lines or 32 included files in all.
  case tooLarge

  /// Whether the stack would, or might, accept without a proof; the others make it unusable.
  public var cannotFail: Bool {
    switch self {
    case .noAuthentication, .nothingDemanded, .acceptsWithoutProof, .emptyPasscodeAllowed: true
    case .noAccount, .relativeInclude, .includeUnreadable, .includesTooDeep, .untrustedModule, .missingModule, .syntax,
      .lineTooLong,
      .brokenContinuation, .tooLarge:
      false
    }
  }

  /// One sentence for people.
  public var explanation: String {
    switch self {
    case .noAuthentication: "no auth line, so PAM would run the stack 'other'"
    case .noAccount: "no account line, so PAM would run the stack 'other'"
    case .nothingDemanded: "every auth line is optional or ignored"
    case .acceptsWithoutProof:
      "the auth lines can succeed without any module that verifies the person having succeeded; one that Latchkey does "
        + "not know counts only where it is required or requisite"
    case .emptyPasscodeAllowed: "nullok lets an empty passcode in"
    case .relativeInclude: "a relative include is looked up in /etc/pam.d, not beside this file"
    case .includeUnreadable: "the included file cannot be read"
    case .includesTooDeep: "files include each other more than 8 deep"
    case .untrustedModule: "others than root could change the module's file or a folder above it"
    case .missingModule: "the module is not installed, and the stack fails without it"
    case .syntax: "not a line of pam.conf(5)"
    case .lineTooLong: "a line of more than 1022 bytes, which libpam would cut in two"
    case .brokenContinuation: "a backslash must be followed at once by the next line, and that line must say something"
    case .tooLarge: "more than 64 KiB, 256 auth lines or 32 included files"
    }
  }
}
