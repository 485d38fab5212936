import Foundation
import TestSupport

/// A made-up finger: ridges around a centre, which end or fork at places that make it this finger and no other.
///
/// The ridges are the waves of a phase, and a place where one ends or forks is a turn of that phase by one whole wave
/// (Larkin and Fletcher 2007), so that each pixel can be told by itself.
struct MadeUpFinger {
  /// Columns and rows of its pictures.
  static let size = (width: 300, height: 380)
  /// A whole wave each nine pixels.
  private static let wave = 2 * Double.pi / 9
  /// What the touches may shift it by, in pixels each way.
  private static let margin = 6
  /// The shade of each pixel, with the margin around.
  private let shades: [Double]

  /// The finger of a seed.
  init(seed: UInt64) {
    var random = Dice(seed: seed)
    let centre = (x: random.between(60, 240), y: random.between(120, 420))
    let squash = random.between(0.4, 2.5)
    var turns: [(x: Double, y: Double, sign: Double)] = []
    while turns.count < 40 {
      let place = (x: random.between(10, 290), y: random.between(10, 370))
      guard turns.allSatisfy({ hypot($0.x - place.x, $0.y - place.y) > 26 }) else { continue }
      turns.append((place.x, place.y, random.between(-1, 1) < 0 ? -1 : 1))
    }
    let wave = Self.wave
    // Plain loops over plain numbers: an unoptimised build takes seconds for anything nicer.
    var shades = [Double](
      repeating: 0, count: (Self.size.width + 2 * Self.margin) * (Self.size.height + 2 * Self.margin))
    let places = turns.flatMap { [$0.x, $0.y, $0.sign] }
    places.withUnsafeBufferPointer { places in
      var at = 0
      var y = -Double(Self.margin)
      while y < Double(Self.size.height + Self.margin) {
        var x = -Double(Self.margin)
        while x < Double(Self.size.width + Self.margin) {
          let across = x - centre.x
          let down = y - centre.y
          var phase = wave * (across * across + squash * down * down).squareRoot()
          var turn = 0
          while turn < places.count {
            phase += places[turn + 2] * atan2(y - places[turn + 1], x - places[turn])
            turn += 3
          }
          shades[at] = cos(phase)
          at += 1
          x += 1
        }
        y += 1
      }
    }
    self.shades = shades
  }

  /// One picture of it: 8-bit pixels, row by row, as `virtual_image` takes them.
  func picture(touch: UInt64) -> [UInt8] {
    var random = Dice(seed: touch &+ 77)
    let shift = (Int(random.between(0, Double(2 * Self.margin))), Int(random.between(0, Double(2 * Self.margin))))
    let width = Self.size.width + 2 * Self.margin
    var pixels: [UInt8] = []
    for row in 0..<Self.size.height {
      for column in 0..<Self.size.width {
        let shade = shades[(row + shift.1) * width + column + shift.0]
        pixels.append(UInt8(127 + 100 * shade + random.between(-25, 25)))
      }
    }
    return pixels
  }

  private struct Dice {
    private var generator: SeededGenerator
    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }
    mutating func between(_ low: Double, _ high: Double) -> Double { .random(in: low...high, using: &generator) }
  }
}
