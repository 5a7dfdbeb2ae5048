/// Everything that a report of a release says.
package struct ReleaseReport: Sendable {
    /// One of the two releases.
    package struct Side: Sendable {
        package let version: String
        /// The release as it was named on the command line.
        package let place: String
        package let files: Int
        /// Of all files, in bytes; `nil` if the manifest does not say.
        package let bytes: UInt64?
        /// Of its package, in bytes; `nil` if it is not known.
        package let package: UInt64?

        package init(
            version: String, place: String, files: Int, bytes: UInt64?, package: UInt64? = nil
        ) {
            self.package = package
            self.version = version
            self.place = place
            self.files = files
            self.bytes = bytes
        }
    }

    /// A file of the new release.
    package struct File: Sendable {
        package let path: String
        package let kind: FileKind
        /// In bytes.
        package let size: UInt64
        /// Its bytes in the package.
        package let packed: UInt64

        package init(path: String, size: UInt64, packed: UInt64) {
            self.path = path
            kind = FileKind(path: path)
            self.size = size
            self.packed = packed
        }
    }

    /// A way to update from the old release to the new one.
    package struct Route: Sendable {
        package let name: String
        /// What a client fetches, with the bytes of each.
        package let parts: [(what: String, bytes: UInt64)]
        package var bytes: UInt64 { parts.reduce(0) { $0 + $1.bytes } }

        package init(name: String, parts: [(what: String, bytes: UInt64)]) {
            self.name = name
            self.parts = parts
        }
    }

    /// What a file takes of the delta.
    package struct Cost: Sendable {
        package let path: String
        package let size: UInt64
        /// Its bytes of the delta.
        package let bytes: UInt64
        /// Why it costs that, in a few words.
        package let reason: String

        package init(path: String, size: UInt64, bytes: UInt64, reason: String) {
            self.path = path
            self.size = size
            self.bytes = bytes
            self.reason = reason
        }
    }

    /// A file that differs.
    package struct Change: Sendable {
        /// `added`, `removed`, `changed`, `renamed` or `moved`.
        package let kind: String
        package let path: String
        /// The old path, if it is another one.
        package let from: String?
        /// Sizes in bytes; `nil` where there is none.
        package let old: UInt64?
        package let new: UInt64?

        package init(kind: String, path: String, from: String?, old: UInt64?, new: UInt64?) {
            self.kind = kind
            self.path = path
            self.from = from
            self.old = old
            self.new = new
        }
    }

    /// The findings of one rule and severity.
    package struct Findings: Sendable {
        /// One place with its excerpt.
        package struct Example: Sendable {
            package let place: String
            package let message: String
            /// The line of the file, in three parts: the middle one is what the finding is about.
            package let excerpt: (before: String, marked: String, after: String)?
            package let notes: [String]
            /// Whether the old release does not have it.
            package let isNew: Bool

            package init(
                place: String, message: String,
                excerpt: (before: String, marked: String, after: String)?, notes: [String],
                isNew: Bool
            ) {
                self.place = place
                self.message = message
                self.excerpt = excerpt
                self.notes = notes
                self.isNew = isNew
            }
        }

        /// `error`, `warning` or `hint`.
        package let severity: String
        package let rule: String
        package let title: String
        package let count: Int
        /// How many of them the old release does not have; `nil` without an old release.
        package let new: Int?
        package let examples: [Example]

        package init(
            severity: String, rule: String, title: String, count: Int, new: Int?,
            examples: [Example]
        ) {
            self.severity = severity
            self.rule = rule
            self.title = title
            self.count = count
            self.new = new
            self.examples = examples
        }
    }

    /// A limit of `check.budgets`.
    package struct Budget: Sendable {
        package let name: String
        package let value: String
        package let limit: String
        /// The value as a share of the limit.
        package let share: Double
        package var isKept: Bool { share <= 1 }

        package init(name: String, value: String, limit: String, share: Double) {
            self.name = name
            self.value = value
            self.limit = limit
            self.share = share
        }
    }

    /// A pointer that a channel had.
    package struct Published: Sendable {
        package let sequence: Int
        package let date: String
        package let version: String
        package let label: String?
        /// The package, in bytes.
        package let package: UInt64
        /// The smallest delta, in bytes.
        package let delta: UInt64?

        package init(
            sequence: Int, date: String, version: String, label: String?, package: UInt64,
            delta: UInt64?
        ) {
            self.sequence = sequence
            self.date = date
            self.version = version
            self.label = label
            self.package = package
            self.delta = delta
        }
    }

    package let tool: String
    package let app: String?
    package let new: Side
    package let old: Side?
    /// The package of the new release, in bytes.
    package let package: UInt64
    /// In the order of their paths.
    package let files: [File]
    /// The ways to update, the cheapest first.
    package var routes: [Route] = []
    /// The dearest first.
    package var costs: [Cost] = []
    /// What of the delta belongs to no file: its list of files, the manifest, the zip.
    package var otherCost: UInt64 = 0
    package var changes: [Change] = []
    package var unchanged = 0
    /// Whether the check lets the release be published, in one line.
    package var verdict = ""
    package var isReady = true
    /// The profile of the check.
    package let profile: String
    /// Errors first.
    package var findings: [Findings] = []
    package var budgets: [Budget] = []
    package var channel: String?
    /// In the order in which they were published.
    package var history: [Published] = []

    package init(
        tool: String, app: String?, new: Side, old: Side?, package: UInt64, files: [File],
        profile: String
    ) {
        self.tool = tool
        self.app = app
        self.new = new
        self.old = old
        self.package = package
        self.files = files
        self.profile = profile
    }

    /// The number of findings of a severity.
    package func count(_ severity: String) -> Int {
        findings.filter { $0.severity == severity }.reduce(0) { $0 + $1.count }
    }

    /// The number of findings above hint that the old release does not have; `nil` without one.
    package var newFindings: Int? {
        let known = findings.filter { $0.severity != "hint" }.compactMap(\.new)
        return old == nil ? nil : known.reduce(0, +)
    }
}
