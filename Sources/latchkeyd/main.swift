internal import KernelKeyring
internal import LinuxSystem

// Keyrings belong to threads: joined before there is a second one.
let keyring = KernelKeyring.join()
ThisProcess.exitNow(Daemon.run(keyring))
