// swift-tools-version: 6.2
import PackageDescription

// One target is one room: what a room may import is what it lists here, and nothing else.
// The map is in README.md, the reasons in docs/decisions.

let house: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// Tests poke at C libraries and at processes on purpose, so they do without the memory-safety markers.
let proof: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
]

/// A room of our own code.
func room(_ name: String, _ imports: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: imports, swiftSettings: house)
}

/// A room of Apple's API. Its signatures hold raw pointers, as Apple's do, so it goes without the memory-safety markers.
func facade(_ name: String, _ imports: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: imports,
    swiftSettings: [
      .swiftLanguageMode(.v6),
      .treatAllWarnings(as: .error),
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
    ])
}

/// A program: a composition root.
func program(_ name: String, _ imports: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: imports, swiftSettings: house)
}

/// The tests of one room.
func tests(_ room: String, _ more: [Target.Dependency] = [], exclude: [String] = []) -> Target {
  .testTarget(
    name: room + "Tests", dependencies: [.target(name: room), "TestSupport"] + more, exclude: exclude,
    swiftSettings: proof)
}

/// The door to one C library.
func library(_ name: String, pkgConfig: String, package: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

let package = Package(
  name: "latchkey",
  products: [
    .library(name: "KeychainClient", targets: ["KeychainClient"]),
    .library(name: "LatchkeyTesting", targets: ["LatchkeyTesting"]),
    .library(name: "Security", targets: ["Security"]),
    .library(name: "CoreFoundation", targets: ["CoreFoundation"]),
    .library(name: "LocalAuthentication", targets: ["LocalAuthentication"]),
    .library(name: "KeychainKit", targets: ["KeychainKit"]),
    .executable(name: "latchkey", targets: ["latchkey"]),
    .executable(name: "latchkeyd", targets: ["latchkeyd"]),
    .executable(name: "latchkey-pam-helper", targets: ["latchkey-pam-helper"]),
    .executable(name: "latchkey-prompter", targets: ["latchkey-prompter"]),
    .executable(name: "latchkey-policy", targets: ["latchkey-policy"]),
  ],
  targets: [
    .target(name: "CLinux", publicHeadersPath: "include"),
    library("CPAM", pkgConfig: "pam", package: "libpam0g-dev"),
    library("CSodium", pkgConfig: "libsodium", package: "libsodium-dev"),
    library("CKeyutils", pkgConfig: "libkeyutils", package: "libkeyutils-dev"),
    library("CSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
    library("CYAML", pkgConfig: "yaml-0.1", package: "libyaml-dev"),
    library("CSystemd", pkgConfig: "libsystemd", package: "libsystemd-dev"),

    room("KeychainModel"),
    room("AccessPolicy", ["KeychainModel"]),
    room("PolicyFiles", ["KeychainModel", "AccessPolicy", "CYAML"]),
    room("LinuxSystem", ["CLinux"]),
    room("SecretMemory", ["CSodium"]),
    room("TerminalIO", ["LinuxSystem", "SecretMemory"]),
    room("KernelKeyring", ["CKeyutils", "LinuxSystem", "SecretMemory"]),
    room("PAMModel"),
    room("PAMSession", ["CPAM", "SecretMemory", "PAMModel"]),
    room("SystemBus", ["CSystemd", "LinuxSystem"]),
    room("ItemStore", ["CSQLite", "KeychainModel", "AccessPolicy", "SecretMemory", "LinuxSystem"]),
    room("KeychainWire", ["KeychainModel", "SecretMemory", "LinuxSystem"]),
    room("DialogueWire", ["SecretMemory", "LinuxSystem", "PAMModel"]),
    room("KeychainService", ["KeychainModel", "AccessPolicy", "SecretMemory"]),
    room("KeychainClient", ["KeychainModel", "KeychainWire", "LinuxSystem", "SecretMemory"]),
    room("LatchkeyTesting", ["KeychainModel", "AccessPolicy", "SecretMemory", "KeychainService", "KeychainKit"]),

    facade("CFBridge"),
    facade("CoreFoundation", ["CFBridge"]),
    facade("Security", ["CFBridge", "KeychainModel", "KeychainClient", "SecretMemory"]),
    facade("LocalAuthentication", ["Security", "KeychainModel", "KeychainClient", "SecretMemory"]),
    facade("KeychainKit", ["KeychainModel", "KeychainClient", "SecretMemory", "LinuxSystem"]),

    program(
      "latchkeyd",
      [
        "KeychainModel", "AccessPolicy", "PolicyFiles", "SecretMemory", "LinuxSystem",
        "KernelKeyring", "ItemStore", "KeychainWire", "DialogueWire", "KeychainService", "PAMModel", "SystemBus",
      ]),
    program("latchkey-pam-helper", ["PAMSession", "PAMModel", "SecretMemory", "LinuxSystem", "DialogueWire"]),
    program("latchkey-prompter", ["SecretMemory", "LinuxSystem", "DialogueWire", "TerminalIO"]),
    program(
      "latchkey-policy",
      [
        "KeychainModel", "AccessPolicy", "PolicyFiles", "KeychainClient", "LinuxSystem",
        "SecretMemory", "PAMModel", "TerminalIO",
      ]),
    program("latchkey", ["KeychainModel", "KeychainClient", "SecretMemory", "LinuxSystem", "TerminalIO"]),

    // Outside the house: measures it beside a C program of the same work (Benchmarks/floor).
    .executableTarget(
      name: "latchkey-bench",
      dependencies: [
        "KeychainModel", "AccessPolicy", "SecretMemory", "LinuxSystem", "KernelKeyring", "ItemStore", "KeychainWire",
        "KeychainClient", "Security",
      ],
      path: "Benchmarks", exclude: ["floor", "daemon"], swiftSettings: proof),

    // What several rooms' tests share.
    .target(
      name: "TestSupport", dependencies: ["LinuxSystem", "KeychainModel", "KeychainWire", "SecretMemory"],
      path: "Tests/Support", swiftSettings: proof),

    // The tracer of SystemTests: plain C, so that it loses no time.
    .executableTarget(name: "latchkey-tracer", path: "Tests/Tracer"),
    // A program that KeychainKitTests run as a user.
    .executableTarget(
      name: "keychainkit-client", dependencies: ["KeychainKit"], path: "Tests/Programs/KeychainKitClient",
      swiftSettings: proof),

    tests("KeychainModel"),
    tests("AccessPolicy", ["KeychainModel"]),
    tests("PolicyFiles", ["KeychainModel", "AccessPolicy"]),
    tests("latchkey-policy", ["KeychainModel", "AccessPolicy", "PolicyFiles"]),
    tests("LinuxSystem", ["CLinux"]),
    tests("SecretMemory"),
    tests("TerminalIO", ["LinuxSystem", "SecretMemory"]),
    tests("KernelKeyring", ["CKeyutils", "SecretMemory"]),
    tests("PAMModel"),
    tests(
      "PAMSession", ["SecretMemory", "PAMModel", "DialogueWire", "LinuxSystem", "CPAM", "latchkey-pam-helper"]),
    tests("ItemStore", ["CSQLite", "KeychainModel", "AccessPolicy", "SecretMemory"], exclude: ["Fixtures"]),
    tests("KeychainWire", ["KeychainModel", "SecretMemory", "LinuxSystem"]),
    tests("DialogueWire", ["SecretMemory", "LinuxSystem", "PAMModel"]),
    tests(
      "KeychainService", ["KeychainModel", "AccessPolicy", "SecretMemory", "LatchkeyTesting"]),
    tests("KeychainClient", ["KeychainModel", "KeychainWire", "LinuxSystem", "SecretMemory"]),
    tests(
      "latchkeyd",
      [
        "KeychainModel", "AccessPolicy", "PolicyFiles", "SecretMemory", "LinuxSystem", "KernelKeyring", "ItemStore",
        "KeychainWire", "KeychainClient", "DialogueWire", "KeychainService", "PAMModel", "LatchkeyTesting",
      ]),
    tests(
      "latchkey",
      [
        "KeychainModel", "AccessPolicy", "KeychainWire", "KeychainClient", "KeychainService", "SecretMemory",
        "LinuxSystem",
        "TerminalIO", "LatchkeyTesting",
      ]),
    tests("CFBridge"),
    // Does what a test tells it through Apple's API, as a user of its own.
    .target(name: "ItemScript", dependencies: ["Security"], path: "Tests/Programs/ItemScript", swiftSettings: proof),
    .executableTarget(
      name: "item-agent",
      dependencies: ["ItemScript", "Security", "LocalAuthentication"],
      path: "Tests/Programs/ItemAgent", swiftSettings: proof),
    tests(
      "Security",
      [
        "CFBridge", "KeychainModel", "KeychainClient", "SecretMemory", "LinuxSystem", "ItemScript", "item-agent",
        "CSQLite",
      ]),
    // A program of the tests of LocalAuthentication: it runs as the account under test.
    .executableTarget(
      name: "authentication-rows",
      dependencies: ["LocalAuthentication", "Security", "KeychainClient", "KeychainModel", "SecretMemory"],
      path: "Tests/Programs/AuthenticationRows", swiftSettings: proof),
    tests(
      "LocalAuthentication",
      [
        "Security", "KeychainModel", "KeychainClient", "KeychainWire", "SecretMemory", "LinuxSystem",
        "authentication-rows",
      ]),
    tests(
      "KeychainKit",
      [
        "KeychainModel", "KeychainClient", "LatchkeyTesting", "LinuxSystem", "SecretMemory", "keychainkit-client",
        "latchkey", "latchkeyd", "latchkey-pam-helper", "latchkey-prompter", "latchkey-policy",
      ]),
    // Code from outside of the package: it takes compilers, and so a process away from tests that wait for a prompt.
    .testTarget(
      name: "ClientSourceTests",
      dependencies: [
        "CoreFoundation", "Security", "LocalAuthentication", "KeychainKit", "latchkey", "latchkeyd",
        "latchkey-pam-helper", "latchkey-prompter", "latchkey-policy", "TestSupport",
      ],
      swiftSettings: proof),
    .testTarget(
      name: "SystemTests",
      dependencies: [
        "latchkey", "latchkeyd", "latchkey-pam-helper", "latchkey-prompter", "latchkey-policy", "latchkey-tracer",
        "KeychainClient", "KeychainModel", "KeychainWire", "LinuxSystem", "SecretMemory", "TestSupport",
      ],
      swiftSettings: proof),
    // The real fprintd on a virtual reader, and everything that asks it.
    .testTarget(
      name: "FingerprintTests",
      dependencies: [
        "latchkey", "latchkeyd", "latchkey-pam-helper", "latchkey-prompter", "latchkey-policy", "AccessPolicy",
        "KeychainClient", "KeychainModel", "KeychainService", "KeychainWire", "LinuxSystem", "SecretMemory",
        "SystemBus", "LocalAuthentication", "Security", "authentication-rows", "TestSupport",
      ],
      swiftSettings: proof),
    .testTarget(
      name: "PrompterTests",
      dependencies: ["latchkey-prompter", "DialogueWire", "LinuxSystem", "SecretMemory", "TestSupport"],
      swiftSettings: proof),
  ]
)
