internal import CLinux

/// The kernel's clocks, in nanoseconds (clock_gettime(2)).
public enum Clock {
  /// Since boot, suspend included. Deadlines are kept on this one.
  public static var boottime: UInt64 { read(CLOCK_BOOTTIME) }
  /// Since boot, without the time of suspend.
  public static var monotonic: UInt64 { read(CLOCK_MONOTONIC) }
  /// Since 1970; it may jump.
  public static var realtime: UInt64 { read(CLOCK_REALTIME) }
  /// The nanoseconds spent in suspend since boot: it grows only by sleeping.
  public static var suspended: UInt64 {
    let awake = monotonic
    let all = boottime
    return all > awake ? all - awake : 0
  }

  private static func read(_ clock: Int32) -> UInt64 {
    var time = timespec()
    let answer = unsafe clock_gettime(clock, &time)
    // It fails only for a clock the kernel does not have; these three are as old as this program's least kernel.
    precondition(answer == 0, "clock_gettime")
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

/// Which boot this is: a random number that the kernel makes once per boot.
public enum BootID {
  /// The 16 bytes of /proc/sys/kernel/random/boot_id.
  ///
  /// - Throws: ``Errno``: where the file cannot be read; EBADMSG where it is not a UUID.
  public static func current() throws(Errno) -> [UInt8] {
    try parse(try Files.readAll("/proc/sys/kernel/random/boot_id", limit: 64))
  }

  /// Reads a UUID in text: 32 hexadecimal digits, with hyphens, and white space at the end.
  static func parse(_ text: [UInt8]) throws(Errno) -> [UInt8] {
    let digits = text.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "\n") }
    guard digits.count == 32 else { throw .malformed }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: 32, by: 2) {
      guard let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) else {
        throw .malformed
      }
      bytes.append(byte)
    }
    return bytes
  }
}
