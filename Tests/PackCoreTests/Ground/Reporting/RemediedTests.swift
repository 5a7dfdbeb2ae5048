import Foundation
import PackCore
import Testing

/// Every error says what happened, and what to do; its code never changes once released.
struct RemediedTests {
    private static let origin: [any Remedied] = [
        OriginError.notAnOrigin(path: "p"), OriginError.nothingPublished(channel: "c", origin: "o"),
        OriginError.invalidPointer(place: "p", problem: "q"), OriginError.logDiffers(place: "p"),
        OriginError.logMissing(place: "p"), OriginError.urlElsewhere(url: "u", place: "p"),
        OriginError.missing(place: "p"), OriginError.differs(place: "p", problem: "q"),
    ]
    private static let publish: [any Remedied] = [
        PublishError.busy(origin: "o"), PublishError.overtaken(origin: "o", sequence: 2),
        PublishError.uploadedMeanwhile(place: "releases/1/package.zip"),
        PublishError.notEmpty(origin: "o"),
        PublishError.otherApp(origin: "o", theirs: "t", ours: "u"),
        PublishError.originInsideBuild(origin: "o", build: "b"),
        PublishError.releaseDiffers(place: "p", what: "w", canBeCorrected: true),
        PublishError.paused(channel: "c"),
        PublishError.wouldShrink(version: "v", share: 50, to: 10),
        PublishError.noNativeVersion(lowest: "2", highest: "1"),
        ChannelError.wouldShrink(share: 50, to: 10), ChannelError.noEarlierRelease(channel: "c"),
        ChannelError.neverLive(name: "n", channel: "c"), ChannelError.sameChannel(channel: "c"),
        ChannelError.otherBaseURL(theirs: "t", ours: "o", channel: "c"),
        ChannelError.releaseDamaged(name: "n", problem: "q"),
        PublishError.labelTaken(label: "l", version: "v"),
        PublishError.labelTooLong, PublishError.damaged(place: "p", problem: "q"),
        PublishError.noSpace(origin: "o", needed: 1, free: 0),
    ]
    private static let client: [any Remedied] = [
        ClientError.busy(directory: "d"), ClientError.notAnInstallation(directory: "d"),
        ClientError.otherApp(installed: "i", offered: "o"),
        ClientError.otherChannel(installed: "i", asked: "a"),
        ClientError.replayed(offered: 1, seen: 2),
        ClientError.splitView(sequence: 1), ClientError.expired(at: "t"),
        ClientError.disabled(channel: "c"), ClientError.bypassed(channel: "c"),
        ClientError.notOffered(channel: "c", reason: "r"),
        ClientError.treeDiffers(version: "v"), ClientError.damagedState(place: "p", problem: "q"),
        ClientError.noSpace(directory: "d", needed: 1, free: 0),
    ]
    private static let rest: [any Remedied] = [
        BuildError.empty(path: "p"), BuildError.changedWhileRead(path: "p"),
        RefusedNames(root: "r", names: [.init(name: "n", problem: .empty)]),
        ManifestError.noLaunchPage("l"), ManifestError.invalid(place: "p", problem: "q"),
        ManifestError.tooLarge(what: "manifest", size: 2, limit: 1),
        InvalidWord(kind: "app name", word: "w", problem: "p", example: "e"),
        InvalidWord(kind: "base URL", word: "w", problem: "p", example: "e"),
        InvalidWord(kind: "channel", word: "w", problem: "p", example: "e"),
        FileSystemError(operation: "make directory", path: "p", number: ENOSPC),
        CompressorError.outOfMemory,
    ]

    private static let archiveProblems: [ArchiveError.Problem] = [
        .tooShort, .noEndRecord, .ambiguousEndRecord, .multipleDisks, .countMismatch,
        .prefixedBytes,
        .gapOrOverlap, .centralDirectoryMismatch, .zip64Mismatch, .zip64NotNeeded, .truncatedRecord,
        .badSignature, .localHeaderDiffers, .dataDescriptor, .encrypted, .unsupportedMethod(9),
        .unsupportedFlags(1), .unsupportedVersion(63), .extraField(1), .malformedExtra,
        .entryComment,
        .storedSizeDiffers, .impossibleRatio, .notRegularFile, .directoryWithData,
        .nameNotFlaggedUTF8,
        .badName(.colon), .noFiles, .tooManyEntries(limit: 1), .tooLarge(limit: 1),
        .unreadable("r"),
        .contentDiffers,
        .wrongSize, .unexpectedEntry, .missingEntry,
    ]

    private static var all: [any Remedied] {
        let archive: [any Remedied] = archiveProblems.map {
            ArchiveError($0, archive: "a", entry: "e")
        }
        return origin + publish + client + rest + archive
    }

    @Test func codesAreUniqueAndStable() {
        let codes = (Self.origin + Self.publish + Self.client + Self.rest).map(\.code)
            .sorted()
        #expect(codes == Self.golden.split(separator: "\n").map(String.init))
        let every = Self.all.map(\.code)
        #expect(Set(every).count == every.count)
    }

    @Test func everyErrorSaysEnough() {
        for error in Self.all {
            #expect(error.description.count > 4, "\(error.code)")
            #expect(error.remedy.count > 8, "\(error.code)")
            #expect(error.unaffected != "", "\(error.code)")
            #expect("\(error)" == error.description)
            #expect(
                error.code.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "." || $0 == "-" },
                "\(error.code)")
            #expect(error.code.split(separator: ".").count == 2, "\(error.code)")
        }
    }

    /// Conflicts end with 3, so that a pipeline can try again; damage with 1.
    @Test func classesOfFailure() {
        let codes = { (kind: ExitCode) in
            (Self.origin + Self.publish + Self.client + Self.rest)
                .filter { $0.exitCode == kind }.map(\.code)
        }
        #expect(
            codes(.conflict) == [
                "publish.busy", "publish.overtaken", "publish.uploaded-meanwhile", "install.busy",
            ])
        #expect(
            codes(.usage) == [
                "publish.no-native-version", "channel.same-channel", "publish.label-too-long",
                "usage.app-name", "usage.base-url", "usage.channel",
            ])
        #expect(
            codes(.verification) == [
                "origin.invalid-pointer", "origin.log-differs",
                "origin.log-missing", "origin.url-elsewhere", "origin.missing", "origin.differs",
                "channel.release-damaged", "publish.damaged", "install.other-app",
                "install.replayed", "install.split-view",
                "install.expired", "install.disabled", "install.bypassed", "install.not-offered",
                "install.tree-differs", "manifest.invalid",
            ])
        #expect(
            [ExitCode.verification, .couldNotDo, .conflict, .usage].map(\.rawValue) == [
                1, 2, 3, 64,
            ])
    }

    /// What a script may compare with.
    ///
    /// A code is added here, never changed.
    private static let golden = """
        build.changed-while-read
        build.empty
        build.names
        channel.never-live
        channel.no-earlier-release
        channel.other-base-url
        channel.release-damaged
        channel.same-channel
        channel.would-shrink
        compressor.failed
        file-system.make-directory
        install.busy
        install.bypassed
        install.damaged-state
        install.disabled
        install.expired
        install.no-space
        install.not-an-installation
        install.not-offered
        install.other-app
        install.other-channel
        install.replayed
        install.split-view
        install.tree-differs
        manifest.invalid
        manifest.no-launch-page
        manifest.too-large
        origin.differs
        origin.invalid-pointer
        origin.log-differs
        origin.log-missing
        origin.missing
        origin.not-an-origin
        origin.nothing-published
        origin.url-elsewhere
        publish.busy
        publish.damaged
        publish.label-taken
        publish.label-too-long
        publish.no-native-version
        publish.no-space
        publish.not-empty
        publish.origin-inside-build
        publish.other-app
        publish.overtaken
        publish.paused
        publish.release-differs
        publish.uploaded-meanwhile
        publish.would-shrink
        usage.app-name
        usage.base-url
        usage.channel
        """
}
