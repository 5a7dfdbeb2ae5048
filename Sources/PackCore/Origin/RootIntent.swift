/// A file in the workspace that marks that a trust root is being published to a store without a lock.
///
/// Publishers look for the root after they have looked for this one, so they see this one or the root.
struct RootIntent: ExclusiveIntent {
    static let name = "+root"
    static let lifetime = 15 * 60
    static let working = lifetime / 2

    let startedAt: Timestamp
    let place = "\(OriginLayout.intents)/\(name).\(uniqueName())"
}
