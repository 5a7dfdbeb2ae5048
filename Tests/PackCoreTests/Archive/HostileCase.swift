import PackArchive
import PackZip
import TestSupport
import Testing

/// A hostile archive, and the rule of the strict profile that must reject it.
struct HostileCase: Sendable, CustomTestStringConvertible {
    let name: String
    let problem: ArchiveProblem
    let zip: HostileZip

    init(_ name: String, _ problem: ArchiveProblem, _ zip: HostileZip) {
        self.name = name
        self.problem = problem
        self.zip = zip
    }

    /// An archive of a valid entry and one modified by `change`.
    init(
        _ name: String, _ problem: ArchiveProblem, entry: HostileZip.Entry = Self.deflated,
        _ change: (inout HostileZip.Entry) -> Void
    ) {
        var entry = entry
        change(&entry)
        self.init(name, problem, HostileZip(HostileZip.entry("a.txt"), entry))
    }

    /// An archive of two valid entries, modified as a whole by `change`.
    init(_ name: String, _ problem: ArchiveProblem, whole change: (inout HostileZip) -> Void) {
        var zip = HostileZip(HostileZip.entry("a.txt"), Self.deflated)
        change(&zip)
        self.init(name, problem, zip)
    }

    var testDescription: String { name }

    static let text = String(repeating: "const basket = [];\n", count: 30)
    static let deflated = HostileZip.entry("js/main.js", text, deflated: true)
}
