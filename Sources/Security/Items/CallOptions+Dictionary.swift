internal import Foundation
internal import KeychainClient
internal import KeychainModel

extension CallOptions {
  /// What a dictionary says about prompting (its `u_` keys and its context).
  ///
  /// - Throws: ``Refusal``: `invalidParameter` for wrong types and for skip where it has no place, `contextInvalid`.
  init(_ dictionary: ItemDictionary, maySkip: Bool = false) throws(Refusal) {
    self.init(interaction: try Self.interaction(dictionary))
    if interaction == .skip, !maySkip { throw Refusal(.invalidParameter, detail: "skipping is for reads") }
    _ = try dictionary.flag(.useDataProtectionKeychain)
    reason = try dictionary.text(.useOperationPrompt).flatMap(Self.reason)
    guard let object = dictionary[.useAuthenticationContext] else { return }
    guard let authentication = object as? any AuthenticationContext else {
      throw Refusal(.invalidParameter, detail: "the authentication context is no LAContext")
    }
    handle = authentication.handle
    reason = reason ?? authentication.promptReason.flatMap(Self.reason)
    titles = authentication.promptTitles
    if authentication.forbidsPrompts, interaction == .allow { interaction = .fail }
    applicationPassword = authentication.applicationPassword
  }

  private static func interaction(_ dictionary: ItemDictionary) throws(Refusal) -> InteractionMode {
    let forbidden = try dictionary.flag(.useNoAuthenticationUI) == true
    switch try dictionary.text(.useAuthenticationUI) {
    case nil, "u_AuthUIA": return forbidden ? .fail : .allow
    case "u_AuthUIF": return .fail
    case "u_AuthUIS": return .skip
    case let other?: throw Refusal(.invalidParameter, detail: "\(other) is no way to prompt")
    }
  }

  /// The text as a prompt takes it: cut behind a whole character where it is too long, `nil` where it is empty.
  static func reason(_ text: String) -> ExactText? {
    text.isEmpty ? nil : PromptReason.clipped(text)
  }
}
