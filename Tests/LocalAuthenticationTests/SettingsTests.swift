import Foundation
import KeychainClient
import KeychainModel
@testable import LocalAuthentication
import SecretMemory
import Testing

/// What a context keeps without asking the daemon.
@Suite struct SettingsTests {
  @Test func `a new context is empty`() {
    let context = LAContext()
    #expect(context.localizedReason.isEmpty)
    #expect(context.localizedFallbackTitle == nil && context.localizedCancelTitle == nil)
    #expect(!context.interactionNotAllowed)
    #expect(context.touchIDAuthenticationAllowableReuseDuration == 0)
    #expect(context.maxBiometryFailures == nil)
    #expect(context.evaluatedPolicyDomainState == nil)
    #expect(!context.isCredentialSet(.applicationPassword))
    #expect(context.promptReason == nil && !context.forbidsPrompts && context.applicationPassword == nil)
  }

  @Test func `what was set is there`() {
    let context = LAContext()
    context.localizedReason = "why"
    context.localizedFallbackTitle = ""
    context.localizedCancelTitle = "Leave"
    context.interactionNotAllowed = true
    context.maxBiometryFailures = 3
    #expect(context.localizedReason == "why" && context.promptReason == "why")
    #expect(context.localizedFallbackTitle == "" && context.localizedCancelTitle == "Leave")
    #expect(context.interactionNotAllowed && context.forbidsPrompts)
    #expect(context.maxBiometryFailures == 3)
    context.interactionNotAllowed = false
    #expect(!context.forbidsPrompts)
  }

  @Test(arguments: [0, 1, 299.5, 300, 301, -5, .infinity, -.infinity, 1e300])
  func `a reuse duration comes back as it was set`(seconds: Double) {
    let context = LAContext()
    context.touchIDAuthenticationAllowableReuseDuration = seconds
    #expect(context.touchIDAuthenticationAllowableReuseDuration == seconds)
    context.touchIDAuthenticationAllowableReuseDuration = .nan
    #expect(context.touchIDAuthenticationAllowableReuseDuration.isNaN)
  }

  @Test func `an application password is set, replaced and taken away`() throws {
    let context = LAContext()
    #expect(context.setCredential(Data("one".utf8), type: .applicationPassword))
    #expect(context.isCredentialSet(.applicationPassword))
    #expect(context.setCredential(Data("two".utf8), type: .applicationPassword))
    #expect(context.applicationPassword?.equals(try SecretBytes(copying: Array("two".utf8))) == true)
    #expect(context.setCredential(nil, type: .applicationPassword))
    #expect(!context.isCredentialSet(.applicationPassword) && context.applicationPassword == nil)
    #expect(context.setCredential(Data(), type: .applicationPassword))
    #expect(context.isCredentialSet(.applicationPassword))
  }

  @Test func `nothing takes a smart card's PIN, and an invalidated context takes nothing`() {
    let context = LAContext()
    #expect(!context.setCredential(Data("1234".utf8), type: .smartCardPIN))
    #expect(!context.isCredentialSet(.smartCardPIN))
    context.invalidate()
    context.invalidate()
    #expect(!context.setCredential(Data("x".utf8), type: .applicationPassword))
    #expect(!context.isCredentialSet(.applicationPassword))
  }

  @Test(arguments: [(SecretBytes.maximumCount, true), (SecretBytes.maximumCount + 1, false)])
  func `a credential has a bound`(count: Int, fits: Bool) {
    let context = LAContext()
    #expect(context.setCredential(Data(count: count), type: .applicationPassword) == fits)
  }

  @Test(arguments: [(1023, 1023), (1024, 1024), (1025, 1024)])
  func `a reason is cut to what a request takes`(count: Int, kept: Int) {
    #expect(PromptReason.clipped(String(repeating: "x", count: count)).bytes.count == kept)
    let wide = PromptReason.clipped(String(repeating: "é", count: 600))
    #expect(wide.bytes.count == 1024 && wide.validString != nil, "no character is cut in two")
    #expect(PromptReason.clipped("x" + String(repeating: "é", count: 600)).bytes.count == 1023)
  }

  @Test(arguments: [
    (String?.none, FallbackTitle.usual), ("", .hidden), ("Use PIN", .named("Use PIN")),
  ]) func `the title of the fallback is usual, hidden or the program's`(title: String?, fallback: FallbackTitle) {
    let context = LAContext()
    context.localizedFallbackTitle = title
    #expect(context.promptTitles == PromptTitles(fallback: fallback))
  }

  @Test func `titles are cut to what a request takes, and an empty one for dismissing is the usual word`() {
    let context = LAContext()
    context.localizedCancelTitle = ""
    #expect(context.promptTitles == .usual)
    for (count, kept) in [(127, 127), (128, 128), (129, 128)] {
      context.localizedCancelTitle = String(repeating: "x", count: count)
      context.localizedFallbackTitle = String(repeating: "y", count: count)
      #expect(context.promptTitles.cancel?.bytes.count == kept)
      #expect(context.promptTitles.fallback == .named(ExactText(String(repeating: "y", count: kept))))
    }
  }

  @Test func `an invalidated context answers without the daemon`() async {
    let context = LAContext()
    context.invalidate()
    await #expect(throws: LAError.self) {
      try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "see you")
    }
    var error: NSError?
    #expect(!context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error))
    #expect(error?.code == LAError.invalidContext.rawValue)
  }

  @Test func `operations are those of the keychain`() {
    let wanted: [(LAAccessControlOperation, ItemOperation)] = [
      (.createItem, .encrypt), (.useItem, .decrypt), (.createKey, .encrypt), (.useKeySign, .sign),
      (.useKeyDecrypt, .keyAgreement), (.useKeyKeyExchange, .keyAgreement),
    ]
    for (operation, own) in wanted { #expect(operation.itemOperation == own) }
    #expect(wanted.count == LAAccessControlOperation.allCases.count)
  }

  @Test func `requirements are those of the keychain`() {
    #expect(LAAuthenticationRequirement.default.rule.flags == .userPresence)
    #expect(LAAuthenticationRequirement.biometry.rule.flags == .biometryAny)
    #expect(LAAuthenticationRequirement.biometryCurrentSet.rule.flags == .biometryCurrentSet)
    #expect(LAAuthenticationRequirement.biometry(fallback: .devicePasscode) == .default)
    #expect(LAAuthenticationRequirement.biometry != .default)
    for rule in RightRule.allCases { #expect(RightRule(rule.flags) == rule) }
    #expect(RightRule([]) == nil && RightRule(.devicePasscode) == nil)
  }
}
