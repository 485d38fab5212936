internal import Foundation
internal import KeychainModel
internal import SecretMemory

extension SecretBytes {
  /// Takes a value that a program hands over in ordinary memory.
  ///
  /// - Throws: ``Refusal``: `valueTooLarge` above 1 MiB, `outOfMemory`.
  convenience init(handedOver data: Data) throws(Refusal) {
    guard data.count <= ItemLimits.valueBytes else { throw Refusal(.valueTooLarge) }
    do throws(SecretMemoryError) { try self.init(copying: data.span) } catch { throw Refusal(.outOfMemory) }
  }

  /// The value as the program asked for it: ordinary memory, the program's own from here on.
  var handedOver: Data {
    var data = Data(count: count)
    data.withUnsafeMutableBytes { target in
      withSpan { source in source.withUnsafeBytes { target.copyMemory(from: $0) } }
    }
    return data
  }
}
