/// Walks every way a stack of `auth` lines can go, as libpam does, looking for a success although no
/// module that verifies the person has succeeded.
struct StackWalk {
  private let lines: [PlacedLine]
  private var seen: Set<State> = []

  init(_ lines: [PlacedLine]) { self.lines = lines }

  private struct State: Hashable {
    var place: Int
    var impression: Impression
    /// The line that made the impression good.
    var source: Int
    var typed = Typed.nothing
  }

  /// What was typed so far, whether it was right or not: it goes for the passcode once the stack succeeds.
  private enum Typed: Hashable { case nothing, something }

  /// What libpam thinks so far. A failed stack stays failed, unless a `reset` follows.
  private enum Impression: Hashable { case none, good, failed }

  /// The number of the line that makes an unproven success, if there is one.
  mutating func unprovenSuccess() -> Int? {
    var open = [State(place: 0, impression: .none, source: 0)]
    while let state = open.popLast() {
      guard seen.insert(state).inserted else { continue }
      guard state.place < lines.count else {
        if state.impression == .good { return state.source }
        continue
      }
      open += successors(of: state)
    }
    return nil
  }

  private func successors(of state: State) -> [State] {
    let line = lines[state.place]
    let nature = StackModuleNature(line.module)
    var state = state
    let answers = nature.unprovenAnswers(afterTyping: state.typed == .something)
    if nature.maySeeTyping { state.typed = .something }
    var next = answers.flatMap { after(line, answering: $0, from: state) }
    if line.module.mayBeMissing { next.append(moved(state, to: state.place + 1)) }
    return next
  }

  private func after(_ line: PlacedLine, answering result: PAMResult, from state: State) -> [State] {
    let good = result == .success || result == .newTokenRequired
    let following = state.place + 1
    switch line.module.control[result] {
    case .ignore: return [moved(state, to: following)]
    case .ok: return [moved(judged(state, good: good, by: line), to: following)]
    case .done:
      let judged = judged(state, good: good, by: line)
      return [moved(judged, to: judged.impression == .good ? endOfLevel(state.place) : following)]
    case .bad, .die: return [State(place: following, impression: .failed, source: 0, typed: state.typed)]
    case .reset:
      let anew = State(place: following, impression: .none, source: 0, typed: state.typed)
      return [anew, moved(state, to: following)]
    case .jump(let count):
      // libpam's versions differ in whether a jump counts as success; both are walked.
      guard let target = jumped(over: count, from: state.place) else { return [] }
      return [moved(state, to: target), moved(judged(state, good: good, by: line), to: target)]
    }
  }

  private func moved(_ state: State, to place: Int) -> State {
    State(place: place, impression: state.impression, source: state.source, typed: state.typed)
  }

  private func judged(_ state: State, good: Bool, by line: PlacedLine) -> State {
    guard state.impression != .failed else { return state }
    guard good else { return State(place: state.place, impression: .failed, source: 0, typed: state.typed) }
    return State(place: state.place, impression: .good, source: line.number, typed: state.typed)
  }

  /// `done` ends the whole stack, or the substack it stands in.
  private func endOfLevel(_ place: Int) -> Int {
    let level = lines[place].level
    guard level > 0 else { return lines.count }
    return lines[place...].firstIndex { $0.level < level } ?? lines.count
  }

  /// Skips lines of this level; a substack counts as one. Nil when there are too few: libpam fails the stack.
  private func jumped(over count: Int, from place: Int) -> Int? {
    let level = lines[place].level
    var at = place + 1
    for _ in 0..<count {
      guard at < lines.count, lines[at].level >= level else { return nil }
      if lines[at].level == level { at += 1; continue }
      at = lines[at...].firstIndex { $0.level <= level } ?? lines.count
    }
    return at
  }
}
