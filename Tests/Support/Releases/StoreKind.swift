package import Testing

/// What kind of store the origins of a test are.
package enum StoreKind: String, Sendable, CaseIterable {
    case directory, memory

    /// The kind of the origins that a ``Playground`` makes.
    @TaskLocal package static var current = StoreKind.directory
}

/// Runs every test of a suite once on each kind of store.
package struct EachStore: SuiteTrait, TestTrait, TestScoping {
    package let isRecursive = true

    package func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        for kind in StoreKind.allCases {
            try await StoreKind.$current.withValue(kind) { try await function() }
        }
    }
}

/// Leaves a test of such a suite to one kind of store: it is about links, rights, locks or devices.
package struct DirectoryOnly: TestTrait, TestScoping {
    package func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        guard StoreKind.current == .directory else { return }
        try await function()
    }
}

extension Trait where Self == EachStore {
    /// Once on a directory, once in memory.
    package static var eachStore: Self { Self() }
}

extension Trait where Self == DirectoryOnly {
    /// Only on a directory.
    package static var directoryOnly: Self { Self() }
}
