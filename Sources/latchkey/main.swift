internal import LinuxSystem

// Whoever reads our output may go away; that is an error to report, not a signal to die of.
try? Signals.ignore(Signals.pipe)
ThisProcess.exitNow(Program.run(ProcessArguments.bytes).rawValue)
