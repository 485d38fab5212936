internal import LinuxSystem

// Asks one person, for one authentication; started by the daemon and by nobody else.
ThisProcess.exitNow(Prompter.run())
