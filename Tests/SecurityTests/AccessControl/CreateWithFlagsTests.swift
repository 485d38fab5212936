import KeychainModel
import Security
import Testing

/// Rows 37 to 40 of the behaviours to test first, and every combination of the flags.
@Suite struct CreateWithFlagsTests {
  static let flags: [SecAccessControlCreateFlags] = [
    .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion, .or, .and, .privateKeyUsage,
    .applicationPassword,
  ]
  nonisolated(unsafe) static let protections: [CFString] = [
    kSecAttrAccessibleWhenUnlocked, kSecAttrAccessibleAfterFirstUnlock, kSecAttrAccessibleAlways,
    kSecAttrAccessibleWhenUnlockedThisDeviceOnly, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
    kSecAttrAccessibleAlwaysThisDeviceOnly, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
  ]

  /// Every set of the flags.
  static let combinations: [SecAccessControlCreateFlags] = (0..<(1 << flags.count)).map { mask in
    flags.enumerated().reduce(into: []) { if mask & 1 << $1.offset != 0 { $0.insert($1.element) } }
  }

  /// The rules in bits, written down a second time.
  static func isValid(_ flags: SecAccessControlCreateFlags) -> Bool {
    let bits = flags.rawValue
    if bits & 0xC000 == 0xC000 { return false }
    if bits & 0xA == 0xA { return false }
    return bits & 1 == 0 || bits & ~0xC000_0001 == 0
  }

  @Test func `the flags have Apple's bits and the older names mean the same`() {
    let shifts: [CFOptionFlags] = [0, 1, 3, 4, 5, 14, 15, 30, 31]
    #expect(Self.flags.map(\.rawValue) == shifts.map { 1 << $0 })
    #expect(SecAccessControlCreateFlags.touchIDAny == .biometryAny)
    #expect(SecAccessControlCreateFlags.touchIDCurrentSet == .biometryCurrentSet)
    #expect(SecAccessControlCreateFlags.watch == .companion)
  }

  @Test func `exactly the valid combinations are made, with every protection`() {
    var made = 0
    for protection in Self.protections {
      for flags in Self.combinations {
        let control = SecAccessControlCreateWithFlags(nil, protection, flags, nil)
        #expect((control != nil) == Self.isValid(flags), "\(protection) \(flags.rawValue)")
        guard let control else { continue }
        made += 1
        #expect(control.control.flags.rawValue == UInt64(flags.rawValue))
        #expect(control.control.accessibility.rawValue == protection as String)
      }
    }
    #expect(made == Self.protections.count * Self.combinations.filter(Self.isValid).count)
    #expect(Self.combinations.filter(Self.isValid).count == 148)
  }

  @Test func `row 37: what breaks a rule leaves an error with the code of a wrong argument`() throws {
    let refused: [(CFTypeRef, SecAccessControlCreateFlags)] = [
      (NSNull(), []), (NSNumber(value: 1), []), ("" as NSString, []), ("nope" as NSString, []), ("AK" as NSString, []),
      ("ak" as NSString, [.userPresence, .biometryAny]), ("ak" as NSString, [.or, .and]),
      ("ak" as NSString, [.biometryAny, .biometryCurrentSet]), ("ak" as NSString, [.userPresence, .or]),
    ]
    for (protection, flags) in refused {
      var error: Unmanaged<CFError>?
      #expect(SecAccessControlCreateWithFlags(kCFAllocatorDefault, protection, flags, &error) == nil)
      let found = try #require(error).takeRetainedValue()
      #expect(found.domain == NSOSStatusErrorDomain)
      #expect(found.code == Int(errSecParam))
      #expect(!found.localizedDescription.isEmpty)
    }
  }

  @Test func `a refusal without a place for the error is only nil`() {
    #expect(SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, [.or, .and], nil) == nil)
  }

  @Test func `what is made leaves no error`() {
    var error: Unmanaged<CFError>?
    #expect(SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, &error) != nil)
    #expect(error == nil)
  }

  @Test func `the error is the caller's to release, once`() {
    weak var left: NSError?
    do {
      var error: Unmanaged<CFError>?
      SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, [.or, .and], &error)
      left = error?.takeUnretainedValue()
      #expect(left != nil)
      error?.release()
    }
    #expect(left == nil)
  }

  @Test(
    arguments: [
      [.biometryAny, .devicePasscode, .or], [.biometryAny, .devicePasscode, .and],
      [.biometryAny, .devicePasscode, .and, .applicationPassword],
    ] as [SecAccessControlCreateFlags])
  func `row 38: a finger and the passcode are joined`(flags: SecAccessControlCreateFlags) {
    #expect(SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil) != nil)
  }

  @Test func `unknown bits mean nothing`() throws {
    for bit in [2, 6, 13, 16, 29, 32, 63] as [CFOptionFlags] {
      let odd = SecAccessControlCreateFlags(rawValue: 1 << bit | 1)
      let control = try #require(SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, odd, nil))
      #expect(control == SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil))
    }
  }

  @Test func `row 40: a private key of the passcode signs with proof, is deleted freely and decrypts nothing`() throws {
    let flags: SecAccessControlCreateFlags = [.privateKeyUsage, .devicePasscode]
    let control = try #require(SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil))
    #expect(control.control.rule(for: .decrypt) == .denied)
    #expect(control.control.rule(for: .delete) == .allowed)
    #expect(control.control.rule(for: .sign) == .constrained(.passcode))
    #expect(control.description == "ak;oa(true);ock(cup(true));odel(true);osgn(cup(true))")
  }
}
