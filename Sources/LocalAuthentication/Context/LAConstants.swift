// The raw numbers under their C names, for code that compares `NSError.code`.

/// A raw value of ``LAPolicy``.
public var kLAPolicyDeviceOwnerAuthenticationWithBiometrics: Int32 { 1 }
/// A raw value of ``LAPolicy``.
public var kLAPolicyDeviceOwnerAuthentication: Int32 { 2 }
/// A raw value of ``LAPolicy``.
public var kLAPolicyDeviceOwnerAuthenticationWithWatch: Int32 { 3 }
/// A raw value of ``LAPolicy``.
public var kLAPolicyDeviceOwnerAuthenticationWithCompanion: Int32 { 3 }
/// A raw value of ``LAPolicy``.
public var kLAPolicyDeviceOwnerAuthenticationWithBiometricsOrWatch: Int32 { 4 }
/// A raw value of ``LAPolicy``.
public var kLAPolicyDeviceOwnerAuthenticationWithBiometricsOrCompanion: Int32 { 4 }
/// A raw value of ``LAPolicy``.
public var kLAPolicyDeviceOwnerAuthenticationWithWristDetection: Int32 { 5 }

/// A raw value of ``LAError/Code``.
public var kLAErrorAuthenticationFailed: Int32 { -1 }
/// A raw value of ``LAError/Code``.
public var kLAErrorUserCancel: Int32 { -2 }
/// A raw value of ``LAError/Code``.
public var kLAErrorUserFallback: Int32 { -3 }
/// A raw value of ``LAError/Code``.
public var kLAErrorSystemCancel: Int32 { -4 }
/// A raw value of ``LAError/Code``.
public var kLAErrorPasscodeNotSet: Int32 { -5 }
/// A raw value of ``LAError/Code``.
public var kLAErrorTouchIDNotAvailable: Int32 { -6 }
/// A raw value of ``LAError/Code``.
public var kLAErrorTouchIDNotEnrolled: Int32 { -7 }
/// A raw value of ``LAError/Code``.
public var kLAErrorTouchIDLockout: Int32 { -8 }
/// A raw value of ``LAError/Code``.
public var kLAErrorAppCancel: Int32 { -9 }
/// A raw value of ``LAError/Code``.
public var kLAErrorInvalidContext: Int32 { -10 }
/// A raw value of ``LAError/Code``.
public var kLAErrorWatchNotAvailable: Int32 { -11 }
/// A raw value of ``LAError/Code``.
public var kLAErrorCompanionNotAvailable: Int32 { -11 }
/// A raw value of ``LAError/Code``.
public var kLAErrorBiometryNotPaired: Int32 { -12 }
/// A raw value of ``LAError/Code``.
public var kLAErrorBiometryDisconnected: Int32 { -13 }
/// A raw value of ``LAError/Code``.
public var kLAErrorInvalidDimensions: Int32 { -14 }
/// A raw value of ``LAError/Code``.
public var kLAErrorBiometryNotAvailable: Int32 { -6 }
/// A raw value of ``LAError/Code``.
public var kLAErrorBiometryNotEnrolled: Int32 { -7 }
/// A raw value of ``LAError/Code``.
public var kLAErrorBiometryLockout: Int32 { -8 }
/// A raw value of ``LAError/Code``.
public var kLAErrorNotInteractive: Int32 { -1004 }

/// A raw value of ``LABiometryType``.
public var kLABiometryTypeNone: Int32 { 0 }
/// A raw value of ``LABiometryType``.
public var kLABiometryTypeTouchID: Int32 { 1 }
/// A raw value of ``LABiometryType``.
public var kLABiometryTypeFaceID: Int32 { 2 }
/// A raw value of ``LABiometryType``.
public var kLABiometryTypeOpticID: Int32 { 4 }

/// A raw value of ``LACredentialType``.
public var kLACredentialTypeApplicationPassword: Int32 { 0 }
/// A raw value of ``LACredentialType``.
public var kLACredentialTypeSmartCardPIN: Int32 { -3 }

/// A raw value of ``LAAccessControlOperation``.
public var kLAAccessControlOperationCreateItem: Int32 { 0 }
/// A raw value of ``LAAccessControlOperation``.
public var kLAAccessControlOperationUseItem: Int32 { 1 }
/// A raw value of ``LAAccessControlOperation``.
public var kLAAccessControlOperationCreateKey: Int32 { 2 }
/// A raw value of ``LAAccessControlOperation``.
public var kLAAccessControlOperationUseKeySign: Int32 { 3 }
/// A raw value of ``LAAccessControlOperation``.
public var kLAAccessControlOperationUseKeyDecrypt: Int32 { 4 }
/// A raw value of ``LAAccessControlOperation``.
public var kLAAccessControlOperationUseKeyKeyExchange: Int32 { 5 }

/// A raw value of ``LACompanionType``.
public var kLACompanionTypeWatch: Int32 { 1 }
/// A raw value of ``LACompanionType``.
public var kLACompanionTypeMac: Int32 { 2 }
/// A raw value of ``LACompanionType``.
public var kLACompanionTypeVision: Int32 { 4 }
