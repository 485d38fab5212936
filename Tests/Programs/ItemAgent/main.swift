import Foundation
import ItemScript
@_spi(Latchkey) import Security

// Does what a test tells it through Apple's API, as a user of its own: orders come in on descriptor 3, answers go out on 4.

let orders = FileHandle(fileDescriptor: 3)
let answers = FileHandle(fileDescriptor: 4)
var agent = ItemAgent()
var pending = Data()
while true {
  guard let end = pending.firstIndex(of: 0x0A) else {
    let more = orders.availableData
    if more.isEmpty { exit(0) }
    pending.append(more)
    continue
  }
  let order = ItemScript.object(pending[..<end])
  pending = Data(pending[(end + 1)...])
  answers.write(ItemScript.line(agent.answer(order)))
}
