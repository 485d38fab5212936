public import CFBridge

// A table: Apple's names with Apple's values (SecItemConstants); programs read items by the values too.

/// File transfer.
public nonisolated(unsafe) let kSecAttrProtocolFTP: CFString = "ftp "
/// File transfer, an account of the client's side.
public nonisolated(unsafe) let kSecAttrProtocolFTPAccount: CFString = "ftpa"
/// The web.
public nonisolated(unsafe) let kSecAttrProtocolHTTP: CFString = "http"
/// Relay chat.
public nonisolated(unsafe) let kSecAttrProtocolIRC: CFString = "irc "
/// News.
public nonisolated(unsafe) let kSecAttrProtocolNNTP: CFString = "nntp"
/// Mail, fetched by POP.
public nonisolated(unsafe) let kSecAttrProtocolPOP3: CFString = "pop3"
/// Mail, sent.
public nonisolated(unsafe) let kSecAttrProtocolSMTP: CFString = "smtp"
/// A SOCKS proxy.
public nonisolated(unsafe) let kSecAttrProtocolSOCKS: CFString = "sox "
/// Mail, read by IMAP.
public nonisolated(unsafe) let kSecAttrProtocolIMAP: CFString = "imap"
/// A directory.
public nonisolated(unsafe) let kSecAttrProtocolLDAP: CFString = "ldap"
/// AppleTalk.
public nonisolated(unsafe) let kSecAttrProtocolAppleTalk: CFString = "atlk"
/// Apple's file sharing.
public nonisolated(unsafe) let kSecAttrProtocolAFP: CFString = "afp "
/// Telnet.
public nonisolated(unsafe) let kSecAttrProtocolTelnet: CFString = "teln"
/// Secure shell.
public nonisolated(unsafe) let kSecAttrProtocolSSH: CFString = "ssh "
/// File transfer over TLS.
public nonisolated(unsafe) let kSecAttrProtocolFTPS: CFString = "ftps"
/// The web over TLS.
public nonisolated(unsafe) let kSecAttrProtocolHTTPS: CFString = "htps"
/// A proxy for the web.
public nonisolated(unsafe) let kSecAttrProtocolHTTPProxy: CFString = "htpx"
/// A proxy for the web over TLS.
public nonisolated(unsafe) let kSecAttrProtocolHTTPSProxy: CFString = "htsx"
/// A proxy for file transfer.
public nonisolated(unsafe) let kSecAttrProtocolFTPProxy: CFString = "ftpx"
/// Windows file sharing.
public nonisolated(unsafe) let kSecAttrProtocolSMB: CFString = "smb "
/// Streams.
public nonisolated(unsafe) let kSecAttrProtocolRTSP: CFString = "rtsp"
/// A proxy for streams.
public nonisolated(unsafe) let kSecAttrProtocolRTSPProxy: CFString = "rtsx"
/// Shared music.
public nonisolated(unsafe) let kSecAttrProtocolDAAP: CFString = "daap"
/// Remote Apple events.
public nonisolated(unsafe) let kSecAttrProtocolEPPC: CFString = "eppc"
/// Printing.
public nonisolated(unsafe) let kSecAttrProtocolIPP: CFString = "ipp "
/// News over TLS.
public nonisolated(unsafe) let kSecAttrProtocolNNTPS: CFString = "ntps"
/// A directory over TLS.
public nonisolated(unsafe) let kSecAttrProtocolLDAPS: CFString = "ldps"
/// Telnet over TLS.
public nonisolated(unsafe) let kSecAttrProtocolTelnetS: CFString = "tels"
/// Mail, read by IMAP over TLS.
public nonisolated(unsafe) let kSecAttrProtocolIMAPS: CFString = "imps"
/// Relay chat over TLS.
public nonisolated(unsafe) let kSecAttrProtocolIRCS: CFString = "ircs"
/// Mail, fetched by POP over TLS.
public nonisolated(unsafe) let kSecAttrProtocolPOP3S: CFString = "pops"
