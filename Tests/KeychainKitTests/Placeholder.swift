import KeychainKit
import Testing
