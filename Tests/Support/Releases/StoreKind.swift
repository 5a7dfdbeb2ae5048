package import Testing

/// The kind of store for the origins of a test.
package enum StoreKind: String, Sendable, CaseIterable {
    case directory, memory

    /// The kind for new origins of a ``Playground``.
    @TaskLocal package static var current = StoreKind.directory
}

/// A kind of file or damage in a kind of store.
package struct InStore: Sendable, CustomTestStringConvertible {
    package let how: String
    package let store: StoreKind

    package var testDescription: String { "\(how) in \(store)" }

    /// All kinds in a directory, and those that also occur in memory.
    package static func each(_ kinds: [String], alsoInMemory: [String]) -> [InStore] {
        kinds.map { InStore(how: $0, store: .directory) }
            + alsoInMemory.map { InStore(how: $0, store: .memory) }
    }
}

/// Runs every test of a suite once for each kind of store.
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

/// Runs a test only with a directory, because it uses links, permissions, locks or devices.
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
    /// Once in a directory, once in memory.
    package static var eachStore: Self { Self() }
}

extension Trait where Self == DirectoryOnly {
    /// Only in a directory.
    package static var directoryOnly: Self { Self() }
}
