/// Placeholder of the room.
enum Unbuilt {}
