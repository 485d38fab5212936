public import KeychainModel

extension Refusal {
  /// The refusal with a detail that fits a frame: cut at a character's edge where it is longer than 1024 bytes.
  public func clipped() -> Refusal {
    guard detail.utf8.count > WireLimits.shortTextBytes else { return self }
    var kept = ""
    for scalar in detail.unicodeScalars {
      guard kept.utf8.count + UTF8.width(scalar) <= WireLimits.shortTextBytes else { break }
      kept.unicodeScalars.append(scalar)
    }
    return Refusal(reason, detail: kept)
  }
}
