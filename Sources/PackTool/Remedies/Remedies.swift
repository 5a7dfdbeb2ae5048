package import PackGround

/// The next step for the user after a failure, in the imperative.
package struct Remedy: ExpressibleByStringLiteral, Sendable {
    private let text: @Sendable (Failure) -> String

    /// A remedy that names values of the failure.
    package init(_ text: @escaping @Sendable (Failure) -> String) { self.text = text }

    package init(stringLiteral text: String) { self.text = { _ in text } }

    package func callAsFunction(_ failure: Failure) -> String { text(failure) }
}

/// The remedies of the command line: one table for each area, keyed by code.
package enum Remedies {
    package typealias Table = [Failure.Code: Remedy]

    /// A table lists a code once, and no two tables list the same code; `RemedyTests` holds both.
    package static let tables: [Table] = [
        archive, build, channel, check, delta, engine, http, input, install, key, missingSettings,
        origin,
        output, project, proposal, prune, publish, rewrite, root, run, s3, settings, signing, trust,
    ]

    /// The remedies of areas whose codes are not listed.
    private static let areas: [(area: String, remedy: Remedy)] = [
        ("archive", damagedArchive), ("file-system", fileSystem),
        (
            "usage",
            Remedy { $0["example"].isEmpty ? bug : "use a value such as '\($0["example"])'" }
        ),
    ]

    private static let all = tables.reduce(into: Table()) { all, table in
        all.merge(table) { first, _ in first }
    }

    /// The next step after a failure: its own, that of its cause, or that of its area.
    package static func remedy(of failure: Failure) -> String {
        if let remedy = all[failure.code] { return remedy(failure) }
        if let cause = failure.cause { return remedy(of: cause) }
        return areas.first { failure.code.isOf($0.area) }?.remedy(failure) ?? bug
    }

    /// The next step after an error; `nil` if no area expects it.
    package static func remedy(after error: any Error) -> String? {
        (error as? Failure).map(remedy)
    }

    /// The next step after an error that no area expects.
    static let bug = "report this as a bug in packtool, with the command you ran"
}
