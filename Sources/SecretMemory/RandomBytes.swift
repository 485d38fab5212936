internal import CSodium

/// Random bytes for memory that is not secret memory.
public enum RandomBytes {
  /// Fills `target` from the kernel's generator (libsodium `randombytes_buf`; getrandom(2) behind it).
  public static func fill(_ target: inout MutableSpan<UInt8>) {
    SodiumLibrary.requireReady()
    unsafe target.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      unsafe randombytes_buf(start, bytes.count)
    }
  }
}
