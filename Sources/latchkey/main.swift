internal import LinuxSystem

// A crash must not print what the registers point at: it may be a value.
try? ProcessHardening.leaveCrashesToKernel()
// A closed stream's number must not go to the socket: a value written there would be lost and the command seem to work.
try? StandardStreams.occupy()
// Whoever reads our output may go away; that is an error to report, not a signal to die of.
try? Signals.ignore(Signals.pipe)
ThisProcess.exitNow(Program.run(ProcessArguments.bytes).rawValue)
