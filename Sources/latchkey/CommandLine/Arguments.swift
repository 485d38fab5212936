internal import KeychainModel

/// The words of a command line, sorted by the options a command has. Values are exact bytes: they need not be UTF-8.
struct Arguments {
  /// The words that are no options.
  private(set) var operands: [[UInt8]] = []
  private var values: [String: [UInt8]] = [:]
  private var given: Set<String> = []

  /// Sorts the words.
  ///
  /// `--name VALUE`, `--name=VALUE`, `-n VALUE` and `-nVALUE` give a value; behind `--` everything is an operand, and so is `-`.
  ///
  /// - Parameter end: where the options end: behind all words, or at the first operand.
  /// - Throws: ``UsageError``: an unknown option, one that is given twice, a value that is missing or out of place.
  init(_ words: inout ArraySlice<[UInt8]>, _ options: [Option], end: OptionEnd) throws(UsageError) {
    while let word = words.first {
      let isOption = word.count > 1 && word.first == UInt8(ascii: "-")
      if end == .atFirstOperand, !isOption { return }
      words.removeFirst()
      if word.elementsEqual("--".utf8) {
        operands += words
        words.removeAll()
        return
      }
      guard isOption else {
        operands.append(word)
        continue
      }
      try take(word, options, &words)
    }
  }

  /// Words that are another program's: all of them are operands.
  init(passingOn words: ArraySlice<[UInt8]>) { operands = Array(words) }

  /// Where options end.
  enum OptionEnd { case behindAll, atFirstOperand }

  private mutating func take(
    _ word: [UInt8], _ options: [Option], _ rest: inout ArraySlice<[UInt8]>
  ) throws(UsageError) {
    let isLong = word.starts(with: "--".utf8)
    let (name, attached) = isLong ? Self.splitLong(word) : Self.splitShort(word)
    let found = options.first { option in
      isLong ? name.elementsEqual(option.long.utf8) : option.short.map { name.elementsEqual(String($0).utf8) } ?? false
    }
    let shown = (isLong ? "--" : "-") + String(decoding: name, as: UTF8.self)
    guard let found else { throw UsageError("there is no option '\(shown)'.") }
    guard given.insert(found.long).inserted else { throw UsageError("'\(shown)' is given twice.") }
    guard let what = found.value else {
      if attached != nil { throw UsageError("'\(shown)' takes no value.") }
      return
    }
    guard let value = attached ?? rest.popFirst() else { throw UsageError("'\(shown)' wants \(what).") }
    values[found.long] = value
  }

  private static func splitLong(_ word: [UInt8]) -> (name: [UInt8], value: [UInt8]?) {
    let body = word.dropFirst(2)
    guard let equals = body.firstIndex(of: UInt8(ascii: "=")) else { return (Array(body), nil) }
    return (Array(body[..<equals]), Array(body[(equals + 1)...]))
  }

  private static func splitShort(_ word: [UInt8]) -> (name: [UInt8], value: [UInt8]?) {
    (Array(word[1...1]), word.count > 2 ? Array(word[2...]) : nil)
  }

  /// Whether an option was given.
  func has(_ option: Option) -> Bool { given.contains(option.long) }

  /// An option's exact bytes, or `nil` where it was not given.
  func exact(_ option: Option) -> ExactText? { values[option.long].map { ExactText(bytes: $0) } }

  /// As ``exact(_:)``, for an option that must be given.
  func required(_ option: Option) throws(UsageError) -> ExactText {
    guard let value = exact(option) else { throw UsageError("say '\(Self.shortest(option))'.") }
    return value
  }

  private static func shortest(_ option: Option) -> String {
    (option.short.map { "-\($0)" } ?? "--\(option.long)") + (option.value.map { " \($0)" } ?? "")
  }

  /// An option's text.
  ///
  /// - Throws: ``UsageError``: it is not UTF-8.
  func text(_ option: Option) throws(UsageError) -> String? {
    guard let value = exact(option) else { return nil }
    guard let text = value.validString else { throw UsageError("the value of --\(option.long) is not UTF-8.") }
    return text
  }

  /// An option's number.
  ///
  /// - Throws: ``UsageError``: it is no number, or out of the bounds.
  func number<Number: FixedWidthInteger>(
    _ option: Option, in bounds: ClosedRange<Number>
  ) throws(UsageError) -> Number? {
    guard let text = try text(option) else { return nil }
    guard let number = Number(text), bounds.contains(number), text.first != "+" else {
      throw UsageError("--\(option.long) wants a number from \(bounds.lowerBound) to \(bounds.upperBound).")
    }
    return number
  }

  /// A descriptor that is to be read; standard output and error are none.
  func descriptor(_ option: Option) throws(UsageError) -> Int32? {
    guard let number = try number(option, in: 0...Int32.max) else { return nil }
    if number == 1 || number == 2 {
      throw UsageError("--\(option.long) wants a descriptor that can be read, not \(number).")
    }
    return number
  }

  /// Refuses operands.
  func requireNoOperands() throws(UsageError) {
    guard let first = operands.first else { return }
    throw UsageError("'\(ExactText(bytes: first).string)' has no place here.")
  }

  /// The one operand.
  func onlyOperand(_ what: String) throws(UsageError) -> [UInt8] {
    guard operands.count == 1, !operands[0].isEmpty else { throw UsageError("name one \(what).") }
    return operands[0]
  }
}
