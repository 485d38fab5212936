/// A value of a document, with its place.
struct YAMLNode {
  var content: Content
  /// Where it begins.
  var mark: YAMLMark

  indirect enum Content {
    case scalar(YAMLScalar)
    case sequence([YAMLNode])
    case mapping([YAMLPair])
    /// Something the subset does not have (an alias, a tagged value); its fault is already told.
    case refused
  }

  /// What it is, for sentences.
  var kindName: String {
    switch content {
    case .scalar: "a single value"
    case .sequence: "a list"
    case .mapping: "a mapping"
    case .refused: "nothing"
    }
  }
}

/// A scalar as written.
struct YAMLScalar {
  var text: String
  var style: YAMLScalarStyle
  /// Whether it goes on in a further line.
  var spansLines: Bool
}

/// One entry of a mapping.
struct YAMLPair {
  var key: YAMLNode
  var value: YAMLNode
}
