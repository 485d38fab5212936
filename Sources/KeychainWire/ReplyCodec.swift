internal import KeychainModel

/// Replies: a tag and its fields.
extension WireWriter {
  mutating func put(_ reply: KeychainReply) throws(WireError) {
    put(reply.tag.rawValue)
    switch reply {
    case .done(let count): put(count)
    case .added(let item): try put(item)
    case .found(let page): try put(page)
    case .refused(let refusal):
      try put(refusal.reason.rawValue, limit: WireLimits.wordBytes)
      try put(refusal.detail, limit: WireLimits.shortTextBytes)
    case .status(let status): try put(status)
    case .doctor(let findings):
      try putList(findings, limit: WireLimits.listEntries) { (writer, finding) throws(WireError) in
        try writer.put(finding)
      }
    case .recoveryKey(let secret): try putSecret(secret)
    case .policy(let policy): try put(policy)
    case .log(let log):
      try putLines(log.lines)
      putOptional(log.next)
    case .context(let number): put(number)
    case .changed(let count): put(count)
    case .enrolment(let state): try put(state, limit: WireLimits.enrolmentBytes)
    }
  }

  mutating func put(_ item: FoundItem) throws(WireError) {
    put(item.identifier)
    put(item.itemClass.number)
    put(item.attributes != nil)
    if let attributes = item.attributes { try put(attributes) }
    try put(item.accessControl)
    try putOptionalSecret(item.value)
    put(item.dead != nil)
    if let dead = item.dead { try put(dead.rawValue, limit: WireLimits.wordBytes) }
  }

  mutating func putLines(_ lines: [String]) throws(WireError) {
    try putList(lines, limit: WireLimits.listEntries) { (writer, line) throws(WireError) in
      try writer.put(line, limit: WireLimits.lineBytes)
    }
  }

  private mutating func put(_ page: FindReply) throws(WireError) {
    try putCount(page.items.count, limit: WireLimits.publicBytes - 1)
    for item in page.items { try put(item) }
    put(page.hidden)
    putOptional(page.next)
  }

  private mutating func put(_ finding: DoctorFinding) throws(WireError) {
    put(finding.level.rawValue)
    try put(finding.check, limit: WireLimits.wordBytes)
    try put(finding.text, limit: WireLimits.lineBytes)
    try put(finding.command, limit: WireLimits.lineBytes)
  }

  private mutating func put(_ policy: PolicyReply) throws(WireError) {
    try putList(policy.layers, limit: WireLimits.listEntries) { (writer, layer) throws(WireError) in
      try writer.put(layer.origin, limit: WireLimits.wordBytes)
      try writer.put(layer.service, limit: WireLimits.attributeBytes)
      try writer.put(layer.file, limit: WireLimits.lineBytes)
      try writer.put(layer.text, limit: WireLimits.policyBytes)
    }
    try put(policy.effective, limit: WireLimits.policyBytes)
  }
}

extension WireReader {
  mutating func reply() throws(WireError) -> KeychainReply {
    let tag: ReplyTag = try choice()
    switch tag {
    case .done: return .done(count: try uint32())
    case .added: return .added(try foundItem())
    case .found: return .found(try page())
    case .refused: return .refused(try refusal())
    case .status: return .status(try status())
    case .doctor: return .doctor(try findings())
    case .recoveryKey: return .recoveryKey(try secret())
    case .policy: return .policy(try policyReply())
    case .log:
      let lines = try lines()
      return .log(LogReply(lines: lines, next: try optionalUInt64()))
    case .context: return .context(try uint64())
    case .changed: return .changed(try uint64())
    case .enrolment: return .enrolment(try block(limit: WireLimits.enrolmentBytes))
    }
  }

  mutating func foundItem() throws(WireError) -> FoundItem {
    let identifier = try identifier()
    let itemClass = try itemClass()
    let attributes = try flag() ? try attributes() : nil
    let control = try accessControl()
    let value = try optionalSecret()
    let dead: Reason? = try flag() ? try word() : nil
    return FoundItem(
      identifier: identifier, itemClass: itemClass, attributes: attributes, accessControl: control, value: value,
      dead: dead)
  }

  mutating func lines() throws(WireError) -> [String] {
    try list(limit: WireLimits.listEntries) { (reader) throws(WireError) in
      try reader.text(limit: WireLimits.lineBytes)
    }
  }

  private mutating func page() throws(WireError) -> FindReply {
    let items = try list(limit: WireLimits.publicBytes - 1) { (reader) throws(WireError) in try reader.foundItem() }
    let hidden = try uint32()
    return FindReply(items: items, hidden: hidden, next: try optionalUInt64())
  }

  private mutating func refusal() throws(WireError) -> Refusal {
    let reason: Reason = try word()
    return Refusal(reason, detail: try text(limit: WireLimits.shortTextBytes))
  }

  private mutating func findings() throws(WireError) -> [DoctorFinding] {
    try list(limit: WireLimits.listEntries) { (reader) throws(WireError) in
      let level: DoctorLevel = try reader.choice()
      let check = try reader.text(limit: WireLimits.wordBytes)
      let text = try reader.text(limit: WireLimits.lineBytes)
      return DoctorFinding(
        level: level, check: check, text: text, command: try reader.text(limit: WireLimits.lineBytes))
    }
  }

  private mutating func policyReply() throws(WireError) -> PolicyReply {
    let layers = try list(limit: WireLimits.listEntries) { (reader) throws(WireError) in
      let origin = try reader.text(limit: WireLimits.wordBytes)
      let service = try reader.text(limit: WireLimits.attributeBytes)
      let file = try reader.text(limit: WireLimits.lineBytes)
      return PolicyLayer(
        origin: origin, service: service, file: file, text: try reader.text(limit: WireLimits.policyBytes))
    }
    return PolicyReply(layers: layers, effective: try text(limit: WireLimits.policyBytes))
  }
}

/// The numbers of replies.
enum ReplyTag: UInt8, CaseIterable {
  case done = 1
  case added = 2
  case found = 3
  case refused = 4
  case status = 5
  case doctor = 6
  case recoveryKey = 7
  case policy = 8
  case log = 9
  case context = 10
  case changed = 11
  case enrolment = 12
}

extension KeychainReply {
  var tag: ReplyTag {
    switch self {
    case .done: .done
    case .added: .added
    case .found: .found
    case .refused: .refused
    case .status: .status
    case .doctor: .doctor
    case .recoveryKey: .recoveryKey
    case .policy: .policy
    case .log: .log
    case .context: .context
    case .changed: .changed
    case .enrolment: .enrolment
    }
  }
}
