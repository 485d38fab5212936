internal import ItemStore
internal import KeychainModel
internal import KeychainService
internal import LinuxSystem
internal import SecretMemory

/// One user's store on the disk: fits the item store to what the service asks of one.
final class UserStore: ItemStoring, KeybagStoring {
  let store: ItemStore
  let strength: StretchingStrength
  private let bootID: [UInt8]
  /// The keys that need no passcode. A binding makes new ones.
  private let deviceKeys: BriefLock<ClassKeySet>

  private init(store: ItemStore, strength: StretchingStrength) throws(StoreError) {
    self.store = store
    self.strength = strength
    bootID = SystemClock().bootID
    deviceKeys = BriefLock(try store.deviceWrappedKeys())
  }

  /// Opens the user's store, and makes it, its folder and the device key where there are none.
  ///
  /// - Parameters:
  ///   - folder: the store's own folder, mode 0700; the caller holds its lock.
  ///   - deviceKeyFile: the machine's key of 32 bytes, mode 0600.
  ///   - account: whose store it is.
  ///   - stretching: how a first passcode is stretched.
  /// - Throws: ``Refusal`` with the file in its detail: `storeDamaged`, `storeNewer`, `storeForeign`, `storeReadOnly`,
  ///   `diskFull`, `ioFailed`, `outOfMemory`. Nothing that was there is changed then.
  static func open(
    folder: String, deviceKeyFile: String, account: UserAccountName, stretching: StretchingStrength
  ) throws(Refusal) -> UserStore {
    ProcessHardening.setUmask(0o077)
    try StoreFolder(path: folder).prepare()
    let location = StoreLocation(folder: folder)
    let deviceKey = try DeviceKeyFile(path: deviceKeyFile, store: location).readOrMake()
    do throws(StoreError) {
      let store = try ItemStore.open(
        location: location, deviceKey: deviceKey, owner: StoreOwner(uid: account.uid, userName: account.name),
        mode: .createIfMissing)
      return try UserStore(store: store, strength: stretching)
    } catch {
      throw Refusal(error, at: location.file)
    }
  }

  /// Runs a call of the store; its errors become refusals.
  func call<Result>(_ body: (ItemStore) throws(StoreError) -> Result) throws(Refusal) -> Result {
    do throws(StoreError) {
      return try body(store)
    } catch {
      throw Refusal(error, at: store.location.file)
    }
  }

  /// Seconds since 1970.
  var wallSeconds: Double { Double(Clock.realtime) / 1e9 }

  /// The clocks, for delays that outlive a restart.
  var clockReading: ClockReading {
    ClockReading(
      wallSeconds: Int64(Clock.realtime / 1_000_000_000), bootSeconds: Int64(Clock.boottime / 1_000_000_000),
      bootID: bootID)
  }

  /// Reads the keys that need no passcode again, after a binding.
  func renewDeviceKeys() throws(Refusal) {
    let fresh = try call { store throws(StoreError) in try store.deviceWrappedKeys() }
    deviceKeys.withLock { $0 = fresh }
  }

  func deviceKey(for protection: ProtectionClass, use: KeychainService.ClassKeyUse) -> SecretBytes? {
    deviceKeys.withLock { $0.key(for: protection, use: use == .values ? .values : .metadata) }
  }
}
