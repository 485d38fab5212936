internal import AccessPolicy
internal import KeychainModel

extension UserKeychain {
  /// Makes, uses and ends authentication contexts.
  func context(_ request: ContextRequest, _ incoming: IncomingRequest) throws(Refusal) -> Answer {
    switch request {
    case .create:
      return Answer(.context(contexts.make(for: incoming.peer.process).value))
    case .invalidate:
      guard let context = incoming.context else { throw Refusal(.contextInvalid) }
      try contexts.invalidate(context, of: incoming.peer.process)
      shelf.drop(context: context)
      return Answer(.done(count: 1))
    case .canEvaluate(let alternatives):
      try requireOne(of: try methodSets(alternatives))
      return Answer(.done(count: 1))
    case .evaluate, .evaluateAccessControl:
      // A proof that belongs to a context and to no service comes with LocalAuthentication.
      throw Refusal(.unimplemented, detail: "evaluating a context comes with LocalAuthentication")
    }
  }

  private func methodSets(_ bits: [UInt8]) throws(Refusal) -> [MethodSet] {
    let sets = bits.map(MethodSet.init(rawValue:))
    guard !sets.isEmpty, sets.allSatisfy({ !$0.isEmpty && $0.isSubset(of: .all) }) else {
      throw Refusal(.invalidParameter, detail: "a set of methods")
    }
    return sets
  }
}
