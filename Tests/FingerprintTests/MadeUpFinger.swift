import Foundation
import TestSupport

/// A made-up finger: ridges around a centre, which end or fork at places that make it this finger and no other.
///
/// The ridges are the waves of a phase, and a place where one ends or forks is a turn of that phase by one whole wave
/// (Larkin and Fletcher 2007), so that each pixel can be told by itself.
struct MadeUpFinger {
  /// Columns and rows of its pictures.
  static let size = (width: 300, height: 380)
  private static let ridgePeriod = 9.0
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
    var shades: [Double] = []
    for row in -Self.margin..<Self.size.height + Self.margin {
      for column in -Self.margin..<Self.size.width + Self.margin {
        let (x, y) = (Double(column), Double(row))
        let away = (x: x - centre.x, y: y - centre.y)
        var phase = 2 * Double.pi * (away.x * away.x + squash * away.y * away.y).squareRoot() / Self.ridgePeriod
        for turn in turns { phase += turn.sign * atan2(y - turn.y, x - turn.x) }
        shades.append(cos(phase))
      }
    }
    self.shades = shades
  }

  /// One picture of it: 8-bit pixels, row by row, as `virtual_image` takes them.
  func picture(touch: UInt64) -> [UInt8] {
    var random = Dice(seed: touch &+ 77)
    let shift = (Int(random.between(0, 12)), Int(random.between(0, 12)))
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
