/// One request of a client. Secrets never stand in it: they travel beside it, and it names them by their place.
public enum KeychainRequest: Hashable, Sendable {
  /// Store a new item, or replace one.
  case add(AddRequest)
  /// Search; a page at a time.
  case find(FindRequest)
  /// Change every match.
  case update(UpdateRequest)
  /// Delete every match.
  case delete(DeleteRequest)
  /// Revoke what this user's proofs unlocked; `afterFirstUnlock` items stay open.
  case lock
  /// As ``lock``, and forget the `afterFirstUnlock` keys too: as after a start.
  case lockAll
  /// Unlock the keybag; binds it at the first passcode proof.
  case unlock(UnlockRequest)
  /// What state everything is in.
  case status
  /// What is wrong and what mends it.
  case doctor
  /// Make a recovery key after a proof; the old one stops working.
  case makeRecoveryKey
  /// Look at or change the user's own policies.
  case policy(PolicyRequest)
  /// Read the decision log, newest last.
  case log(LogRequest)
  /// Make, use and end an authentication context.
  case context(ContextRequest)
  /// Where the count of changes stands, told once it is no longer `since`; at once for `nil`. Never prompts.
  case watch(since: UInt64?)
}

/// The place of a secret among those sent with a message: 0 for the first.
public typealias SecretIndex = UInt16

/// What every request may say about prompting.
public struct RequestOptions: Hashable, Sendable {
  /// Whether a prompt is welcome.
  public var interaction: InteractionMode
  /// Whether a locked keybag may be unlocked by a prompt for a plain item.
  public var mayUnlock: Bool
  /// The authentication context, by the number the daemon gave it.
  public var context: UInt64?
  /// Why the program asks; untrusted text, at most 1024 bytes, shown escaped.
  public var reason: ExactText?
  /// What the ways out of a prompt are called.
  public var titles: PromptTitles
  /// The application password, for items that want one.
  public var applicationPassword: SecretIndex?

  /// Makes options; by default a prompt is welcome.
  public init(
    interaction: InteractionMode = .allow, mayUnlock: Bool = false, context: UInt64? = nil, reason: ExactText? = nil,
    titles: PromptTitles = .usual, applicationPassword: SecretIndex? = nil
  ) {
    self.interaction = interaction
    self.mayUnlock = mayUnlock
    self.context = context
    self.reason = reason
    self.titles = titles
    self.applicationPassword = applicationPassword
  }

  /// Most bytes of ``reason``.
  public static let reasonBytes = 1024
}

/// Store an item.
public struct AddRequest: Hashable, Sendable {
  /// The class.
  public var itemClass: ItemClass
  /// Its attributes; not `accessible`, `accessControl` or the dates of the system.
  public var attributes: ItemAttributes
  /// When and on which proof it opens.
  public var accessControl: AccessControl
  /// The value, or `nil` for an item without one.
  public var value: SecretIndex?
  /// What the answer holds.
  public var returns: ReturnedParts
  /// What happens where an item of this name exists.
  public var onDuplicate: DuplicateRule

  /// Makes a request; by default a duplicate is refused.
  public init(
    itemClass: ItemClass, attributes: ItemAttributes, accessControl: AccessControl, value: SecretIndex?,
    returns: ReturnedParts = [], onDuplicate: DuplicateRule = .refuse
  ) {
    self.itemClass = itemClass
    self.attributes = attributes
    self.accessControl = accessControl
    self.value = value
    self.returns = returns
    self.onDuplicate = onDuplicate
  }
}

/// What an add does where an item of the same primary key exists.
public enum DuplicateRule: UInt8, CaseIterable, Sendable {
  /// Answer `duplicateItem`; the stored item is untouched.
  case refuse = 0
  /// Replace value, given attributes and access control in one step; a protected item wants a proof for it.
  case replace = 1
  /// As ``replace``, but the stored item keeps its access control.
  case replaceKeepingAccessControl = 2
}

/// Search for items.
public struct FindRequest: Hashable, Sendable {
  /// What to look for.
  public var query: ItemQuery
  /// What to answer for each match.
  public var returns: ReturnedParts
  /// Go on behind this item, from an earlier page's ``FindReply/next``.
  public var after: UInt64?

  /// Makes a request for the first page.
  public init(query: ItemQuery, returns: ReturnedParts, after: UInt64? = nil) {
    self.query = query
    self.returns = returns
    self.after = after
  }
}

/// Change every match, or none.
public struct UpdateRequest: Hashable, Sendable {
  /// Which items.
  public var query: ItemQuery
  /// New values; an attribute that is not named stays.
  public var changes: ItemAttributes
  /// Attributes to take away.
  public var removals: Set<AttributeKey>
  /// What changes of the access control, or `nil` to keep the old one.
  public var access: AccessChange?
  /// A new value, or `nil` to keep the old one.
  public var value: SecretIndex?

  /// Makes a request.
  public init(
    query: ItemQuery, changes: ItemAttributes = ItemAttributes(), removals: Set<AttributeKey> = [],
    access: AccessChange? = nil, value: SecretIndex? = nil
  ) {
    self.query = query
    self.changes = changes
    self.removals = removals
    self.access = access
    self.value = value
  }
}

/// What an update changes of an access control.
public enum AccessChange: Hashable, Sendable {
  /// All of it.
  case accessControl(AccessControl)
  /// The class of accessibility; each item keeps its flags.
  case accessibility(Accessibility)

  /// What becomes of an access control.
  public func applied(to old: AccessControl) -> AccessControl {
    switch self {
    case .accessControl(let new): new
    case .accessibility(let accessibility): old.moved(to: accessibility)
    }
  }
}

/// Delete every match. Needs no proof unless an item's own rule for `odel` wants one.
public struct DeleteRequest: Hashable, Sendable {
  /// Which items.
  public var query: ItemQuery
  /// Delete only where the value is this one; needs what reading the value needs, and is refused while locked.
  public var onlyIfValue: SecretIndex?

  /// Makes a request.
  public init(query: ItemQuery, onlyIfValue: SecretIndex? = nil) {
    self.query = query
    self.onlyIfValue = onlyIfValue
  }
}

/// Unlock the keybag.
public enum UnlockRequest: Hashable, Sendable {
  /// With the passcode; where it was changed elsewhere the prompt asks for the old one as well.
  case passcode
  /// With the recovery key at this place, then the passcode; binds the keybag anew.
  case recoveryKey(SecretIndex)
}

/// The user's own policies.
public enum PolicyRequest: Hashable, Sendable {
  /// Put this YAML text in force; a looser one wants a proof.
  case apply(text: ExactText)
  /// Take the user's policy for this pattern away; wants a proof where the effective policy gets looser.
  case remove(service: ExactText)
  /// The texts in force.
  case list
  /// The effective policy of a service and the layers it came from.
  case explain(service: ExactText)

  /// Most bytes of a policy text: 64 KiB less the frame's own needs.
  public static let textBytes = 48 * 1024
}

/// A page of the decision log.
public struct LogRequest: Hashable, Sendable {
  /// The newest so many lines, at most 200.
  public var limit: UInt32
  /// Only lines before this one, from an earlier page's ``LogReply/next``.
  public var before: UInt64?
  /// Makes a request.
  public init(limit: UInt32 = 200, before: UInt64? = nil) {
    self.limit = limit
    self.before = before
  }
}

/// Authentication contexts. Apple counterpart: `LAContext`.
public enum ContextRequest: Hashable, Sendable {
  /// A new context, tied to this process.
  case create
  /// Whether a proof of these methods could be asked for now; never prompts. Each alternative is a set of method bits.
  case canEvaluate(alternatives: [UInt8])
  /// Ask for a proof and keep it in the context of the request's options.
  case evaluate(alternatives: [UInt8])
  /// Ask for what an access control wants for an operation and keep the proof in the context.
  case evaluateAccessControl(AccessControl, ItemOperation)
  /// End the context of the request's options.
  case invalidate
  /// Let the context of the request's options be served by proofs that were given outside of it no longer ago than this,
  /// where the policy lets them serve; 0, as in a new context, by none. Above ``longestReuse`` counts as that.
  case allowReuse(seconds: UInt32)
  /// What stands for the set of enrolled fingers; never prompts.
  case enrolment

  /// Most seconds of ``allowReuse(seconds:)``: 300 (Apple: `LATouchIDAuthenticationMaximumAllowableReuseDuration`).
  public static let longestReuse: UInt32 = 300
}
