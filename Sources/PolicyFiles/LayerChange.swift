internal import AccessPolicy
public import KeychainModel

/// A change of the user's layer, to be judged.
///
/// What a file of the administrator states hides what a user's own policy says of the same service. A change of that would come
/// into force when the file goes, with nobody asked: so a change is judged as the layers are (``isLooser(for:)``) and as they
/// are without the administrator's files (``uncovered(for:)``).
public struct LayerChange: Sendable {
  /// The layers as they are.
  public let before: PolicyLayers
  /// The same with the user's layer changed.
  public let after: PolicyLayers

  /// A change of the user's layer to another.
  public init(of layers: PolicyLayers, user: PolicyFolder) {
    before = layers
    var after = layers
    after.user = user
    self.after = after
  }

  private init(_ change: LayerChange, system: PolicyFolder) {
    (before, after) = (change.before.replacing(system: system), change.after.replacing(system: system))
  }

  /// Whether a service opens more easily afterwards. One that no policy could be told for was shut.
  public func isLooser(for service: ExactText) -> Bool {
    guard let new = try? after.effective(for: service) else { return false }
    guard let old = try? before.effective(for: service) else { return true }
    return new.policy.isLooser(than: old.policy)
  }

  /// The change with every file of the administrator gone.
  public var withoutSystem: LayerChange { LayerChange(self, system: PolicyFolder(origin: .system)) }

  /// The change with every file gone but the user's.
  public var ofUserAlone: LayerChange {
    var before = PolicyLayers()
    before.user = self.before.user
    return LayerChange(of: before, user: after.user)
  }

  /// The change as it is for a service once files of the administrator are gone: all of them, or all but one that speaks of
  /// the service. Which others go beside is the same to the service: one file of a layer speaks.
  public func uncovered(for service: ExactText) -> [LayerChange] {
    let remaining = before.system.files(of: service).map { PolicyFolder(origin: .system, only: $0) }
    return [withoutSystem] + remaining.map { LayerChange(self, system: $0) }
  }
}

extension PolicyLayers {
  /// These layers with another one of the administrator's.
  fileprivate func replacing(system: PolicyFolder) -> PolicyLayers {
    PolicyLayers(system: system, user: user, shipped: shipped)
  }
}
