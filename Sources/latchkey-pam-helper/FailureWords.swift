internal import DialogueWire
internal import PAMModel

extension HelperFailure {
  /// One sentence for the person at the prompt.
  var words: String {
    switch cause {
    case .refusedByStack: stackWords
    case .emptyAnswer: "An empty passcode is not accepted."
    case .answerTooLong, .answerHasNUL: "This cannot be a passcode."
    case .cancelledByUser, .terminalGone: "Cancelled."
    case .deadlinePassed: "Nobody answered in time."
    case .stackMissing, .stackUnusable, .stackCannotFail: "The PAM stack cannot be used."
    case .requestRefused, .conversationRefused, .unexpectedQuestion, .prompterFailed, .derivationFailed:
      "The passcode could not be checked."
    case .userChanged: "PAM authenticated another user."
    }
  }

  private var stackWords: String {
    switch (stage, result) {
    case (.authenticate, .authenticationError) where missCount > 0,
      (.authenticate, .maximumTries) where missCount > 0:
      "Wrong passcode."
    case (_, .accountExpired): "The account has expired."
    case (_, .newTokenRequired), (_, .tokenExpired): "The passcode has expired."
    case (_, .userUnknown): "PAM does not know the account."
    case (_, .maximumTries): "Too many wrong answers."
    case (_, .authenticationUnavailable), (_, .credentialsUnavailable): "The passcode could not be checked."
    default: "PAM refused."
    }
  }
}
