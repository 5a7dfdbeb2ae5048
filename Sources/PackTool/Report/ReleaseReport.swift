/// The content of a release report.
package struct ReleaseReport: Sendable {
    /// One of the two releases.
    package struct Side: Sendable {
        package let version: String
        /// The release as named on the command line.
        package let path: String
        package let files: Int
        /// The size of all files in bytes; `nil` if the manifest does not contain it.
        package let bytes: UInt64?
        /// The size of its package in bytes, if known.
        package let package: UInt64?

        package init(
            version: String, path: String, files: Int, bytes: UInt64?, package: UInt64? = nil
        ) {
            self.package = package
            self.version = version
            self.path = path
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
        /// The compressed size in the package, in bytes.
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
        /// The downloaded parts with their sizes.
        package let parts: [(what: String, bytes: UInt64)]
        package var bytes: UInt64 { parts.reduce(0) { $0 + $1.bytes } }

        package init(name: String, parts: [(what: String, bytes: UInt64)]) {
            self.name = name
            self.parts = parts
        }
    }

    /// The size of a file in the delta.
    package struct Cost: Sendable {
        package let path: String
        package let size: UInt64
        /// The bytes used in the delta.
        package let bytes: UInt64
        /// A short explanation of the size.
        package let reason: String

        package init(path: String, size: UInt64, bytes: UInt64, reason: String) {
            self.path = path
            self.size = size
            self.bytes = bytes
            self.reason = reason
        }
    }

    /// A changed file.
    package struct Change: Sendable {
        /// `added`, `removed`, `changed`, `renamed` or `moved`.
        package let kind: String
        package let path: String
        /// The old path, if it differs.
        package let from: String?
        /// Sizes in bytes; `nil` if the release does not have the file.
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
        /// One location with its excerpt.
        package struct Example: Sendable {
            package let location: String
            package let message: String
            /// The line of the file in three parts; the finding is the middle one.
            package let excerpt: (before: String, marked: String, after: String)?
            package let notes: [String]
            /// Whether the old release does not have the finding.
            package let isNew: Bool

            package init(
                location: String, message: String,
                excerpt: (before: String, marked: String, after: String)?, notes: [String],
                isNew: Bool
            ) {
                self.location = location
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
        /// The number of findings not in the old release; `nil` without an old release.
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

    /// A page that an engine opened.
    package struct Page: Sendable {
        package let name: String
        /// A short text about the page: the time to its first content, or the reason of its end.
        package let note: String
        /// PNG files.
        package let picture: [UInt8]?
        package let oldPicture: [UInt8]?

        package init(name: String, note: String, picture: [UInt8]?, oldPicture: [UInt8]?) {
            self.name = name
            self.note = note
            self.picture = picture
            self.oldPicture = oldPicture
        }
    }

    /// A limit of `check.budgets`.
    package struct Budget: Sendable {
        package let name: String
        package let value: String
        package let limit: String
        /// The value as a fraction of the limit.
        package let share: Double
        package var isKept: Bool { share <= 1 }

        package init(name: String, value: String, limit: String, share: Double) {
            self.name = name
            self.value = value
            self.limit = limit
            self.share = share
        }
    }

    /// A pointer in the history of a channel.
    package struct Published: Sendable {
        package let sequence: Int
        package let date: String
        package let version: String
        package let label: String?
        /// The size of the package in bytes.
        package let package: UInt64
        /// The size of the smallest delta in bytes.
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
    /// The size of the new release's package in bytes.
    package let package: UInt64
    /// Sorted by path.
    package let files: [File]
    /// The ways to update, the smallest download first.
    package var routes: [Route] = []
    /// The largest first.
    package var costs: [Cost] = []
    /// The bytes of the delta not used by a file: its list of files, the manifest, the zip.
    package var otherCost: UInt64 = 0
    package var changes: [Change] = []
    package var unchanged = 0
    /// Whether the check allows to publish the release, in one line.
    package var verdict = ""
    package var isReady = true
    /// The profile of the check.
    package let profile: String
    /// Errors first.
    package var findings: [Findings] = []
    package var budgets: [Budget] = []
    /// In the order of their opening; empty without an engine.
    package var pages: [Page] = []
    /// The engine's name and version, and the number of opened pages.
    package var opened: String?
    package var channel: String?
    /// In order of publication.
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

    /// The number of errors and warnings not in the old release; `nil` without an old release.
    package var newFindings: Int? {
        let known = findings.filter { $0.severity != "hint" }.compactMap(\.new)
        return old == nil ? nil : known.reduce(0, +)
    }
}
