/// Dates in UTC, as RFC 3339 writes them.
enum DateText {
  /// "2026-11-30T08:55:12Z"; a date outside of the years 0 to 9999 as its seconds.
  static func text(_ seconds: Double) -> String {
    guard seconds.isFinite, (-62_167_219_200...253_402_300_799).contains(seconds) else { return "\(seconds)" }
    let whole = Int64(seconds.rounded(.down))
    let days = (whole >= 0 ? whole : whole - 86_399) / 86_400
    let second = whole - days * 86_400
    let (year, month, day) = civil(days)
    return "\(pad(year, 4))-\(pad(month, 2))-\(pad(day, 2))"
      + "T\(pad(second / 3600, 2)):\(pad(second / 60 % 60, 2)):\(pad(second % 60, 2))Z"
  }

  /// The date of a day counted from 1970-01-01, in the proleptic Gregorian calendar. Years are counted from March, so that
  /// a leap day is the last of its year.
  private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  private static func pad(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
