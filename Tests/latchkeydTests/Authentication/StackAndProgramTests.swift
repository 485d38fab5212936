import AccessPolicy
import Foundation
import KeychainModel
import KeychainService
import LinuxSystem
import PAMModel
import SecretMemory
import TestSupport
import Testing

@testable import latchkeyd

extension AuthenticationTests {
  /// Stacks and programs that must not be used.
  @Suite struct StackAndProgramTests {
    let scene = Scene()
    let account = TestAccount(password: "right")

    private func refusal(_ receiver: TestReceiver = TestReceiver()) -> Refusal? {
      scene.prove(account, passcode: "right", receiver).refusal
    }

    @Test func `a missing stack is missing, whatever login has`() {
      unlink(scene.folder.path + "/latchkey-passcode")
      scene.folder.write("other", "auth required pam_permit.so\naccount required pam_permit.so\n")
      #expect(refusal()?.reason == .stackMissing)
      scene.places.pamFolders = ["/run/no such folder", scene.folder.path]
      #expect(refusal()?.reason == .stackMissing)
    }

    @Test(arguments: [0o664, 0o646, 0o666])
    func `a stack that others can write is refused`(mode: Int) {
      #expect(refusal() == nil)
      chmod(scene.folder.path + "/latchkey-passcode", mode_t(mode))
      #expect(refusal()?.reason == .stackInvalid)
    }

    @Test func `a stack in a folder that others can write is refused`() {
      chmod(scene.folder.path, 0o777)
      #expect(refusal()?.reason == .stackInvalid)
    }

    @Test func `a stack of another user is refused`() {
      chown(scene.folder.path + "/latchkey-passcode", account.uid, 0)
      #expect(refusal()?.reason == .stackInvalid)
    }

    @Test func `an administrator's stack wins, and one that cannot be used is not passed over`() {
      let other = RootFolder()
      scene.places.pamFolders = [other.path, scene.folder.path]
      #expect(refusal() == nil)
      other.write("latchkey-passcode", "auth required pam_deny.so\naccount required pam_unix.so\n")
      #expect(refusal()?.reason == .loginLockedOut)
      other.write("latchkey-passcode", Scene.unix, mode: 0o666)
      #expect(refusal()?.reason == .stackInvalid)
    }

    @Test(arguments: [
      ("auth sufficient pam_permit.so\naccount required pam_unix.so\n", Reason.stackCannotFail, ":1:"),
      ("auth required pam_unix.so nullok\naccount required pam_unix.so\n", .stackCannotFail, ":1:"),
      ("account required pam_unix.so\n", .stackCannotFail, ":1:"),
      ("auth required pam_unix.so\n", .stackInvalid, ":1:"),
      ("auth required pam_unix.so\nnonsense\naccount required pam_unix.so\n", .stackInvalid, ":2:"),
    ])
    func `a flaw that the file shows is refused with its line`(text: String, reason: Reason, place: String) {
      scene.folder.write("latchkey-passcode", text)
      let refusal = refusal()
      #expect(refusal?.reason == reason)
      #expect(refusal?.detail.contains("latchkey-passcode" + place) == true, "\(refusal?.detail ?? "")")
    }

    @Test func `what a stack includes must be trusted as well`() {
      let included = scene.folder.write("more", "auth required pam_unix.so nodelay\n")
      scene.folder.write("latchkey-passcode", "@include \(included)\naccount required pam_unix.so\n")
      #expect(refusal() == nil)
      chmod(included, 0o666)
      #expect(refusal()?.reason == .stackInvalid)
    }

    @Test func `a module that somebody else could replace is refused, in an include too`() {
      let module = scene.folder.write("pam_own.so", "no module")
      let line = "auth required \(module)\naccount required pam_unix.so\n"
      let included = scene.folder.write("more", line)
      for text in [line, "@include \(included)\n"] {
        scene.folder.write("latchkey-passcode", text)
        for (mode, isRefused) in [(mode_t(0o644), false), (0o666, true)] {
          chmod(module, mode)
          let detail = refusal()?.detail ?? ""
          #expect(detail.contains("others than root could change the module's file") == isRefused, "\(detail)")
        }
      }
    }

    @Test func `success without a question is refused`() {
      // Nobody knows the module, and it is demanded: only when it runs does it show that it asks nothing.
      let module = scene.folder.path + "/pam_nobody_knows.so"
      guard case .found(let permit) = ModuleFolder.place(of: "pam_permit.so"),
        (try? FileManager.default.copyItem(atPath: permit, toPath: module)) != nil
      else {
        Issue.record("pam_permit was not found")
        return
      }
      scene.folder.write("latchkey-passcode", "auth required \(module)\naccount required pam_unix.so\n")
      let receiver = TestReceiver()
      #expect(refusal(receiver)?.reason == .stackCannotFail)
      #expect(receiver.keys.isEmpty && receiver.misses == 0)
      #expect(leftovers.isEmpty)
    }

    @Test func `a module that is not there is no wrong passcode`() {
      scene.folder.write(
        "latchkey-passcode", "auth required pam_no_such_module.so\naccount required pam_unix.so\n")
      let receiver = TestReceiver()
      let refusal = refusal(receiver)
      #expect(refusal?.reason == .stackInvalid)
      #expect(
        refusal?.detail.hasSuffix(
          "latchkey-passcode:1: pam_no_such_module.so: \(StackFlawReason.missingModule.explanation)")
          == true, "\(refusal?.detail ?? "")")
      #expect(receiver.misses == 0)
    }

    @Test func `a module that runs without the passcode opens nothing behind one that only asks`() {
      scene.folder.write(
        "latchkey-passcode",
        "auth optional pam_unix.so nodelay\nauth required pam_exec.so quiet /bin/true\naccount required pam_unix.so\n")
      let refusal = scene.prove(account, passcode: "wrong", TestReceiver()).refusal
      #expect(refusal?.reason == .stackCannotFail && refusal?.detail.contains("latchkey-passcode:2:") == true)
    }

    @Test(arguments: [(1022, nil), (1023, Reason.stackInvalid)] as [(Int, Reason?)])
    func `a line that libpam would cut is refused with its place`(count: Int, reason: Reason?) {
      let comment = "#" + String(repeating: "x", count: count - 1)
      scene.folder.write("latchkey-passcode", "\(Scene.unix)\(comment)\n")
      let refusal = refusal()
      #expect(refusal?.reason == reason)
      #expect(refusal == nil || refusal?.detail.contains("latchkey-passcode:3:") == true, "\(refusal?.detail ?? "")")
    }

    @Test func `doctor tells of each stack what the daemon would refuse, with what mends it`() throws {
      func findings(_ why: Refusal = Refusal(.biometryNotEnrolled)) -> [DoctorFinding] {
        let reader = ReaderReport(reader: nil, fingers: .failure(why), lid: .open)
        return StackCheckup(places: scene.places, reader: reader).findings().filter { $0.check == "pam-stack" }
      }
      let (passcode, biometry) = (scene.folder.path + "/latchkey-passcode", scene.folder.path + "/latchkey-biometry")
      unlink(biometry)
      #expect(findings().map(\.level) == [.fine, .warning])
      #expect(findings()[1].text.hasPrefix("stackMissing: latchkey-biometry"))
      #expect(findings()[1].command == "make install")
      scene.folder.write("latchkey-biometry", Scene.unix)
      #expect(findings().map(\.level) == [.fine, .fine])
      scene.folder.write("latchkey-biometry", "auth required pam_fprintd_absent.so\naccount required pam_unix.so\n")
      #expect(findings()[1].text.contains("\(biometry):1: pam_fprintd_absent.so: the module is not installed"))
      chmod(passcode, 0o666)
      #expect(findings()[0].level == .broken && findings()[0].command == "chmod go-w \(passcode)")
      chmod(passcode, 0o644)
      chmod(scene.folder.path, 0o777)
      #expect(findings()[0].command == "chmod go-w \(scene.folder.path)")
      chmod(scene.folder.path, 0o755)
      let module = scene.folder.write("pam_own.so", "no module", mode: 0o666)
      scene.folder.write("latchkey-passcode", "auth required \(module)\naccount required pam_unix.so\n")
      #expect(findings()[0].level == .broken && findings()[0].command == "chmod go-w \(module)")
    }

    @Test func `a helper that is missing, or that others can write, is not started`() throws {
      let program = scene.folder.path + "/latchkey-pam-helper"
      let built = scene.places.helperProgram
      scene.places.helperProgram = program
      #expect(refusal()?.reason == .helperFailed)
      try FileManager.default.copyItem(atPath: built, toPath: program)
      chmod(program, 0o755)
      #expect(refusal() == nil)
      for mode in [0o775, 0o757] {
        chmod(program, mode_t(mode))
        #expect(refusal()?.reason == .helperFailed)
      }
      chmod(program, 0o755)
      chown(program, account.uid, 0)
      #expect(refusal()?.reason == .helperFailed)
      chown(program, 0, 0)
      chmod(scene.folder.path, 0o777)
      #expect(refusal()?.reason == .helperFailed)
    }

    @Test func `a helper that ends without an answer says how`() {
      scene.places.helperProgram = scene.folder.write("helper", "#!/bin/sh\nexit 41\n", mode: 0o755)
      let refusal = refusal()
      #expect(refusal?.reason == .helperFailed)
      #expect(refusal?.detail.contains("exit status 41") == true, "\(refusal?.detail ?? "")")
      #expect(leftovers.isEmpty)
    }

    @Test func `in user mode the user's own stack will do, in system mode only root's`() {
      scene.places.mode = .user
      #expect(scene.places.trustedOwners == [0, getuid()])
      scene.places.mode = .system
      #expect(scene.places.trustedOwners == [0])
    }
  }
}
