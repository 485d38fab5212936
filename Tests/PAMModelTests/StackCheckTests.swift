import PAMModel
import Testing

/// Which stack files are refused at read time, and at which line.
struct StackCheckTests {
  static let account = "account required pam_unix.so\n"

  private func flaw(_ text: String, files: [String: String] = [:]) -> StackFlaw? {
    do throws(StackFlaw) {
      try StackCheck.check(Array(text.utf8)) { path in files[path].map { Array($0.utf8) } }
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    "auth required pam_unix.so nodelay",
    "AUTH Required pam_unix.so",
    "auth required /usr/lib/security/pam_unix.so",
    "# a comment\n\nauth required pam_unix.so # nullok",
    "auth required \\\n  pam_unix.so \\\n nodelay",
    "auth requisite pam_nologin.so\nauth required pam_unix.so",
    "auth sufficient pam_unix.so nodelay\nauth required pam_sss.so use_first_pass",
    "auth sufficient pam_fprintd.so\nauth requisite pam_deny.so\nauth required pam_permit.so",
    "auth [success=1 default=ignore] pam_unix.so\nauth requisite pam_deny.so\nauth required pam_permit.so",
    "auth [success=2 default=ignore] pam_unix.so\nauth [success=1 default=ignore] pam_sss.so use_first_pass\n"
      + "auth requisite pam_deny.so\nauth required pam_permit.so",
    "auth requisite pam_faillock.so preauth\nauth [success=1 default=bad] pam_unix.so\n"
      + "auth [default=die] pam_faillock.so authfail\nauth required pam_faillock.so authsucc",
    "auth [success=done new_authtok_reqd=done default=ignore] pam_unix.so",
    "auth required pam_permit.so\nauth required pam_unix.so",
    "auth optional pam_faildelay.so delay=1\nauth sufficient pam_unix.so",
    "-auth sufficient pam_fprintd.so\nauth required pam_unix.so",
    "auth required pam_matrix.so passdb=/x", "auth required pam_unix.so [nodelay]",
    "auth optional pam_unix.so\nauth required pam_exec.so expose_authtok /usr/bin/check",
    "auth required pam_own.so", "auth [success=ok new_authtok_reqd=ok ignore=ignore default=die] pam_own.so",
    "auth sufficient pam_fprintd.so\nauth required pam_unix.so", "auth required pam_u2f.so cue",
    "auth requisite pam_faillock.so preauth\nauth required pam_fprintd.so",
    "auth required pam_exec.so /usr/bin/check\nauth required pam_unix.so",
    "auth optional pam_gnome_keyring.so\nauth required pam_unix.so",
    "auth sufficient pam_unix.so\nauth required pam_sss.so ignore_unknown_user",
  ])
  func `a stack that can refuse is fit`(text: String) {
    #expect(flaw(text + "\n" + Self.account) == nil)
  }

  @Test(arguments: [
    ("auth required pam_permit.so", 1),
    ("# x\nauth required pam_permit.so", 2),
    ("auth sufficient pam_unix.so\nauth required pam_permit.so", 2),
    ("auth sufficient pam_deny.so\nauth required pam_permit.so", 2),
    ("auth optional pam_unix.so\nauth required pam_permit.so", 2),
    ("auth [default=ignore] pam_unix.so\nauth sufficient pam_permit.so", 2),
    ("auth sufficient pam_permit.so\nauth required pam_unix.so", 1),
    ("auth sufficient pam_rootok.so\nauth required pam_unix.so", 1),
    ("auth sufficient pam_succeed_if.so uid >= 0\nauth required pam_unix.so", 1),
    ("auth [success=1 default=ignore] pam_unix.so\nauth optional pam_deny.so\nauth required pam_permit.so", 3),
    ("auth [success=2 default=1] pam_unix.so\nauth requisite pam_deny.so\nauth required pam_permit.so", 3),
    ("auth [success=ok authinfo_unavail=ignore default=bad] pam_sss.so\nauth required pam_permit.so", 2),
    ("auth required pam_unix.so\nauth [default=reset] pam_deny.so\nauth required pam_permit.so", 3),
    ("auth requisite pam_faillock.so preauth\nauth sufficient pam_unix.so", 1),
    ("-auth required pam_fprintd.so\nauth required pam_permit.so", 2),
    ("auth [success=1 default=ignore] pam_localuser.so\nauth required pam_unix.so\nauth required pam_permit.so", 3),
    ("auth required pam_debug.so", 1),
    ("auth optional pam_unix.so\nauth required pam_exec.so /usr/bin/true", 2),
    (
      "auth optional pam_unix.so\nauth required pam_exec.so expose_authtok type=session /bin/true\n"
        + "auth required pam_permit.so", 3
    ),
    ("auth sufficient pam_sss.so\nauth optional pam_unix.so\nauth sufficient pam_exec.so quiet /usr/bin/true", 3),
    ("auth optional pam_unix.so\nauth sufficient pam_own.so", 2),
    ("auth optional pam_unix.so\nauth [success=ok auth_err=bad default=ignore] pam_own.so", 2),
    ("auth required pam_env.so\nauth required pam_own.so", 1),
    ("auth optional pam_unix.so\nauth required pam_fprintd.so", 2),
    ("auth sufficient pam_unix.so\nauth sufficient pam_fprintd.so", 2),
    ("auth optional pam_unix.so\nauth required pam_u2f.so nouserok", 2),
    ("auth required pam_gnome_keyring.so", 1), ("auth optional pam_unix.so\nauth required pam_mount.so", 2),
    ("auth required pam_env.so\nauth required pam_sss.so ignore_unknown_user", 1),
    ("#\r\nauth sufficient pam_permit.so\nauth required pam_unix.so", 2),
  ])
  func `a stack that accepts without proof is refused at the line that accepts`(text: String, line: Int) {
    #expect(flaw(text + "\n" + Self.account) == StackFlaw(line: line, reason: .acceptsWithoutProof))
  }

  @Test(arguments: [
    ("", StackFlawReason.noAuthentication, 1), ("# nothing\n\n", .noAuthentication, 1),
    (account, .noAuthentication, 1), ("auth required pam_unix.so\n", .noAccount, 1),
    ("auth optional pam_unix.so\n" + account, .nothingDemanded, 1),
    ("\nauth [default=ignore] pam_unix.so\nauth optional pam_sss.so\n" + account, .nothingDemanded, 2),
    ("auth required pam_unix.so nullok\n" + account, .emptyPasscodeAllowed, 1),
    ("auth required pam_env.so\nauth required pam_unix.so NULLOK_secure\n" + account, .emptyPasscodeAllowed, 2),
    ("auth required pam_unix.so [nullok]\n" + account, .emptyPasscodeAllowed, 1),
    ("auth optional pam_unix.so\nauth required [pam_permit.so]\n" + account, .syntax, 2),
    ("auth include common-auth\n" + account, .relativeInclude, 1),
    ("auth required pam_unix.so\n\n@include common-account\n", .relativeInclude, 3),
    ("auth substack ../x\n" + account, .relativeInclude, 1),
    ("auth include /absent\n" + account, .includeUnreadable, 1),
    ("auth requird pam_unix.so\n" + account, .syntax, 1), ("auth required\n" + account, .syntax, 1),
    ("atuh required pam_unix.so\n" + account, .syntax, 1),
    ("auth [success=ok pam_unix.so\n" + account, .syntax, 1),
    ("auth [succes=ok] pam_unix.so\n" + account, .syntax, 1),
    ("auth [success=0] pam_unix.so\n" + account, .syntax, 1),
    ("auth [success=maybe] pam_unix.so\n" + account, .syntax, 1),
    ("auth [] pam_unix.so\n" + account, .syntax, 1), ("@include\n" + account, .syntax, 1),
    ("login auth required pam_unix.so\n" + account, .syntax, 1), ("a\u{0}b\n", .syntax, 1),
  ])
  func `a stack that is unfit is refused with its line and reason`(
    text: String, reason: StackFlawReason, line: Int
  ) {
    #expect(flaw(text) == StackFlaw(line: line, reason: reason))
  }

  @Test(arguments: [
    "auth required pam_permit.so \\ \nauth required pam_unix.so\n",
    "auth required pam_permit.so \\\t\r\nauth required pam_unix.so\n",
    "auth required pam_permit.so \\\n# x\nauth required pam_unix.so\n",
    "auth required pam_permit.so \\\n\nauth required pam_unix.so\n",
    "auth required pam_permit.so \\\n  \\\n\nauth required pam_unix.so\n", "auth required pam_unix.so \\",
  ])
  func `a line that libpam would join with another than the next is refused`(text: String) {
    #expect(throws: StackFlaw(line: 1, reason: .brokenContinuation)) {
      try StackCheck.check(Array((text.hasSuffix("\\") ? text : text + Self.account).utf8)) { _ in nil }
    }
  }

  @Test func `a backslash behind a comment's sign continues nothing`() {
    let text = "# a \\\nauth required pam_unix.so # b \\\n" + Self.account
    #expect(flaw(text) == nil)
    #expect(flaw("# a \\\nauth sufficient pam_permit.so\n" + text)?.line == 2)
  }

  @Test func `a bracket with an escaped end is refused`() {
    #expect(flaw("auth required pam_unix.so [a\\]b]\n" + Self.account) == StackFlaw(line: 1, reason: .syntax))
  }

  @Test(arguments: [(1021, nil), (1022, nil), (1023, StackFlawReason.lineTooLong)] as [(Int, StackFlawReason?)])
  func `a line has at most 1022 bytes, whatever they say`(count: Int, reason: StackFlawReason?) {
    let line = "auth required pam_unix.so "
    let lines = [
      line + String(repeating: "x", count: count - line.utf8.count), "#" + String(repeating: "x", count: count - 1),
      line + "#" + String(repeating: "x", count: count - line.utf8.count - 1), String(repeating: " ", count: count),
      line + "\\\n" + String(repeating: "x", count: count - line.utf8.count - 1),
    ]
    for text in lines {
      let found = flaw(Self.account + text + "\nauth required pam_unix.so\n")
      #expect(found == reason.map { StackFlaw(line: 2, reason: $0) }, "\(text.prefix(40))")
    }
  }

  @Test func `text that is not UTF-8 is refused`() {
    #expect(throws: StackFlaw(line: 1, reason: .syntax)) { try StackCheck.check([0x61, 0xFF]) { _ in nil } }
  }

  @Test func `a module named by its path must be trusted, whatever it is for`() {
    for facility in ["auth", "account"] {
      let text = Self.account + "auth required pam_unix.so\n\(facility) required /opt/pam_own.so\n"
      #expect(throws: StackFlaw(line: 3, reason: .untrustedModule, module: "/opt/pam_own.so")) {
        try StackCheck.check(Array(text.utf8), reading: { _ in nil }) {
          $0 == "/opt/pam_own.so" ? .untrusted : .trusted
        }
      }
      #expect(flaw(text) == nil)
    }
  }

  @Test(
    arguments: [
      ("auth required pam_sss.so\n", StackFlaw(line: 1, reason: .missingModule, module: "pam_sss.so")),
      ("auth [success=1 default=die] pam_sss.so\n", StackFlaw(line: 1, reason: .missingModule, module: "pam_sss.so")),
      ("auth sufficient pam_sss.so\n", nil), ("auth optional pam_sss.so\n", nil),
      ("-auth required pam_sss.so\n", nil),
      ("session required pam_sss.so\n", nil),
      ("account requisite pam_sss.so\n", StackFlaw(line: 1, reason: .missingModule, module: "pam_sss.so")),
    ] as [(String, StackFlaw?)])
  func `a module that is not there is a flaw where the stack fails without it`(line: String, expected: StackFlaw?) {
    var found: StackFlaw?
    do throws(StackFlaw) {
      try StackCheck.check(Array((line + "auth required pam_unix.so\n" + Self.account).utf8), reading: { _ in nil }) {
        $0 == "pam_sss.so" ? .missing : .trusted
      }
    } catch { found = error }
    #expect(found == expected)
    #expect(found == nil || found?.sentence.hasPrefix("pam_sss.so: the module is not installed") == true)
  }

  @Test func `an absolute include is read and judged with the rest`() {
    let files = [
      "/pam/unix": "auth sufficient pam_unix.so\naccount required pam_unix.so\n",
      "/pam/permit": "auth required pam_permit.so\n", "/pam/good": "auth required pam_unix.so\n" + Self.account,
    ]
    #expect(flaw("@include /pam/good\n", files: files) == nil)
    #expect(flaw("auth include /pam/good\naccount include /pam/good\n", files: files) == nil)
    #expect(flaw("auth include /pam/good\n", files: files) == StackFlaw(line: 1, reason: .noAccount))
    let mixed = "@include /pam/unix\nauth include /pam/permit\n"
    #expect(flaw(mixed, files: files) == StackFlaw(line: 2, reason: .acceptsWithoutProof))
    #expect(flaw("auth substack /pam/permit\n" + Self.account, files: files)?.reason == .acceptsWithoutProof)
  }

  @Test func `done ends a substack and no more`() {
    let files = ["/s": "auth sufficient pam_permit.so\nauth required pam_deny.so\n"]
    let text = "auth substack /s\nauth required pam_unix.so\n" + Self.account
    #expect(flaw(text, files: files) == nil)
    #expect(flaw(text.replacing("substack", with: "include"), files: files)?.reason == .acceptsWithoutProof)
  }

  @Test func `a jump counts a substack as one line`() {
    let files = ["/s": "auth required pam_deny.so\nauth required pam_deny.so\n"]
    let text = "auth [default=1] pam_unix.so\nauth substack /s\nauth required pam_permit.so\n" + Self.account
    #expect(flaw(text, files: files) == StackFlaw(line: 3, reason: .acceptsWithoutProof))
  }

  @Test(arguments: [(7, nil), (8, nil), (9, StackFlawReason.includesTooDeep)] as [(Int, StackFlawReason?)])
  func `includes go 8 deep and no deeper`(depth: Int, reason: StackFlawReason?) {
    var files: [String: String] = ["/\(depth)": "auth required pam_unix.so\n" + Self.account]
    for step in 1..<depth { files["/\(step)"] = "@include /\(step + 1)\n" }
    #expect(flaw("@include /1\n", files: files)?.reason == reason)
  }

  @Test func `a file that includes itself is refused`() {
    #expect(flaw("@include /self\n", files: ["/self": "@include /self\n"])?.reason == .includesTooDeep)
  }

  @Test(arguments: [(31, nil), (32, nil), (33, StackFlawReason.tooLarge)] as [(Int, StackFlawReason?)])
  func `at most 32 files are included`(count: Int, reason: StackFlawReason?) {
    let text = String(repeating: "@include /one\n", count: count)
    #expect(flaw(text, files: ["/one": "auth required pam_unix.so\n" + Self.account])?.reason == reason)
  }

  @Test func `a file that includes itself a thousand times is refused at once`() {
    let text = String(repeating: "@include /self\n", count: 1000)
    #expect(flaw(text, files: ["/self": text])?.reason == .includesTooDeep)
  }

  @Test(arguments: [(255, nil), (256, nil), (257, StackFlawReason.tooLarge)] as [(Int, StackFlawReason?)])
  func `a stack has at most 256 lines`(count: Int, reason: StackFlawReason?) {
    let text = String(repeating: "auth required pam_unix.so\n", count: count) + Self.account
    #expect(flaw(text)?.reason == reason)
  }

  @Test(arguments: [(65_535, nil), (65_536, nil), (65_537, StackFlawReason.tooLarge)] as [(Int, StackFlawReason?)])
  func `a file has at most 64 KiB`(count: Int, reason: StackFlawReason?) {
    let head = "auth required pam_unix.so\n" + Self.account + "#"
    let rest = String(repeating: "\n#xxxxxx", count: count / 8)
    #expect(flaw(String((head + rest).utf8.prefix(count))!)?.reason == reason)
  }

  @Test func `no mutation of a fit stack crashes the check`() {
    let base = Array(
      "auth [success=1 default=ignore] pam_unix.so\nauth requisite pam_deny.so\nauth required pam_permit.so\n\(Self.account)"
        .utf8)
    for place in base.indices {
      for byte: UInt8 in [0, 9, 10, 32, 35, 61, 91, 92, 93, 255] {
        var mutated = base
        mutated[place] = byte
        try? StackCheck.check(mutated) { _ in nil }
      }
      try? StackCheck.check(Array(base.prefix(place))) { _ in nil }
    }
  }

  @Test(arguments: StackFlawReason.allCases)
  func `every reason has words`(reason: StackFlawReason) {
    #expect(!reason.explanation.isEmpty)
  }
}
