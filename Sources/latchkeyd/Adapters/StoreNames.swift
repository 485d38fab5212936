internal import ItemStore
internal import SecretMemory

// The service and the store each have a type of these names, because neither knows the other. This file sees the store's only
// and gives them names of their own; every other file of this folder means the service's.

typealias StoreNewItem = NewItem
typealias StoreItemChange = ItemChange
typealias StoreClassKeySource = ClassKeySource
typealias StoreClassKeyUse = ClassKeyUse
typealias StorePasscodeTally = PasscodeTally
typealias StoreOpenedItem = OpenedItem
