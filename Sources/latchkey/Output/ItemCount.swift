/// So many items, for people.
struct ItemCount {
  let text: String

  init(_ count: some BinaryInteger) { text = count == 1 ? "1 item" : "\(count) items" }
}
