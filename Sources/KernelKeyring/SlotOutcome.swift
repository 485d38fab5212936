public import SecretMemory

/// What became of a write.
public enum SlotWrite: Equatable, Sendable {
  /// The entry is in the kernel and ends by itself.
  case kept
  /// The kernel did not keep it, or not with its timeout; nothing of it, nor of what stood there before, can be read.
  case off(KeyringRefusal)
  /// It leaves a bound of ``SlotRing``; nothing was written, and what stood under that name before is revoked.
  case refused(SlotBound)
}

/// A bound that a write left.
public enum SlotBound: Equatable, Sendable {
  /// Not 1 to ``SlotRing/maximumBytes`` bytes.
  case size
  /// Not 1 to ``SlotRing/maximumSeconds`` seconds; 0 would be no end at all to the kernel.
  case seconds
}

/// What a read found.
public enum SlotRead: Sendable {
  /// The bytes that were written last.
  case found(SecretBytes)
  /// Not there any more, and why; whatever the reason, the owner has to prove their presence again.
  case ended(SlotEnding)
}

/// Why an entry cannot be read.
public enum SlotEnding: Equatable, Sendable {
  /// Its time is over, by the kernel's clock or by the boot clock.
  case expired
  /// It was revoked, by a lock or one by one.
  case revoked
  /// It was never written, an entry of its kind took its place, or the kernel lost it.
  case missing
  /// The kernel does not let it be read.
  case cacheOff(KeyringRefusal)
}

/// What became of a revocation.
public enum SlotRevocation: Equatable, Sendable {
  /// Nothing of it can be read any more.
  case done
  /// The ring lends it no more, but the kernel keeps the payload until its timeout: it refused to free it.
  case incomplete(KeyringRefusal)
}
