public import CFBridge

/// One sentence for each documented code.
enum ResultCodeMessages {
  /// Every row of every table.
  static let rows: [(code: OSStatus, sentence: String)] =
    keychain + certificate + module + attribute + trust + timestamp

  private static let sentences = Dictionary(uniqueKeysWithValues: rows.map { ($0.code, $0.sentence) })

  /// The code's sentence, or `nil` for a code that is not documented.
  static func sentence(for code: OSStatus) -> String? { sentences[code] }
}

/// A sentence for a person that says what a result code means, in English.
///
/// Apple counterpart: the function of the same name; the wording is ours. A code that is not documented gives
/// "OSStatus N".
///
/// - Parameters:
///   - status: The code.
///   - reserved: Not used; `nil`.
/// - Returns: The sentence, never `nil`.
@discardableResult
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
  NSString(string: ResultCodeMessages.sentence(for: status) ?? "OSStatus \(status)")
}
