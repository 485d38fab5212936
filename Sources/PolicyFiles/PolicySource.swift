/// Where the texts of one layer come from. This room opens no file: the caller reads them and checks who owns them.
public protocol PolicySource {
  /// The entries of the layer, in any order; none where the folder does not exist.
  ///
  /// - Throws: ``PolicySourceError`` where nobody can tell which entries there are: then the whole layer fails closed.
  func entries() throws(PolicySourceError) -> [PolicySourceEntry]
}

/// One file of a folder of policies.
public struct PolicySourceEntry: Hashable, Sendable {
  /// Its name without the folder.
  public var name: String
  /// What it holds.
  public var content: Content

  /// Names what a file holds.
  public init(name: String, content: Content) {
    self.name = name
    self.content = content
  }

  /// The bytes of a file, or why they must not be used.
  public enum Content: Hashable, Sendable {
    /// The bytes.
    case text([UInt8])
    /// The file may not be used (its owner, its mode, its kind, its size); a sentence.
    case refused(String)
  }
}

/// Why a folder of policies could not be listed.
public struct PolicySourceError: Error, Hashable, Sendable {
  /// The folder.
  public var folder: String
  /// What is wrong, a sentence.
  public var message: String

  /// Names the folder and what is wrong with it.
  public init(folder: String, message: String) {
    self.folder = folder
    self.message = message
  }
}
