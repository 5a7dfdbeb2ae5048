package import PackGround
import PackRelease

/// A missing or incorrect file of an origin.
package enum OriginError: Remedied, Equatable {
    case notAnOrigin(path: String)
    /// Also used if a web server denies the pointer's existence; `answer` describes its response.
    /// `channel` is `nil` if no channel exists.
    case nothingPublished(channel: String?, origin: String, answer: String? = nil)
    case noSuchRelease(version: String, origin: String)
    /// A release whose files were deleted by a prune.
    case pruned(name: String, origin: String)
    case invalidPointer(place: String, problem: String)
    case logDiffers(place: String)
    case logMissing(place: String)
    case urlElsewhere(url: String, place: String)
    case missing(place: String)
    case differs(place: String, problem: String)

    package var code: String {
        switch self {
        case .notAnOrigin: "origin.not-an-origin"
        case .nothingPublished: "origin.nothing-published"
        case .noSuchRelease: "origin.no-such-release"
        case .pruned: "origin.pruned"
        case .invalidPointer: "origin.invalid-pointer"
        case .logDiffers: "origin.log-differs"
        case .logMissing: "origin.log-missing"
        case .urlElsewhere: "origin.url-elsewhere"
        case .missing: "origin.missing"
        case .differs: "origin.differs"
        }
    }

    package var description: String {
        switch self {
        case .notAnOrigin(let path): "'\(path)' is not an origin: it has no channels"
        case .nothingPublished(let channel, let origin, let answer):
            "nothing is published \(channel.map { "on channel '\($0)' " } ?? "")at '\(origin)'"
                + (answer.map { ": \($0)" } ?? "")
        case .noSuchRelease(let version, let origin):
            "'\(origin)' has no release '\(printable(version.utf8))'"
        case .pruned(let name, let origin):
            "release \(name) is no longer at '\(origin)': it was pruned"
        case .invalidPointer(let place, let problem):
            "'\(place)' is not a valid pointer: \(problem)"
        case .logDiffers(let place): "'\(place)' differs from the pointer in its channel's log"
        case .logMissing(let place): "'\(place)' is not in its channel's log"
        case .urlElsewhere(let url, let place):
            "'\(place)' names the URL '\(printable(url.utf8))', which is outside this origin"
        case .missing(let place): "'\(place)' is missing"
        case .differs(let place, let problem): "'\(place)' \(problem)"
        }
    }

    package var exitCode: ExitCode {
        switch self {
        case .notAnOrigin, .noSuchRelease, .pruned, .nothingPublished: .couldNotDo
        default: .verification
        }
    }

    package var remedy: String {
        switch self {
        case .notAnOrigin: "name an origin that 'packtool publish --to' wrote"
        case .pruned:
            "name a release that is there ('packtool history' marks those that were pruned), or the build or package "
                + "itself if you have it"
        case .nothingPublished(nil, _, nil): "check the address, or publish a release there first"
        case .nothingPublished(_, _, nil):
            "check the address and --channel, or publish a release there first"
        case .nothingPublished:
            "check the address and --channel; if a release is published there, let the CDN read the bucket"
        case .noSuchRelease:
            """
            give the label of a release that was live there, or its version of 20 hexadecimal \
            digits
            """
        case .invalidPointer(let place, _) where place.hasSuffix("/pointer.json"):
            "copy the newest file of the 'log' folder beside it over it, which is the same pointer, or restore it from "
                + "a mirror or backup; then run 'packtool verify' on the origin"
        case .logDiffers:
            "run 'packtool verify' on the origin: if it names the log entry as damaged, copy the pointer over it, which is "
                + "the same file; otherwise restore both from a mirror or backup"
        case .invalidPointer, .logMissing:
            "run 'packtool verify' on the origin, and restore the file from a mirror or backup"
        case .urlElsewhere: "publish again with the right --base-url"
        case .missing(let place), .differs(let place, _):
            (Self.isOfRelease(place)
                ? "run 'packtool publish' with the build of that release and --repair, or " : "")
                + "restore the file from a mirror or backup, then run 'packtool verify' on the origin"
        }
    }

    /// Whether a publish of the release's build restores a file.
    private static func isOfRelease(_ place: String) -> Bool {
        let parts = place.pathComponents()
        return parts.contains { $0 == OriginLayout.releases || $0 == OriginLayout.objects }
    }
}
