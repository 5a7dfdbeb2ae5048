import PackGround
import PackPublish

extension FeedChanges {
    var json: JSONValue {
        .members(["replaced": .strings(replaced), "removed": .strings(removed)])
    }
}

extension Lines {
    /// Adds the changed files of feeds, if any.
    mutating func add(_ feeds: FeedChanges) {
        let lines = feeds.replaced + feeds.removed.map { "\($0), removed" }
        for (index, line) in lines.enumerated() { add(index == 0 ? "feeds" : "", line) }
    }
}
