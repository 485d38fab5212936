@testable import ItemStore

/// Runs SQL on a store's file behind its back.
func tamper(_ folder: String, _ sql: String) throws {
  try Connection(path: Array("\(folder)/\(StoreLocation.fileName)".utf8), access: .readWrite).execute(sql)
}
