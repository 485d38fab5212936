internal import KeychainModel
internal import TerminalIO

/// `explain SERVICE`: the policy in force and the files that had a say.
struct ExplainCommand {
  let service: String

  func run(_ daemon: some PolicyDaemon, _ report: inout Report) -> Ending {
    do throws(Refusal) {
      let reply = try daemon.policies(.explain(service: ExactText(service)))
      report.say("# in force for this service:")
      report.sayText(reply.effective)
      for layer in reply.layers {
        report.say("")
        report.say("# \(layer.heading)")
        report.sayText(layer.text)
      }
      report.answer(
        .object([
          "good": .truth(true), "service": .string(service), "effective": .string(reply.effective),
          "layers": .list(reply.layers.map(\.json)),
        ]))
      return .good
    } catch {
      return report.refuse(error)
    }
  }
}

/// `list`: every policy in force, layer by layer.
struct ListCommand {
  func run(_ daemon: some PolicyDaemon, _ report: inout Report) -> Ending {
    do throws(Refusal) {
      let layers = try daemon.policies(.list).layers
      for layer in layers {
        report.say(layer.heading)
        for fault in layer.faults { report.say("  not in force: \(fault)") }
      }
      report.answer(.object(["good": .truth(true), "layers": .list(layers.map(\.json))]))
      return .good
    } catch {
      return report.refuse(error)
    }
  }
}

extension PolicyLayer {
  /// One line: the layer, the pattern and the file.
  var heading: String { "\(origin): \(service)\(file.isEmpty ? "" : " (\(file))")" }

  /// Why it is not in force, a line for each fault; none where it is.
  var faults: [String] {
    text.split(separator: "\n").compactMap { line in
      line.hasPrefix(Self.faultMark) ? String(line.dropFirst(Self.faultMark.count)) : nil
    }
  }

  var json: JSONText {
    .object(["origin": .string(origin), "service": .string(service), "file": .string(file), "text": .string(text)])
  }
}

extension Report {
  /// Says a text that may end in a line break of its own.
  mutating func sayText(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast(text.hasSuffix("\n") ? 1 : 0) {
      say(String(line))
    }
  }
}
