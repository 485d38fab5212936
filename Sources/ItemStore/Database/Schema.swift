/// The database's tables. docs/formats/store.md describes every column.
enum Schema {
  /// "LKey": stands in the file's header (SQLite's application_id).
  static let applicationID: Int64 = 0x4C4B_6579
  /// The newest format this version reads and writes (SQLite's user_version).
  static let format: Int64 = Int64(Migration.all.count)

  /// Format 1. Each index costs an add one page of a random place, so there are three: an identifier begins with its row's
  /// number, and a primary hash with the hash of service and account. Never edited once released: a later format is a migration of its own.
  static let first = """
    CREATE TABLE header(
      id INTEGER PRIMARY KEY CHECK(id = 1), uid INTEGER NOT NULL, user_name BLOB NOT NULL, device_check BLOB NOT NULL,
      index_key BLOB NOT NULL, created REAL NOT NULL) STRICT;
    CREATE TABLE keybag(
      id INTEGER PRIMARY KEY CHECK(id = 1), record BLOB NOT NULL, mark BLOB NOT NULL) STRICT;
    CREATE TABLE passcode_tally(
      id INTEGER PRIMARY KEY CHECK(id = 1), misses INTEGER NOT NULL, missed_wall INTEGER NOT NULL,
      missed_boot INTEGER NOT NULL, boot_id BLOB NOT NULL, wait_seconds INTEGER NOT NULL) STRICT;
    CREATE TABLE user_policies(pattern_hash BLOB PRIMARY KEY, sealed BLOB NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE items(
      id INTEGER PRIMARY KEY, identifier BLOB NOT NULL, class INTEGER NOT NULL, primary_hash BLOB NOT NULL,
      service_hash BLOB NOT NULL, account_hash BLOB NOT NULL, group_hash BLOB NOT NULL, synchronizable INTEGER NOT NULL,
      access BLOB NOT NULL, enrolment BLOB, generation INTEGER NOT NULL, created REAL NOT NULL,
      changed REAL NOT NULL, dead INTEGER, wrapped_key BLOB, stretching BLOB, sealed_metadata BLOB NOT NULL, sealed_value BLOB) STRICT;
    CREATE UNIQUE INDEX items_by_primary_key ON items(primary_hash);
    CREATE INDEX items_by_service ON items(service_hash);
    CREATE INDEX items_by_account ON items(account_hash);
    """

  /// Format 2: how many fingers in a row did not match.
  static let fingers = """
    CREATE TABLE biometry_tally(id INTEGER PRIMARY KEY CHECK(id = 1), misses INTEGER NOT NULL) STRICT;
    INSERT INTO biometry_tally VALUES(1, 0);
    """
}

/// A step from one format to the next; step n leads to format n.
struct Migration: Sendable {
  /// What it does, for people.
  let name: String
  /// Its statements.
  let statements: String

  /// Every step from an empty file on. A released step is never edited.
  static let all: [Migration] = [
    Migration(name: "make the tables of format 1", statements: Schema.first),
    Migration(name: "count fingers that did not match", statements: Schema.fingers),
  ]

  /// Brings a file from its format to the newest in one transaction.
  static func run(on connection: Connection, from format: Int64) throws(StoreError) {
    guard format < Schema.format else { return }
    try connection.transaction { () throws(StoreError) in
      for step in all[Int(format)...] { try connection.execute(step.statements) }
      try connection.execute("PRAGMA application_id = \(Schema.applicationID)")
      try connection.execute("PRAGMA user_version = \(Schema.format)")
    }
  }
}
