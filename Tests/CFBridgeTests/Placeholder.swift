import CFBridge
import Testing
