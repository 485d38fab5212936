// For code that says `import CoreFoundation` beside `import Security`. The toolchain has a module of this name, whose
// CFDictionary and CFError are other classes than ours and bridge to nothing, so that the two together are ambiguous. A
// target that depends on this product sees Apple's names in the form that Security takes; Foundation itself is not touched.
@_exported public import CFBridge
