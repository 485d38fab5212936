internal import SecretMemory

/// The slots of a ring and the rules that keep them.
///
/// A reference, so that a read neither copies nor moves the slots and the calls.
// SAFETY: the ring holds its lock around every call, and no other object knows the table.
final class SlotTable: @unchecked Sendable {
  private let calls: KeyringCalls
  private let ring: KeyringCalls.Serial
  private let boottime: @Sendable () -> UInt64
  private var slots: [Slot]
  private var places: [SlotEntry: Int] = [:]
  private var writes: UInt64 = 0
  /// One zero byte: what a slot holds while it holds nothing.
  private let blank: SecretBytes

  /// Makes all slots, or none.
  init(_ keyring: KernelKeyring, boottime: @escaping @Sendable () -> UInt64) throws(KeyringRefusal) {
    if case .off(let refusal) = keyring.availability { throw refusal }
    self.calls = keyring.calls
    self.ring = keyring.ring
    self.boottime = boottime
    self.slots = []
    do { self.blank = try SecretBytes(count: 1) } catch { throw .noLockedMemory }
    do {
      for kind in SlotKind.allCases {
        for _ in 0..<kind.capacity { slots.append(try makeSlot(kind)) }
      }
    } catch {
      discard()
      throw error
    }
  }

  // MARK: What the ring offers

  /// Puts the secret under the entry's name with a fresh timeout; the caller has checked the bounds.
  func write(_ secret: SecretBytes, to entry: SlotEntry, seconds: UInt32) -> SlotWrite {
    let place = takePlace(for: entry)
    // Taken before the write, so that this deadline is never later than the kernel's own.
    let deadline = boottime() + UInt64(seconds) * 1_000_000_000
    do {
      try store(secret, at: place, seconds: seconds)
    } catch {
      _ = erase(place)
      return .off(error)
    }
    writes += 1
    let held = Slot.Held(entry: entry, count: secret.count, deadline: deadline, order: writes)
    slots[place].content = .held(held)
    places[entry] = place
    return .kept
  }

  func read(_ entry: SlotEntry) -> SlotRead {
    guard let place = places[entry] else { return .ended(.missing) }
    switch slots[place].content {
    case .empty: return .ended(.missing)
    case .ended(_, let ending): return .ended(ending)
    case .held(let held): return read(held, at: place)
    }
  }

  /// Seconds until the entry ends, begun ones counted whole; nil where it has.
  func secondsLeft(_ entry: SlotEntry) -> UInt32? {
    guard let place = places[entry], case .held(let held) = slots[place].content else { return nil }
    return secondsLeft(held)
  }

  /// All entries that live.
  func entries() -> [(entry: SlotEntry, secondsLeft: UInt32)] {
    slots.compactMap { slot in
      guard case .held(let held) = slot.content, let left = secondsLeft(held) else { return nil }
      return (held.entry, left)
    }
  }

  /// Ends every entry that the predicate names, in the kernel and here. It goes on past a refusal and tells the first.
  func revoke(where isNamed: (SlotEntry) -> Bool) -> SlotRevocation {
    var outcome = SlotRevocation.done
    for place in slots.indices {
      guard case .held(let held) = slots[place].content, isNamed(held.entry) else { continue }
      slots[place].content = .ended(held.entry, .revoked)
      if case .incomplete(let refusal) = erase(place), outcome == .done { outcome = .incomplete(refusal) }
    }
    return outcome
  }

  /// Why the ring itself holds nothing any more, as when somebody revoked it; `nil` where it does. A full quota is not
  /// that: it may empty again.
  func lostRing() -> KeyringRefusal? {
    do {
      let probe = try calls.add("latchkey-probe", blank, ring)
      try? calls.unlink(probe, ring)
      return nil
    } catch {
      return error.isEndOfKey ? .call(.add, error) : nil
    }
  }

  /// The kernel's numbers of all slots.
  var serials: [KeyringCalls.Serial] { slots.map(\.serial) }

  /// The kernel's number of the slot the entry is in.
  func serial(of entry: SlotEntry) -> KeyringCalls.Serial? { places[entry].map { slots[$0].serial } }

  /// Takes every key out of the kernel's ring, so that none counts against the quota; the end of the table.
  func discard() {
    for slot in slots { try? calls.unlink(slot.serial, ring) }
  }

  // MARK: Places

  /// The entry's own slot, an unused one of its kind, or that of the oldest of its kind, which is forgotten.
  private func takePlace(for entry: SlotEntry) -> Int {
    let place = places[entry] ?? oldestPlace(of: entry.kind)
    if let former = slots[place].entry { places[former] = nil }
    slots[place].content = .empty
    return place
  }

  private func oldestPlace(of kind: SlotKind) -> Int {
    var oldest: Int?
    for place in slots.indices where slots[place].kind == kind {
      if let found = oldest, slots[found].age <= slots[place].age { continue }
      oldest = place
    }
    guard let oldest else { preconditionFailure("every kind has slots") }
    return oldest
  }

  // MARK: The kernel's side

  private func makeSlot(_ kind: SlotKind) throws(KeyringRefusal) -> Slot {
    let description: String
    do { description = try Self.randomDescription() } catch { throw .noLockedMemory }
    var slot = Slot(kind: kind, description: description, serial: 0)
    slot.serial = try add(blank, as: description)
    return slot
  }

  /// 16 random bytes in hexadecimal.
  private static func randomDescription() throws(SecretMemoryError) -> String {
    let digits = Array("0123456789abcdef")
    return try SecretBytes.random(count: 16).withSpan { span in
      var text = ""
      for index in span.indices { text += [digits[Int(span[index] >> 4)], digits[Int(span[index] & 15)]] }
      return text
    }
  }

  private func add(_ payload: SecretBytes, as description: String) throws(KeyringRefusal) -> KeyringCalls.Serial {
    let serial = try KernelKeyring.attempt(.add) { () throws(KeyringError) in
      try calls.add(description, payload, ring)
    }
    do {
      try calls.setPermissions(serial, KeyringPermissions.key)
    } catch {
      try? calls.revoke(serial)
      throw .call(.setPermissions, error)
    }
    return serial
  }

  /// Replaces the payload and arms the timeout anew, because every write clears it.
  private func store(_ secret: SecretBytes, at place: Int, seconds: UInt32) throws(KeyringRefusal) {
    let slot = slots[place]
    do {
      try calls.update(slot.serial, secret)
    } catch {
      // Adding under the same description revives an expired key and replaces a revoked or collected one.
      guard error.isEndOfKey else { throw .call(.update, error) }
      slots[place].serial = try add(secret, as: slot.description)
    }
    let serial = slots[place].serial
    // The kernel counts whole seconds of the wall clock and may end a key up to one second early; the deadline is exact.
    try KernelKeyring.attempt(.setTimeout) { () throws(KeyringError) in try calls.setTimeout(serial, seconds + 1) }
  }

  private func read(_ held: Slot.Held, at place: Int) -> SlotRead {
    guard boottime() < held.deadline else { return end(held, at: place, .expired) }
    let secret: SecretBytes
    do { secret = try SecretBytes(count: held.count) } catch { return .ended(.cacheOff(.noLockedMemory)) }
    do {
      let count = try calls.read(slots[place].serial, secret)
      return count == held.count ? .found(secret) : end(held, at: place, .missing)
    } catch .expired {
      return end(held, at: place, .expired)
    } catch .revoked {
      return end(held, at: place, .revoked)
    } catch .noKey, .accessDenied {
      return end(held, at: place, .missing)
    } catch {
      return .ended(.cacheOff(.call(.read, error)))
    }
  }

  private func end(_ held: Slot.Held, at place: Int, _ ending: SlotEnding) -> SlotRead {
    slots[place].content = .ended(held.entry, ending)
    _ = erase(place)
    return .ended(ending)
  }

  /// Frees the payload in the kernel now: a blank takes its place, so that the slot stays and no dead key counts against the
  /// quota until the kernel collects it. Where that is refused the key is revoked.
  private func erase(_ place: Int) -> SlotRevocation {
    do {
      try calls.update(slots[place].serial, blank)
      return .done
    } catch .expired {
      return reviveBlank(place)
    } catch {
      return error.isEndOfKey ? .done : revokeKey(place)
    }
  }

  /// An expired key can neither be updated nor revoked and would keep its payload until the kernel collects it, minutes later.
  private func reviveBlank(_ place: Int) -> SlotRevocation {
    do {
      slots[place].serial = try add(blank, as: slots[place].description)
      return .done
    } catch {
      return .incomplete(error)
    }
  }

  private func revokeKey(_ place: Int) -> SlotRevocation {
    do {
      try calls.revoke(slots[place].serial)
      return .done
    } catch {
      return error.isEndOfKey ? .done : .incomplete(.call(.revoke, error))
    }
  }

  private func secondsLeft(_ held: Slot.Held) -> UInt32? {
    let now = boottime()
    guard now < held.deadline else { return nil }
    return UInt32(clamping: (held.deadline - now + 999_999_999) / 1_000_000_000)
  }
}
