extension [UInt8] {
  /// An array whose `count` bytes a C call writes: all of them, or the call has no business here.
  init(writing count: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Void) {
    self = unsafe [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
      guard let start = target.baseAddress else { return }
      unsafe write(start)
      initialized = count
    }
  }
}
