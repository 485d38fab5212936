internal import DialogueWire
internal import LinuxSystem

// One authentication: harden, take the request, run PAM, answer, end. Nothing is printed; a refused start shows in the
// exit status.
do throws(StartRefusal) {
  let start = try HelperStart.make()
  ThisProcess.exitNow(Errand(start).run())
} catch {
  ThisProcess.exitNow(error.rawValue)
}
