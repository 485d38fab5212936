internal import KeychainModel

extension ServicePolicy {
  /// The policy as bytes: the same for policies of the same ``canonical`` form, different for any others. The daemon
  /// hashes them into a ``PolicyDigest``.
  ///
  /// Version (1 byte, 1) | floors (u32 count, then u64 each) | methods (1) | tries (1) | deadline in s (u32) | remote (1) |
  /// window in s (u32) | scope (1) | cache timeout in s (u32) | triggers (1) | callers (1: 0 for every program, else 1 and
  /// a u32 count, then for each program its path and a u32 count of groups with each group). Texts are a u32 count of
  /// bytes and the bytes; numbers are big-endian.
  public var canonicalBytes: [UInt8] {
    let policy = canonical
    var bytes = PolicyBytes()
    bytes.append(UInt8(1))
    bytes.append(UInt32(policy.floors.count))
    for flags in policy.floors { bytes.append(flags.rawValue) }
    bytes.append(policy.methods.rawValue)
    bytes.append(policy.tries)
    bytes.append(policy.deadlineSeconds)
    bytes.append(policy.remote.rawValue)
    bytes.append(policy.reuse.windowSeconds)
    bytes.append(policy.reuse.scope.rawValue)
    bytes.append(policy.cacheTimeoutSeconds)
    bytes.append(policy.dropOn.rawValue)
    bytes.append(policy.callers)
    return bytes.all
  }
}

/// The bytes of a policy while they are gathered.
private struct PolicyBytes {
  var all: [UInt8] = []

  mutating func append(_ number: some FixedWidthInteger & UnsignedInteger) {
    for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
      all.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  mutating func append(_ text: ExactText) {
    append(UInt32(text.bytes.count))
    all += text.bytes
  }

  mutating func append(_ callers: [CallerRule]?) {
    append(UInt8(callers == nil ? 0 : 1))
    guard let callers else { return }
    append(UInt32(callers.count))
    for caller in callers {
      append(ExactText(caller.executable))
      append(UInt32(caller.groups.count))
      for group in caller.groups { append(group) }
    }
  }
}
