import AccessPolicy
import Foundation
import KeychainModel
import KeychainService
import LinuxSystem
import Testing

import SystemBus
import TestSupport
@testable import latchkeyd

/// What stands between a user and the reader, each by its own reason.
@Suite struct ReaderFactsTests {
  private let account = TestAccount(password: nil)

  private var name: UserAccountName { UserAccountName(uid: account.uid, name: account.name) }

  private func peer(_ origin: PeerFacts.Origin = .local) -> PeerFacts {
    PeerFacts(uid: account.uid, process: ProcessIdentity(pid: getpid(), startTime: 1), origin: origin)
  }

  private func reader(_ house: FingerprintHouse) throws -> FingerprintReader {
    FingerprintReader(address: try #require(BusAddress(house.busAddress)))
  }

  private func reason(_ facts: ReaderFacts) -> Reason? {
    if case .unavailable(let refusal) = facts { refusal.reason } else { nil }
  }

  @Test func `no reader, nothing enrolled and a finger are told apart`() throws {
    let none = try FingerprintHouse(.none)
    #expect(reason(try reader(none).facts(for: name, peer: peer())) == .biometryNotAvailable)
    let house = try FingerprintHouse()
    #expect(reason(try reader(house).facts(for: name, peer: peer())) == .biometryNotEnrolled)
    try house.enrol(as: "f1", for: account.name)
    #expect(try reader(house).facts(for: name, peer: peer()) == .ready(fingers: ["right-index-finger"]))
    try house.remove(of: account.name)
    #expect(reason(try reader(house).facts(for: name, peer: peer())) == .biometryNotEnrolled)
  }

  @Test func `a reader that somebody has is busy, and free again afterwards`() throws {
    let house = try FingerprintHouse()
    try house.enrol(as: "f1", for: account.name)
    var occupant: FingerprintHouse.Occupant? = try house.occupy(for: account.name)
    #expect(reason(try reader(house).diagnosis(for: name, peer: peer())) == .readerBusy)
    occupant?.leave()
    occupant = nil
    let reader = try reader(house)
    #expect(eventually { reader.diagnosis(for: name, peer: peer()) == .ready(fingers: ["right-index-finger"]) })
    // The diagnosis gave the reader back.
    #expect(reader.diagnosis(for: name, peer: peer()) == .ready(fingers: ["right-index-finger"]))
  }

  @Test func `unplugged, crashed, hanging, without a bus, and back again`() throws {
    let house = try FingerprintHouse()
    try house.enrol(as: "f1", for: account.name)
    let reader = try reader(house)
    let ready = ReaderFacts.ready(fingers: ["right-index-finger"])
    let occupant = try house.occupy(for: account.name)
    try house.unplug()
    occupant.leave()
    #expect(eventually { reason(reader.facts(for: name, peer: peer())) == .biometryNotAvailable })
    try house.startReader()
    #expect(reader.facts(for: name, peer: peer()) == ready)
    house.killReader()
    #expect(reason(reader.facts(for: name, peer: peer())) == .biometryNotAvailable)
    try house.startReader()
    try house.hangReader()
    var facts = ready
    let spent = milliseconds { facts = reader.facts(for: name, peer: peer()) }
    #expect(reason(facts) == .readerBroken && spent < 20_000, "\(facts) after \(spent) ms")
    // It is waited for once, not at each look.
    let again = quickest(below: 500) { milliseconds { facts = reader.facts(for: name, peer: peer()) } }
    #expect(reason(facts) == .readerBroken && again < 500, "\(facts) after \(again) ms")
    try house.wakeReader()
    #expect(eventually { reader.facts(for: name, peer: peer()) == ready })
    house.killBus()
    #expect(reason(reader.facts(for: name, peer: peer())) == .biometryNotAvailable)
    try house.restartBus()
    #expect(reader.facts(for: name, peer: peer()) == ready)
  }

  @Test func `a shut lid and a remote session want no finger`() throws {
    let house = try FingerprintHouse()
    try house.enrol(as: "f1", for: account.name)
    let reader = try reader(house)
    let ready = ReaderFacts.ready(fingers: ["right-index-finger"])
    #expect(reason(reader.facts(for: name, peer: peer(.remote))) == .biometryRemote)
    #expect(reader.facts(for: name, peer: peer(.unknown)) == ready)
    let login = try MockLogin(on: house)
    defer { login.stop() }
    #expect(reader.facts(for: name, peer: peer()) == ready)
    login.setLid(closed: true)
    #expect(reason(reader.facts(for: name, peer: peer())) == .lidClosed)
    #expect(reason(reader.diagnosis(for: name, peer: peer())) == .lidClosed)
    login.setLid(closed: false)
    login.setSession(MockLogin.Session(isRemote: true))
    #expect(reason(reader.facts(for: name, peer: peer())) == .biometryRemote)
    login.setSession(MockLogin.Session(uid: account.uid))
    #expect(reader.facts(for: name, peer: peer()) == ready)
  }

  @Test func `each reason is an LAError and an OSStatus of its own kind`() {
    let errors: [(Reason, Int)] = [
      (.biometryNotAvailable, -6), (.biometryNotEnrolled, -7), (.readerBusy, -6), (.readerBroken, -6),
      (.lidClosed, -6), (.biometryRemote, -6), (.enrolmentUnreadable, -6),
    ]
    for (reason, error) in errors {
      #expect(reason.row.authenticationError == error && reason.status.rawValue == -25291, "\(reason)")
    }
  }
}
