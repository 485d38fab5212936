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
  /// A passcode that the client hands in: no prompter, real PAM.
  @Suite struct SuppliedPasscodeTests {
    let scene = Scene()

    @Test func `the right passcode proves presence for every service, and its key reaches the keybag`() throws {
      let account = TestAccount(password: "right horse")
      let receiver = TestReceiver(stretching: Scene.cheap)
      let before = Clock.boottime
      let outcome = scene.prove(account, passcode: "right horse", receiver)
      #expect(outcome.reason == nil, "\(String(describing: outcome.refusal))")
      #expect(outcome.evidence.map(\.service?.string) == ["com.example.mail", "com.example.chat"])
      let expected = try PasscodeStretching.stretch(locked("right horse"), parameters: Scene.cheap)
      #expect(receiver.keys.count == 1)
      #expect(receiver.keys[0]?.equals(expected) == true)
      for proof in outcome.evidence {
        #expect(proof.method == .passcode && proof.uid == account.uid && proof.requester == Scene.peer.process)
        #expect(proof.context == ContextIdentifier(value: 5) && proof.session == Scene.peer.session)
        #expect(proof.reuse == Reuse(windowSeconds: 60, scope: .process) && proof.enrolmentHash == nil)
        #expect((before...Clock.boottime).contains(proof.provedAt.nanoseconds))
      }
      #expect(receiver.misses == 0)
      #expect(leftovers.isEmpty)
    }

    @Test func `a wrong passcode is one miss and no key`() {
      let account = TestAccount(password: "right")
      let receiver = TestReceiver(stretching: Scene.cheap)
      #expect(scene.prove(account, passcode: "wrong", receiver).reason == .wrongPasscode)
      #expect(receiver.misses == 1 && receiver.keys.isEmpty)
      #expect(leftovers.isEmpty)
    }

    @Test func `the tally's word stands beside the last wrong answer`() {
      let account = TestAccount(password: "right")
      let receiver = TestReceiver(miss: { _ in .stop(Refusal(.tooManyAttempts, detail: "wait 30 s")) })
      #expect(
        scene.prove(account, passcode: "wrong", receiver).refusal == Refusal(.wrongPasscode, detail: "wait 30 s"))
    }

    @Test func `lengths are taken from 1 to 511 bytes`() {
      let account = TestAccount(password: "right")
      let receiver = TestReceiver()
      #expect(scene.prove(account, passcode: "", receiver).reason == .emptyPasscode)
      #expect(scene.prove(account, passcode: String(repeating: "x", count: 512), receiver).reason == .answerTooLong)
      #expect(receiver.misses == 0, "PAM saw neither")
      #expect(scene.prove(account, passcode: String(repeating: "x", count: 511), receiver).reason == .wrongPasscode)
      #expect(scene.prove(account, passcode: "x", receiver).reason == .wrongPasscode)
      #expect(scene.prove(account, passcode: "right\0", receiver).reason == .wrongPasscode)
      #expect(receiver.misses == 2)
    }

    @Test(arguments: [
      (["chage", "-d", "0"], Reason.passcodeExpired),
      (["chage", "-d", "2001-01-01", "-M", "1", "-I", "1"], .passcodeExpired),
      (["usermod", "-e", "2001-01-01"], .accountExpired), (["usermod", "-L"], .accountLocked),
      (["passwd", "-q", "-d"], .passcodeNotSet), (["usermod", "-p", "*"], .passcodeUnusable),
      (["usermod", "-p", "x"], .passcodeUnusable),
    ])
    func `an account that cannot prove a passcode has its own reason, before the client is asked`(
      command: [String], reason: Reason
    ) {
      let account = TestAccount(password: "right")
      let name = UserAccountName(uid: account.uid, name: account.name)
      #expect(scene.authenticator.availability(of: .passcode, account: name, peer: Scene.peer) == .ready)
      #expect(scene.authenticator.passcodeRemoval(account: name) == .notKnownToBeRemoved)
      #expect(run(command + [account.name]).status == 0)
      let channel = ClientDouble(.passcode(locked("right")))
      #expect(scene.start(scene.request(account), channel).refusal?.reason == reason)
      #expect(channel.asked == 0)
      guard
        case .unavailable(let refusal) = scene.authenticator.availability(
          of: .passcode, account: name, peer: Scene.peer)
      else {
        Issue.record("it is available")
        return
      }
      #expect(refusal.reason == reason)
      #expect(
        scene.authenticator.passcodeRemoval(account: name)
          == (reason == .passcodeNotSet ? .removed : .notKnownToBeRemoved))
    }

    @Test func `an account of another name or uid verifies nothing and has removed nothing`() {
      let account = TestAccount(password: "right")
      account.change("passwd", "-q", "-d")
      for name in [
        UserAccountName(uid: account.uid + 1, name: account.name),
        UserAccountName(uid: account.uid, name: "lkp-nobody"),
      ] {
        #expect(scene.authenticator.passcodeRemoval(account: name) == .notKnownToBeRemoved)
        guard
          case .unavailable(let refusal) = scene.authenticator.availability(
            of: .passcode, account: name, peer: Scene.peer)
        else {
          Issue.record("it is available")
          return
        }
        #expect(refusal.reason == .cannotVerifyPasscodes)
      }
    }

    @Test func `another user's passcode is a wrong one`() {
      let account = TestAccount(password: "right")
      let other = TestAccount(password: "other")
      #expect(scene.prove(account, passcode: "other").reason == .wrongPasscode)
      #expect(scene.prove(other, passcode: "other").reason == nil)
    }

    @Test func `without a reader a fingerprint is not to be had, and serves as no way round`() {
      let account = TestAccount(password: "right")
      let channel = ClientDouble(.passcode(locked("right")))
      for alternatives in [[MethodSet.biometry], [.all]] {
        let request = scene.request(account, alternatives: alternatives)
        #expect(scene.start(request, channel).refusal?.reason == .biometryNotAvailable)
      }
      #expect(channel.asked == 0)
      let either = scene.request(account, alternatives: [.biometry, .passcode])
      #expect(scene.start(either, channel).outcome.evidence.map(\.method) == [.passcode, .passcode])
    }

    @Test func `what the keybag refuses is no proof`() {
      let account = TestAccount(password: "right")
      let receiver = TestReceiver(proved: { _ in .refused(Refusal(.storeDamaged)) })
      #expect(scene.prove(account, passcode: "right", receiver).reason == .storeDamaged)
      let changed = TestReceiver(stretching: Scene.cheap, proved: { _ in .askOldPasscode(Scene.cheap) })
      #expect(scene.prove(account, passcode: "right", changed).reason == .passcodeChanged)
      #expect(changed.oldKeys.isEmpty, "there is nobody to ask")
      #expect(leftovers.isEmpty)
    }

    @Test func `a client that names no way to prompt, or ends the request, gets that reason`() {
      let account = TestAccount(password: "right")
      #expect(scene.start(scene.request(account), ClientDouble(.none)).refusal?.reason == .noWayToPrompt)
      let refusing = ClientDouble(.failure(Refusal(.appCancelled)))
      #expect(scene.start(scene.request(account), refusing).refusal?.reason == .appCancelled)
      let gone = ClientDouble(.passcode(locked("right")))
      gone.leave()
      #expect(scene.start(scene.request(account), gone).refusal?.reason == .clientGone)
    }

    @Test func `the stack's delay keeps the refusal back, but not from a client that left`() throws {
      let account = TestAccount(password: "right")
      scene.folder.write("latchkey-passcode", "auth optional pam_faildelay.so delay=1500000\n" + Scene.unix)
      let taken = milliseconds { #expect(scene.prove(account, passcode: "wrong").reason == .wrongPasscode) }
      #expect(taken > 750, "libpam shortens it by up to half, at random")
      let left = quickest(below: 400) {
        let receiver = TestReceiver()
        let channel = ClientDouble(.passcode(locked("wrong")))
        let proving = scene.start(scene.request(account, receiver), channel)
        #expect(eventually { receiver.misses == 1 })
        channel.leave()
        return milliseconds { _ = proving.outcome }
      }
      #expect(left < 400)
    }

    @Test func `derivations of one user take turns, and who waits is told`() {
      let account = TestAccount(password: "right")
      let authenticator = scene.authenticator
      let channels = (0..<4).map { _ in ClientDouble(.passcode(locked("right"))) }
      let receiver = TestReceiver(stretching: Scene.cheap)
      let provings = channels.map { Proving(authenticator, scene.request(account, receiver), $0) }
      #expect(provings.allSatisfy { $0.refusal == nil })
      #expect(receiver.keys.count == 4)
      let waiting = channels.filter { $0.notices.map(\.kind) == [.waiting] }
      #expect(waiting.count >= 1 && channels.allSatisfy { $0.notices.count <= 1 })
      #expect(leftovers.isEmpty)
    }
  }
}
