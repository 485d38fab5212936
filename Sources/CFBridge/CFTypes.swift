@_exported public import Foundation

/// A result code of the Security framework: 0 for success, negative otherwise (`SecBase.h`).
public typealias OSStatus = Int32
