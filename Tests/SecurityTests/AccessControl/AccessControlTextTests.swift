import KeychainModel
import Security
import Testing

@Suite struct AccessControlTextTests {
  static func made(_ flags: SecAccessControlCreateFlags, _ protection: CFString = "ak") throws -> SecAccessControl {
    try #require(SecAccessControlCreateWithFlags(nil, protection, flags, nil))
  }

  static let texts: [(SecAccessControlCreateFlags, String)] = [
    ([], "ak;dacl(true)"),
    ([.userPresence], "ak;od(cpo(DeviceOwnerAuthentication));odel(true);oe(true)"),
    ([.devicePasscode], "ak;od(cup(true));odel(true);oe(true)"),
    ([.biometryAny], "ak;od(cbio(pbioc(<>)));odel(true);oe(true)"),
    ([.biometryCurrentSet], "ak;od(cbio(pbioc(<>)pbioh(<>)));odel(true);oe(true)"),
    ([.companion], "ak;od(cwtch(true));odel(true);oe(true)"),
    ([.biometryAny, .or], "ak;od(cbio(pbioc(<>)));odel(true);oe(true)"),
    (
      [.biometryCurrentSet, .devicePasscode, .or],
      "ak;od(cbio(pbioc(<>)pbioh(<>))cup(true)pkofn(1));odel(true);oe(true)"
    ),
    ([.biometryAny, .devicePasscode], "ak;od(cbio(pbioc(<>))cup(true)pkofn(2));odel(true);oe(true)"),
    ([.applicationPassword], "ak;dacl(true);prp(true)"),
    ([.userPresence, .applicationPassword], "ak;od(cpo(DeviceOwnerAuthentication));odel(true);oe(true);prp(true)"),
    ([.privateKeyUsage], "ak;oa(true);ock(true);odel(true);osgn(true)"),
  ]

  @Test func `an access control has Apple's text form`() throws {
    for (flags, text) in Self.texts {
      #expect(try Self.made(flags).description == text)
      #expect(CFCopyDescription(try Self.made(flags)) as String == text)
    }
  }

  @Test func `row 39: every access control that can be made is equal to itself written and read`() throws {
    for protection in CreateWithFlagsTests.protections {
      for flags in CreateWithFlagsTests.combinations where CreateWithFlagsTests.isValid(flags) {
        let control = try Self.made(flags, protection)
        let data = try #require(SecAccessControlCopyData(control))
        let read = try #require(SecAccessControlCreateFromData(nil, data, nil), "\(control)")
        #expect(read == control)
        #expect(read.hash == control.hash)
        for operation in ItemOperation.allCases {
          #expect(read.control.rule(for: operation) == control.control.rule(for: operation), "\(control) \(operation)")
        }
        #expect(read.control.needsApplicationPassword == control.control.needsApplicationPassword)
        #expect(read.control.isProtected == control.control.isProtected)
      }
    }
  }

  @Test func `rules of an operation's own are written and read`() throws {
    let rules: [OperationRule] = [
      .allowed, .denied, .constrained(.passcode), .constrained(.anyOf([.biometryAny, .passcode])),
      .constrained(.allOf([.anyOf([.biometryCurrentSet, .passcode]), .userPresence])),
    ]
    for flags in [[], .userPresence, .privateKeyUsage, [.biometryAny, .devicePasscode, .or]] as [AccessControlFlags] {
      for operation in ItemOperation.allCases {
        for rule in rules {
          let model = try AccessControl(accessibility: .whenUnlocked, flags: flags, overrides: [operation: rule])
          let control = SecAccessControl(model)
          let data = try #require(SecAccessControlCopyData(control))
          let read = try #require(SecAccessControlCreateFromData(nil, data, nil), "\(control)")
          #expect(read == control)
          for other in ItemOperation.allCases {
            #expect(read.control.rule(for: other) == model.rule(for: other), "\(control) \(other)")
          }
        }
      }
    }
  }

  @Test func `what nobody may touch is written and read, and what anybody may is as without flags`() throws {
    for rule in [OperationRule.denied, .allowed] {
      let rules = Dictionary(uniqueKeysWithValues: ItemOperation.allCases.map { ($0, rule) })
      for flags in [[], .privateKeyUsage, .userPresence] as [AccessControlFlags] {
        let control = SecAccessControl(
          try AccessControl(accessibility: .whenUnlocked, flags: flags, overrides: rules))
        #expect(control.description == (rule == .denied ? "ak;dacl(false)" : "ak;dacl(true)"))
        let data = try #require(SecAccessControlCopyData(control))
        let read = try #require(SecAccessControlCreateFromData(nil, data, nil))
        for operation in ItemOperation.allCases { #expect(read.control.rule(for: operation) == rule) }
      }
    }
  }

  static let unreadable = [
    "", "ak", "ak;dacl(maybe)", "ak;dacl(false);od(true)", "xx;dacl(true)", "ak;", "ak;dacl", "ak;dacl(true);",
    "ak;dacl(true) ", "ak;dacl(true);dacl(true)",
    "ak;od(true", "ak;od(nope(true));odel(true);oe(true)", "ak;od(cup(true)cup(true));odel(true);oe(true)",
    "ak;od(cup(true)cpo(DeviceOwnerAuthentication)pkofn(3));odel(true);oe(true)", "ak;oe(true);od(true);odel(true)",
    "ak;od(pkofn(1));odel(true);oe(true)", "ak;zz(true)", "ak;od(cup(false));odel(true);oe(true)",
  ]

  @Test(arguments: unreadable)
  func `bytes that are not one access control are refused with the code of what cannot be decoded`(text: String) throws
  {
    var error: Unmanaged<CFError>?
    #expect(SecAccessControlCreateFromData(nil, NSData(data: Data(text.utf8)), &error) == nil)
    let found = try #require(error).takeRetainedValue()
    #expect(found.domain == NSOSStatusErrorDomain && found.code == Int(errSecDecode))
  }

  @Test func `bytes that are no text are refused`() {
    #expect(SecAccessControlCreateFromData(nil, NSData(data: Data([0xFF, 0xFE])), nil) == nil)
  }

  @Test func `a tree nested 7 deep is read, one of 9 is refused and ends nothing`() throws {
    func nested(_ depth: Int) -> String {
      (0..<depth).reduce("cup(true)cwtch(true)pkofn(1)") { inner, _ in "ckon(\(inner))cup(true)pkofn(1)" }
    }
    func read(_ depth: Int) -> SecAccessControl? {
      let text = "ak;od(\(nested(depth)));odel(true);oe(true)"
      return SecAccessControlCreateFromData(nil, NSData(data: Data(text.utf8)), nil)
    }
    #expect(read(7) != nil)
    #expect(read(8) == nil)
    #expect(read(9) == nil)
    #expect(read(10_000) == nil)
  }

  @Test func `two are equal when they say the same, and only then`() throws {
    #expect(try Self.made([.biometryAny, .devicePasscode]) == Self.made([.biometryAny, .devicePasscode, .and]))
    #expect(try Self.made([.biometryAny, .devicePasscode]) != Self.made([.biometryAny, .devicePasscode, .or]))
    #expect(try Self.made(.userPresence) != Self.made(.userPresence, kSecAttrAccessibleWhenUnlockedThisDeviceOnly))
    #expect(try Self.made(.userPresence) != Self.made([.userPresence, .applicationPassword]))
    #expect(try !Self.made(.userPresence).isEqual("ak" as NSString))
    #expect(try !CFEqual(Self.made(.userPresence), NSNull()))
  }

  @Test func `different access controls differ, pairwise over all flags`() throws {
    let all = try CreateWithFlagsTests.combinations.filter(CreateWithFlagsTests.isValid).map { try Self.made($0) }
    for one in all {
      for other in all {
        let same = ItemOperation.allCases.allSatisfy { one.control.rule(for: $0) == other.control.rule(for: $0) }
        let alike = same && one.control.needsApplicationPassword == other.control.needsApplicationPassword
        if one.isEqual(other) != alike { Issue.record("\(one) \(other)") }
        if alike { #expect(one.hash == other.hash) }
      }
    }
  }

  @Test func `one lies in a dictionary and in a set as itself`() throws {
    let control = try Self.made(.userPresence)
    let query = [kSecAttrAccessControl as String: control] as [String: Any] as CFDictionary
    #expect(query[kSecAttrAccessControl] as? SecAccessControl === control)
    #expect(Set([control, try Self.made(.userPresence)]).count == 1)
    #expect(CFGetTypeID(control) == SecAccessControlGetTypeID())
    #expect(CFGetTypeID(control) != CFStringGetTypeID())
  }
}
