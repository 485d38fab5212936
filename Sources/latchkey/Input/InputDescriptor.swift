internal import LinuxSystem

/// A descriptor that the caller opened for this program.
enum InputDescriptor {
  /// A descriptor of our own for the same open file.
  ///
  /// - Throws: ``Failure``: usage, where it is not open.
  static func open(_ number: Int32, for option: Option) throws(Failure) -> OwnedDescriptor {
    do throws(Errno) { return try OwnedDescriptor.duplicating(number) } catch {
      throw Failure(UsageError("--\(option.long): descriptor \(number) is not open."))
    }
  }
}
