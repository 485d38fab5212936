import Testing

@testable import latchkeyd

@Test func `the strengths of stretching are spelled as libsodium spells them`() {
  #expect(StretchingStrength.allCases.map(\.rawValue) == ["interactive", "moderate"])
}
