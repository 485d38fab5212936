import KeychainModel
import Testing

/// Flags against the table of `SecAccessControlCreateWithFlags` and of the operations it makes.
struct AccessControlTests {
  /// Apple's bits, written out again.
  static let bits: [(name: String, bit: UInt64)] = [
    ("userPresence", 1 << 0), ("biometryAny", 1 << 1), ("biometryCurrentSet", 1 << 3), ("devicePasscode", 1 << 4),
    ("companion", 1 << 5), ("or", 1 << 14), ("and", 1 << 15), ("privateKeyUsage", 1 << 30),
    ("applicationPassword", 1 << 31),
  ]

  /// All 512 sets of names with their bits.
  static let sets: [(names: Set<String>, flags: AccessControlFlags)] = (0..<512).map { number in
    let chosen = bits.enumerated().filter { number >> $0.offset & 1 == 1 }.map(\.element)
    return (Set(chosen.map(\.name)), AccessControlFlags(rawValue: chosen.reduce(0) { $0 | $1.bit }))
  }

  private func make(_ flags: AccessControlFlags, _ accessibility: Accessibility = .whenUnlocked) throws -> AccessControl
  {
    try AccessControl(accessibility: accessibility, flags: flags)
  }

  @Test func `each name has Apple's bit`() {
    #expect(AccessControlFlags.named.map(\.name) == Self.bits.map(\.name))
    #expect(AccessControlFlags.named.map(\.flag.rawValue) == Self.bits.map(\.bit))
    for (name, bit) in Self.bits { #expect(AccessControlFlags(name: name)?.rawValue == bit) }
    #expect(AccessControlFlags(name: "watch") == nil)
    #expect(AccessControlFlags(name: "UserPresence") == nil, "spelled as Apple spells it")
    #expect(AccessControlFlags.all.rawValue == Self.bits.reduce(0) { $0 | $1.bit })
    #expect(AccessControlFlags.anyConstraint.rawValue == 0b111011)
  }

  @Test func `all 512 combinations are taken or refused as the table says`() {
    var taken = 0
    for (names, flags) in Self.sets {
      let isValid: Bool
      if names.contains("or") && names.contains("and") {
        isValid = false
      } else if names.contains("biometryAny") && names.contains("biometryCurrentSet") {
        isValid = false
      } else if names.contains("userPresence") {
        isValid = names.subtracting(["userPresence", "applicationPassword", "privateKeyUsage"]).isEmpty
      } else {
        isValid = true
      }
      for accessibility in Accessibility.allCases {
        let made = try? make(flags, accessibility)
        #expect((made != nil) == isValid, "\(names)")
        guard let made else { continue }
        taken += 1
        #expect(made.flags == flags && made.accessibility == accessibility)
        #expect(Set(made.flags.names) == names)
      }
    }
    #expect(taken == 148 * 7)
  }

  @Test func `a broken rule is named, and its sentence is its own`() {
    #expect(throws: AccessControlError.orWithAnd) { try make([.or, .and]) }
    #expect(throws: AccessControlError.anyWithCurrentSet) { try make([.biometryAny, .biometryCurrentSet]) }
    #expect(throws: AccessControlError.userPresenceWithOthers) { try make([.userPresence, .or]) }
    #expect(throws: AccessControlError.userPresenceWithOthers) { try make([.userPresence, .biometryAny]) }
    #expect(Set(AccessControlError.allCases.map(\.explanation)).count == AccessControlError.allCases.count)
  }

  @Test func `unknown bits are dropped and mean nothing`() throws {
    for bit in [UInt64(1) << 2, 1 << 6, 1 << 16, 1 << 29, 1 << 32, 1 << 63] {
      let made = try make([.userPresence, AccessControlFlags(rawValue: bit)])
      #expect(made.flags == .userPresence)
    }
  }

  /// The operation table: kind of flags, then od, oe, odel, osgn, ock, oa; `+` allowed, `c` constrained, `-` denied.
  static let operations: [(hasConstraint: Bool, isKey: Bool, row: String)] = [
    (false, false, "++++++"),
    (true, false, "c++---"),
    (true, true, "--+cc+"),
    (false, true, "--++++"),
  ]
  static let columns: [ItemOperation] = [.decrypt, .encrypt, .delete, .sign, .keyAgreement, .attest]

  @Test func `every valid combination gives the operation table`() throws {
    for (names, flags) in Self.sets {
      guard let made = try? make(flags) else { continue }
      let constraints: Set = ["userPresence", "biometryAny", "biometryCurrentSet", "devicePasscode", "companion"]
      let hasConstraint = !names.isDisjoint(with: constraints)
      let row = try #require(
        Self.operations.first { $0.hasConstraint == hasConstraint && $0.isKey == names.contains("privateKeyUsage") })
      for (operation, cell) in zip(Self.columns, row.row) {
        let (rule, short) = (made.rule(for: operation), made.flagRule(for: operation))
        switch cell {
        case "+": #expect(rule == .allowed && short == .allowed, "\(names) \(operation)")
        case "c": #expect(rule == .constrained(try #require(made.constraint)) && short == .constrained)
        default: #expect(rule == .denied && short == .denied, "\(names) \(operation)")
        }
      }
      #expect((made.constraint != nil) == hasConstraint)
      #expect(made.isProtected == (hasConstraint || names.contains("applicationPassword")))
      #expect(made.needsApplicationPassword == names.contains("applicationPassword"))
    }
  }

  @Test func `flags make the constraint they name`() throws {
    #expect(try make([]).constraint == nil)
    #expect(try make(.userPresence).constraint == .userPresence)
    #expect(try make(.biometryAny).constraint == .biometryAny)
    #expect(try make(.biometryCurrentSet).constraint == .biometryCurrentSet)
    #expect(try make(.devicePasscode).constraint == .passcode)
    #expect(try make(.companion).constraint == .companion)
    #expect(try make([.biometryAny, .devicePasscode]).constraint == .allOf([.biometryAny, .passcode]))
    #expect(try make([.biometryAny, .and, .devicePasscode]).constraint == .allOf([.biometryAny, .passcode]))
    #expect(try make([.biometryAny, .or, .devicePasscode]).constraint == .anyOf([.biometryAny, .passcode]))
    #expect(try make([.or, .devicePasscode]).constraint == .passcode, "a joiner of one is harmless")
    #expect(try make([.or]).constraint == nil)
  }

  @Test func `an override replaces what the flags say of its operation alone`() throws {
    let made = try AccessControl(
      accessibility: .always, flags: .userPresence, overrides: [.delete: .constrained(.passcode), .encrypt: .denied])
    #expect(made.rule(for: .delete) == .constrained(.passcode))
    #expect(made.rule(for: .encrypt) == .denied)
    #expect(made.rule(for: .decrypt) == .constrained(.userPresence))
    #expect(try AccessControl(accessibility: .always, overrides: [.delete: .denied]).isProtected)
  }

  @Test(arguments: Accessibility.allCases)
  func `an unconstrained access control asks for nothing`(_ accessibility: Accessibility) throws {
    let made = AccessControl.unconstrained(accessibility)
    #expect(made == (try make([], accessibility)))
    #expect(!made.isProtected && made.constraint == nil)
  }

  @Test(arguments: Accessibility.allCases)
  func `another class of accessibility leaves flags and overrides as they are`(_ accessibility: Accessibility) throws {
    let made = try AccessControl(
      accessibility: .always, flags: [.userPresence, .applicationPassword], overrides: [.delete: .denied])
    let moved = made.moved(to: accessibility)
    #expect(moved.accessibility == accessibility)
    #expect(moved.flags == made.flags && moved.overrides == made.overrides)
    #expect(AccessChange.accessibility(accessibility).applied(to: made) == moved)
    let other = AccessControl.unconstrained(.whenUnlocked)
    #expect(AccessChange.accessControl(other).applied(to: made) == other)
  }
}
