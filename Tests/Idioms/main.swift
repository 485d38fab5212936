import Foundation

let checks = Checks()
let groups: [[Idiom]] = [
  queryShapes, attributeShapes, resultShapes, statusShapes, accessControlShapes, authenticationShapes, errorShapes,
  concurrencyShapes, wrapperShapes,
]
for idiom in groups.joined() {
  do {
    checks.expect(try await idiom.run(), idiom.name)
  } catch {
    checks.expect(false, idiom.name, error)
  }
}
checks.finish()
