internal import LinuxSystem

// Arguments that are not UTF-8 name no file that a report could show.
let words = ProcessArguments.bytes.dropFirst().map { String(validating: $0, as: UTF8.self) }
let (report, ending) =
  words.contains(nil) ? Program.notText : Program.run(words.compactMap { $0 }, reaching: DaemonConnection.init)
do throws(Errno) {
  try StandardStreams.write(report.output)
  try StandardStreams.write(report.errors, to: StandardStreams.error)
} catch {
  // Whoever reads the answer must not take half of it for the whole.
  ThisProcess.exitNow(Ending.findings.rawValue)
}
ThisProcess.exitNow(ending.rawValue)
