import Foundation
import LinuxSystem

/// Terminals of a devpts of its own in a mount namespace of its own, as a container's: their numbers begin at 0 again, and there
/// they have the names that others have here.
public final class ForeignTerminals {
  private let holder: SpawnedProcess
  private let input: OwnedDescriptor
  /// Keyboards that only keep the numbers below the wanted one in use.
  private var unused: [OwnedDescriptor] = []

  /// Why there are none.
  public struct NotMounted: Error {}

  /// Mounts a devpts; only root may.
  public init() throws {
    let pipe = try OwnedDescriptor.pipe()
    let script = "mount -t devpts -o newinstance,ptmxmode=0666,mode=0600 none /dev/pts && exec cat"
    var plan = SpawnPlan(
      arguments: ["unshare", "--mount", "--propagation", "private", "/bin/sh", "-c", script],
      environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
    plan.descriptors = [.init(pipe.reading, as: 0)]
    holder = try Spawn.start("/usr/bin/unshare", plan)
    input = pipe.writing
    let folder = Self.folder(holder)
    guard eventually({ Self.isNew(folder) }) else { throw NotMounted() }
  }

  deinit { holder.killAndWait() }

  /// What a program is started with, as root, to see these terminals: nsenter(1).
  public var entrance: [String] { ["/usr/bin/nsenter", "--target", "\(holder.pid)", "--mount"] }

  /// A new terminal with this number, which becomes the property of `owner`.
  public func person(number: Int, owner: UserAccount) throws -> Person {
    while true {
      let keyboard = try Files.open(Self.folder(holder) + "/ptmx", [.readingAndWriting, .notControlling])
      var locked: Int32 = 0
      var index: UInt32 = 0
      guard ioctl(keyboard.number, Self.setLock, &locked) == 0, ioctl(keyboard.number, Self.getNumber, &index) == 0,
        index <= number
      else { throw POSIXError(.ENXIO) }
      guard index == number else {
        unused.append(keyboard)
        continue
      }
      let file = "\(Self.folder(holder))/\(number)"
      let terminal = try Files.open(file, [.readingAndWriting, .notControlling])
      guard chown(file, owner.uid, owner.gid) == 0 else { throw POSIXError(.EPERM) }
      return Person(keyboard: keyboard, terminal: terminal, path: "/dev/pts/\(number)")
    }
  }

  /// TIOCSPTLCK and TIOCGPTN of ioctl_tty(2), which are macros that Swift does not see.
  private static let (setLock, getNumber) = (UInt(0x4004_5431), UInt(0x8004_5430))

  private static func folder(_ holder: SpawnedProcess) -> String { "/proc/\(holder.pid)/root/dev/pts" }

  private static func isNew(_ folder: String) -> Bool {
    guard let there = try? Files.facts(folder + "/ptmx"), let here = try? Files.facts("/dev/pts") else { return false }
    return there.device != here.device
  }
}
