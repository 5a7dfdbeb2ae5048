import Testing

/// What kind of store the origins of a test are.
enum StoreKind: String, Sendable, CaseIterable {
    case directory, memory

    /// The kind of the origins that a ``Playground`` makes.
    @TaskLocal static var current = StoreKind.directory
}

/// Runs every test of a suite once on each kind of store.
struct EachStore: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        for kind in StoreKind.allCases {
            try await StoreKind.$current.withValue(kind) { try await function() }
        }
    }
}

/// Leaves a test of such a suite to one kind of store: it is about links, rights, locks or devices.
struct DirectoryOnly: TestTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        guard StoreKind.current == .directory else { return }
        try await function()
    }
}

extension Trait where Self == EachStore {
    /// Once on a directory, once in memory.
    static var eachStore: Self { Self() }
}

extension Trait where Self == DirectoryOnly {
    /// Only on a directory.
    static var directoryOnly: Self { Self() }
}
