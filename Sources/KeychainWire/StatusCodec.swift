internal import KeychainModel

/// The status reply, field by field in the order of its declaration.
extension WireWriter {
  mutating func put(_ status: StatusReply) throws(WireError) {
    try put(status.version, limit: WireLimits.wordBytes)
    try put(status.mode, limit: WireLimits.wordBytes)
    put(UInt32(bitPattern: status.pid))
    try put(status.socket, limit: WireLimits.lineBytes)
    try put(status.store, limit: WireLimits.lineBytes)
    try put(status.keybag.rawValue, limit: WireLimits.wordBytes)
    put(status.hasRecoveryKey)
    put(status.items)
    try put(status.cache, limit: WireLimits.lineBytes)
    try putList(status.cached, limit: WireLimits.listEntries) { (writer, entry) throws(WireError) in
      try writer.put(entry.kind, limit: WireLimits.wordBytes)
      try writer.put(entry.subject, limit: WireLimits.attributeBytes)
      writer.put(entry.secondsLeft)
    }
    put(status.misses)
    put(status.retryAfterSeconds)
    try putLines(status.triggers)
    try put(status.installation, limit: WireLimits.lineBytes)
    try putList(status.threats, limit: WireLimits.listEntries) { (writer, line) throws(WireError) in
      try writer.put(line.threat, limit: WireLimits.lineBytes)
      try writer.put(line.answer, limit: WireLimits.lineBytes)
    }
    try putLines(status.notes)
  }
}

extension WireReader {
  mutating func status() throws(WireError) -> StatusReply {
    var status = StatusReply()
    status.version = try text(limit: WireLimits.wordBytes)
    status.mode = try text(limit: WireLimits.wordBytes)
    status.pid = Int32(bitPattern: try uint32())
    status.socket = try text(limit: WireLimits.lineBytes)
    status.store = try text(limit: WireLimits.lineBytes)
    status.keybag = try word()
    status.hasRecoveryKey = try flag()
    status.items = try uint64()
    status.cache = try text(limit: WireLimits.lineBytes)
    status.cached = try list(limit: WireLimits.listEntries) { (reader) throws(WireError) in
      let kind = try reader.text(limit: WireLimits.wordBytes)
      let subject = try reader.text(limit: WireLimits.attributeBytes)
      return CachedEntry(kind: kind, subject: subject, secondsLeft: try reader.uint32())
    }
    status.misses = try uint32()
    status.retryAfterSeconds = try uint32()
    status.triggers = try lines()
    status.installation = try text(limit: WireLimits.lineBytes)
    status.threats = try list(limit: WireLimits.listEntries) { (reader) throws(WireError) in
      let threat = try reader.text(limit: WireLimits.lineBytes)
      return ThreatLine(threat: threat, answer: try reader.text(limit: WireLimits.lineBytes))
    }
    status.notes = try lines()
    return status
  }
}
