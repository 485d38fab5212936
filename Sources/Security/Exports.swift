@_exported public import CFBridge
