/// How much secret memory there is, for `status`.
public enum SecretMemory {
  /// Bytes of this process that are locked for secrets now, in whole pages: 0 to ``limit``.
  public static var lockedBytes: Int { LockedArena.shared.lockedBytes }

  /// The most bytes that may be locked: three quarters of RLIMIT_MEMLOCK (getrlimit(2)) and at most 64 MiB. Past it
  /// making a ``SecretBytes`` throws `.unavailable`; secrets never go to memory that is not locked.
  /// A quarter of it, at most 2 MiB, is kept for values of up to 4096 bytes.
  public static var limit: Int { LockedArena.shared.limit }

  /// The most bytes that values longer than 4096 bytes may have together, in whole pages: 0 to ``limit``.
  public static var largeLimit: Int { LockedArena.shared.largeLimit }
}
