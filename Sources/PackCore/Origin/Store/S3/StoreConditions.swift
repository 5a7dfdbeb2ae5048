/// What a store was seen to do with the conditions that keep publishers apart.
package struct StoreConditions: Equatable, Sendable {
    /// How `If-Match` takes an ETag.
    package enum Replacing: String, Sendable {
        case quoted
        case unquoted
    }

    /// How 'replace only if it is unchanged' is kept; `nil` where it is not, so that the log alone decides between
    /// publishers.
    package let replacing: Replacing?
}

extension S3Store {
    /// Tries the conditions with files of the workspace, and removes them; the bucket may be empty.
    ///
    /// - Throws: ``S3Error/noConditions(origin:problem:isIgnored:)`` where nothing can be created only once.
    package func tryConditions() async throws -> StoreConditions {
        try await proveIfNeeded()
        let replacing: StoreConditions.Replacing? =
            switch memory.level {
            case .conditions(.quoted): .quoted
            case .conditions(.unquoted): .unquoted
            case .createOnly, .unsafe, nil: nil
            }
        return StoreConditions(replacing: replacing)
    }
}
