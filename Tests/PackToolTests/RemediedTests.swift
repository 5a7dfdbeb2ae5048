import Foundation
import PackArchive
import PackCheck
import PackClient
import PackGround
import PackKeys
import PackOrigin
import PackPublish
import PackRelease
import PackS3
import PackTrust
import TestSupport
import Testing

/// Every error describes the problem and the next step, and its code is stable.
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
        PublishError.publishingRoot(origin: "o", place: "p"),
        PublishError.underWay(channel: "beta", place: "p"), PublishError.tookTooLong(origin: "o"),
        PublishError.rootMeanwhile(place: "root/2.json"),
        PublishError.notEmpty(origin: "o"),
        PublishError.notPublished(version: "v", origin: "o"),
        PublishError.otherApp(origin: "o", theirs: "t", ours: "u"),
        PublishError.originInsideBuild(origin: "o", build: "b"),
        PublishError.releaseDiffers(
            place: "p", what: "w", values: .init(there: "a", here: "b"), canBeCorrected: true),
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
        BuildError.fileTooLarge(path: "p", size: 2, limit: 1),
        BuildError.tooLarge(path: "p", size: 2, limit: 1),
        RefusedNames(root: "r", names: [.init(name: "n", problem: .empty)]),
        ManifestError.noLaunchPage("l"), ManifestError.invalid(place: "p", problem: "q"),
        ManifestError.tooManyFiles(count: 2, limit: 1),
        ManifestError.tooLarge(what: "manifest", size: 2, limit: 1),
        InvalidArgument(kind: "app name", word: "w", problem: "p", example: "e"),
        InvalidArgument(kind: "base URL", word: "w", problem: "p", example: "e"),
        InvalidArgument(kind: "channel", word: "w", problem: "p", example: "e"),
        FileSystemError(operation: "make directory", path: "p", number: ENOSPC),
        CompressorError.outOfMemory,
    ]

    private static let kinds: [HTTPFailure.Kind] = [
        .unreachable, .proxy, .certificate, .tooSlow, .interrupted, .flood, .impossible,
    ]
    private static let bucket: [any Remedied] =
        kinds.map { S3Error.failed(place: "p", $0, reason: "r") } + [
            S3Error.noConditions(origin: "o", problem: "q", isIgnored: true),
            S3Error.wrongRegion(bucket: "b", actual: "a", given: "g", request: nil),
            S3Error.denied(credentials: "c", action: "PutObject", place: "p", request: nil),
            S3Error.credentialsRefused(credentials: "c", code: "k", request: nil),
            S3Error.clock(seconds: 1000, request: nil), S3Error.noCredentials(looked: ["l"]),
            S3Error.noProfile(profile: "p", looked: ["l"]),
            S3Error.badCredentialProcess(profile: "p", problem: "q"),
            S3Error.noBucket(bucket: "b", request: nil), S3Error.unencrypted(endpoint: "e"),
            S3Error.gaveUp(place: "p", retries: 2, reason: "r"),
            S3Error.status(place: "p", status: 500, code: "c", message: "m", request: nil),
            S3Error.notS3(place: "p", problem: "q"),
            S3Error.full(place: "p", code: "c", request: nil),
            S3Error.redirected(place: "p", target: "t", request: nil),
            S3Error.halfSet(variable: "V", problem: "is not set"),
            S3Error.tooLarge(place: "p", limit: 1, request: nil),
            S3Error.uploadTooLarge(place: "p", size: 2, limit: 1),
            S3Error.damagedUpload(place: "p"),
            S3Error.outcomeUnknown(place: "p", reason: "r"),
        ]
    private static let web: [any Remedied] =
        kinds.map { HTTPError.failed(place: "p", $0, reason: "r") } + [
            HTTPError.gaveUp(place: "p", retries: 2, reason: "r"),
            HTTPError.status(place: "p", status: 404, request: nil),
            HTTPError.pageForFile(place: "p", request: nil),
            HTTPError.transformed(place: "p", encoding: "br", request: nil),
            HTTPError.tooLarge(place: "p", limit: 1, request: nil),
            HTTPError.redirected(place: "p", to: "t", problem: "q"),
        ]
    private static let trust: [any Remedied] = [
        TrustError.invalidRoot(place: "p", problem: "q"),
        TrustError.rootDiffers(version: 1, problem: "q"),
        TrustError.cannotFollow(place: "p", problem: "q"),
        TrustError.rootExpired(version: 1, at: "t"),
        TrustError.rootAhead(version: 1, createdAt: "t", lead: "1 hour ahead"),
        TrustError.rootGap(place: "p", newest: 0), TrustError.rootMissing(version: 1, newest: 2),
        TrustError.badSignature(place: "p", role: "r", valid: 1, threshold: 2),
        TrustError.unsigned(place: "p"), TrustError.noRole(channel: "c", version: 1),
        TrustError.wrongPin(place: "p", expected: "e", found: "f"), TrustError.noRoot(place: "p"),
        TrustError.rootLost(place: "p", version: 1),
        TrustError.floorTooLow(version: 1, channel: "c", sequence: 2),
        KeyError.notAKey(place: "p", problem: "q"), KeyError.unsupported(place: "p", what: "w"),
        KeyError.weak(place: "p"), KeyError.needsPassphrase(place: "p"),
        KeyError.wrongPassphrase(place: "p"), KeyError.emptyPassphrase,
        SigningError.unknownKey(id: "i"),
        SigningError.notEnough(role: "r", have: 1, threshold: 2, missing: ["m"]),
        SigningError.noRoot(origin: "o"),
        SigningError.rootsMissing(origin: "o", place: "p", version: 1),
        SigningError.unsignedPointer(place: "p", sequence: 2, channel: "c", floor: 1),
        SigningError.forgedPointer(place: "p", problem: "q"),
        SigningError.notOurs(place: "p", reason: "r"),
    ]
    private static let rewrite: [any Remedied] = [
        RewriteError.noHost, RewriteError.securePages, RewriteError.dualNeedsProtocolRelative,
        RewriteError.growsTooMuch(path: "p", size: 2, limit: 1),
        RewriteError.overlappingEdits(path: "p"), RewriteError.noRecord(path: "p"),
        RewriteError.badRecord(path: "p", problem: "q"), RewriteError.changedSince(path: "p"),
        RewriteError.recordedFilesMissing(path: "p", names: ["n"]),
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

    /// The errors with listed codes.
    private static let named = origin + publish + client + rest + bucket + web + trust + rewrite

    private static var all: [any Remedied] {
        let archive: [any Remedied] = archiveProblems.map {
            ArchiveError($0, archive: "a", entry: "e")
        }
        return named + archive
    }

    @Test func codesAreUniqueAndStable() {
        let codes = Self.named.map(\.code).sorted()
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

    /// Regression: `rewrite` suggested `--to`, which only `publish` has.
    @Test func everyOptionThatARemedyNamesIsOneOfACommand() throws {
        let help = try String(
            contentsOfFile: Checkout.path + "/Tests/PackToolTests/Snapshots/help.txt",
            encoding: .utf8)
        let known = Set(Self.options(in: help, afterSpacesOnly: true))
        #expect(known.contains("--base-url") && known.contains("--form"))
        for error in Self.all {
            for option in Self.options(in: error.remedy) {
                #expect(known.contains(option), "\(error.code): \(option)")
            }
        }
        let rewrite = try #require(
            help.components(separatedBy: "\n=== ").first { $0.hasPrefix("rewrite\n") })
        let own = Set(Self.options(in: rewrite, afterSpacesOnly: true))
        for error in Self.rewrite {
            for option in Self.options(in: error.remedy) {
                #expect(own.contains(option), "\(error.code): \(option)")
            }
        }
    }

    /// The words that start with two dashes.
    ///
    /// - Parameter afterSpacesOnly: Whether to read only lines that start with an option.
    private static func options(in text: String, afterSpacesOnly: Bool = false) -> [String] {
        let lines = text.split(separator: "\n").filter { line in
            !afterSpacesOnly || line.hasPrefix("  -")
        }
        let words = lines.flatMap { line in
            line.split { !($0.isLetter || $0.isNumber || $0 == "-") }.map(String.init)
        }
        return words.filter { $0.hasPrefix("--") && $0.count > 2 }
    }

    /// Conflicts exit with 3, so that a pipeline can retry; damage exits with 1.
    @Test func classesOfFailure() {
        let codes = { (kind: ExitCode) in
            (Self.origin + Self.publish + Self.client + Self.rest)
                .filter { $0.exitCode == kind }.map(\.code)
        }
        #expect(
            codes(.conflict) == [
                "publish.busy", "publish.overtaken", "publish.concurrent-upload",
                "publish.publishing-root", "publish.under-way", "publish.intent-expired",
                "publish.root-changed", "install.busy",
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

    /// The stable codes for scripts.
    ///
    /// Codes may be added here, but never changed.
    private static let golden = """
        build.changed-while-read
        build.empty
        build.file-too-large
        build.names
        build.too-large
        channel.never-live
        channel.no-earlier-release
        channel.other-base-url
        channel.release-damaged
        channel.same-channel
        channel.would-shrink
        compressor.failed
        file-system.make-directory
        http.certificate
        http.flood
        http.impossible
        http.interrupted
        http.page-for-file
        http.proxy
        http.redirect
        http.retries-exhausted
        http.status
        http.too-large
        http.too-slow
        http.transformed
        http.unreachable
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
        key.empty-passphrase
        key.needs-passphrase
        key.not-a-key
        key.unsupported
        key.weak
        key.wrong-passphrase
        manifest.invalid
        manifest.no-launch-page
        manifest.too-large
        manifest.too-many-files
        origin.differs
        origin.invalid-pointer
        origin.log-differs
        origin.log-missing
        origin.missing
        origin.not-an-origin
        origin.nothing-published
        origin.url-elsewhere
        publish.busy
        publish.concurrent-upload
        publish.damaged
        publish.intent-expired
        publish.label-taken
        publish.label-too-long
        publish.no-native-version
        publish.no-space
        publish.not-empty
        publish.not-published
        publish.origin-inside-build
        publish.other-app
        publish.overtaken
        publish.paused
        publish.publishing-root
        publish.release-differs
        publish.root-changed
        publish.under-way
        publish.would-shrink
        rewrite.bad-record
        rewrite.changed-since
        rewrite.dual-custom
        rewrite.grows-too-much
        rewrite.https-pages
        rewrite.missing-files
        rewrite.no-host
        rewrite.no-record
        rewrite.overlap
        s3.certificate
        s3.clock
        s3.credential-process
        s3.credentials-refused
        s3.damaged-upload
        s3.denied
        s3.flood
        s3.full
        s3.impossible
        s3.incomplete-credentials
        s3.interrupted
        s3.no-bucket
        s3.no-conditions
        s3.no-credentials
        s3.no-profile
        s3.not-s3
        s3.outcome-unknown
        s3.proxy
        s3.redirected
        s3.retries-exhausted
        s3.status
        s3.too-large
        s3.too-slow
        s3.unencrypted
        s3.unreachable
        s3.upload-too-large
        s3.wrong-region
        signing.forged-pointer
        signing.no-root
        signing.not-enough
        signing.roots-missing
        signing.unauthorized
        signing.unknown-key
        signing.unsigned-pointer
        trust.bad-signature
        trust.floor-too-low
        trust.invalid-root
        trust.no-role
        trust.no-root
        trust.root-ahead
        trust.root-cannot-follow
        trust.root-differs
        trust.root-expired
        trust.root-gap
        trust.root-lost
        trust.root-missing
        trust.unsigned
        trust.wrong-pin
        usage.app-name
        usage.base-url
        usage.channel
        """
}
