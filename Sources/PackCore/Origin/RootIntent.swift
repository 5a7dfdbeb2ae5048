import PackGround
import PackRelease

/// A file in the workspace that marks that a trust root is being published to a store without a lock.
///
/// Publishers look for the root after they have looked for this one, so they see this one or the root.
package struct RootIntent: ExclusiveIntent {
    package static let name = "+root"
    package static let lifetime = 15 * 60
    package static let working = lifetime / 2

    package let startedAt: Timestamp
    package let place = "\(OriginLayout.intents)/\(name).\(uniqueName())"

    package init(startedAt: Timestamp) { self.startedAt = startedAt }
}
