import AccessPolicy
import Foundation
import KeychainModel
import KeychainService
import LinuxSystem
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
      scene.folder.write(
        "latchkey-passcode", "auth required pam_exec.so quiet /bin/true\naccount required pam_unix.so\n")
      let receiver = TestReceiver()
      #expect(refusal(receiver)?.reason == .stackCannotFail)
      #expect(receiver.keys.isEmpty && receiver.misses == 0)
      #expect(leftovers.isEmpty)
    }

    @Test func `a module that is not there is no wrong passcode`() {
      scene.folder.write(
        "latchkey-passcode", "auth required pam_no_such_module.so\naccount required pam_unix.so\n")
      let receiver = TestReceiver()
      #expect(refusal(receiver)?.reason == .stackInvalid)
      #expect(receiver.misses == 0)
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
