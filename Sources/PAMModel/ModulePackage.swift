/// Which package of Debian brings a module.
public enum ModulePackage {
  /// The package's name.
  ///
  /// - Parameter module: the module's file as a stack names it, `pam_unix.so`.
  /// - Returns: `nil` for a module that is not known here.
  public static func name(of module: String) -> String? {
    let file = module.split(separator: "/").last.map(String.init) ?? module
    return packages[file.hasSuffix(".so") ? String(file.dropLast(3)) : file]
  }

  private static let packages: [String: String] = [
    "pam_fprintd": "libpam-fprintd", "pam_google_authenticator": "libpam-google-authenticator",
    "pam_krb5": "libpam-krb5", "pam_ldap": "libpam-ldapd", "pam_oath": "libpam-oath", "pam_p11": "libpam-p11",
    "pam_pkcs11": "libpam-pkcs11", "pam_pwdfile": "libpam-pwdfile", "pam_radius_auth": "libpam-radius-auth",
    "pam_sss": "libpam-sss", "pam_u2f": "libpam-u2f", "pam_winbind": "libpam-winbind", "pam_yubico": "libpam-yubico",
    "pam_access": "libpam-modules", "pam_deny": "libpam-modules", "pam_exec": "libpam-modules",
    "pam_faildelay": "libpam-modules", "pam_faillock": "libpam-modules", "pam_nologin": "libpam-modules",
    "pam_permit": "libpam-modules", "pam_succeed_if": "libpam-modules", "pam_unix": "libpam-modules",
  ]
}
