import ArgumentParser
import PackGround
import PackOrigin
import PackRelease
import PackSettings

/// The option for a missing release to compare with, as before the first release of a project.
struct MissingOption: ParsableArguments {
    @Flag(
        help: """
            Go on without a comparison if there is nothing to compare with yet: no such path, an \
            empty directory, or nothing published.
            """)
    var allowMissing = false

    /// The release to compare with; `nil`, with a note, if it is missing and may be.
    ///
    /// - Throws: ``Failure``; an error of the store.
    func present(_ text: String, _ opener: OriginOpener, _ console: Console) async throws -> String?
    {
        guard let nothing = try await NothingToCompare.at(text, opener) else { return text }
        guard allowMissing else { throw nothing }
        console.note("nothing to compare with yet: \(nothing.description)")
        return nil
    }
}

extension Failure.Code {
    static let compareEmpty = Self("build.empty", "compare")
    static let compareMissing = Self("file-system.open", "compare")
    static let compareUnpublished = Self("origin.nothing-published", "compare")
}

/// Looks for the release to compare with.
enum NothingToCompare {
    /// The reason why there is no release; `nil` for one that exists or cannot be read for another
    /// reason.
    static func at(_ text: String, _ opener: OriginOpener) async throws -> Failure? {
        if let origin = try OriginRelease.find(text, opener) {
            let channel = try opener.settings.channel()
            guard try await origin.isUnpublished(channel) else { return nil }
            return nothingPublished("on channel '\(channel)' ", origin.origin)
        }
        let location: (directory: Directory, name: String)
        do {
            location = try ReadableFile.locateExisting(text)
        } catch let error as Failure where error.meansMissing {
            return missing(text)
        }
        guard let kind = try location.directory.status(location.name)?.kind else {
            return missing(text)
        }
        guard kind == .directory else { return nil }
        let directory = try Directory.open(text)
        let names = try directory.names()
        if names.isEmpty {
            return Failure(.compareEmpty, "'\(text)' is empty")
        }
        // Left by 'keys publish' or an interrupted first publish.
        let isOrigin = try directory.status(OriginLayout.workspace)?.kind == .directory
        return isOrigin ? nothingPublished("", text) : nil
    }

    private static func missing(_ text: String) -> Failure {
        Failure(.compareMissing, "there is no '\(text)'")
    }

    private static func nothingPublished(_ channel: String, _ origin: String) -> Failure {
        Failure(.compareUnpublished, "nothing is published \(channel)at '\(origin)'")
    }
}

extension OriginRelease {
    /// Whether no matching release exists: none on the channel, or for a named release none at all.
    fileprivate func isUnpublished(_ channel: Channel) async throws -> Bool {
        do {
            _ = try await current(channel)
            return false
        } catch let failure as Failure where failure.code == .originNothingPublished {
            guard name != nil, let store = store as? any ListingStore else { return true }
            return try await store.names(in: OriginLayout.channels).isEmpty
        } catch let failure as Failure where failure.code.isOf("origin") {
            // Something exists, and reading it reports the problem.
            return false
        }
    }
}
