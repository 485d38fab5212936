internal import AccessPolicy
internal import KeychainModel

/// Reads `callers`: which programs may use the service, and the access groups each holds.
enum CallerRuleReader {
  static func read(_ node: YAMLNode, _ reader: inout NodeReader) -> [CallerRule]? {
    guard let items = reader.items(of: node, "'callers'", most: PolicyLimits.callers) else { return nil }
    if items.isEmpty {
      reader.log.add(
        node.mark, "'callers' names no program, so that none could use the service; name one or leave it out.")
    }
    var seen: Set<ExactText> = []
    return items.compactMap { item in
      guard let (rule, mark) = rule(item, &reader) else { return nil }
      if !seen.insert(ExactText(rule.executable)).inserted {
        reader.log.add(mark, "\(shown(rule.executable)) stands twice under 'callers'; put its groups together.")
      }
      return rule
    }
  }

  private static func rule(_ node: YAMLNode, _ reader: inout NodeReader) -> (CallerRule, YAMLMark)? {
    let known = ["executable", "groups"]
    guard let entries = reader.entries(of: node, "an entry of 'callers'", known: known) else { return nil }
    let groups = entries["groups"].map { readGroups($0.value, &reader) } ?? []
    guard let pair = entries["executable"] else {
      reader.log.add(node.mark, "an entry of 'callers' has no 'executable'.")
      return nil
    }
    guard let path = reader.text(pair.value, "'executable'", bytes: 1...PolicyLimits.executableBytes) else {
      return nil
    }
    if let complaint = complaint(aboutPath: path) { reader.log.add(pair.value.mark, "'executable' \(complaint).") }
    return (CallerRule(executable: path, groups: groups), pair.value.mark)
  }

  /// Why a path does not name one program file, whatever the working directory is.
  private static func complaint(aboutPath path: String) -> String? {
    guard path.utf8.first == UInt8(ascii: "/") else {
      return "is \(shown(path)); it must be a whole path that begins with /"
    }
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
    let isPlain = parts.allSatisfy { !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
    return isPlain ? nil : "is \(shown(path)); write the path without empty parts, '.' or '..'"
  }

  private static func readGroups(_ node: YAMLNode, _ reader: inout NodeReader) -> [ExactText] {
    guard let items = reader.items(of: node, "'groups'", most: PolicyLimits.groups) else { return [] }
    var groups: [ExactText] = []
    for item in items {
      guard let text = reader.text(item, "an entry of 'groups'", bytes: 1...PolicyLimits.groupBytes) else { continue }
      let group = ExactText(text)
      if groups.contains(group) { reader.log.add(item.mark, "\(shown(text)) stands twice in 'groups'.") }
      groups.append(group)
    }
    return groups
  }
}
