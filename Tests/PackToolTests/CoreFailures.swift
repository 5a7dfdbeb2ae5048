import PackArchive
import PackCheck
import PackClient
import PackDeltaFile
import PackGround
import PackOrigin
import PackRelease
import PackS3
import PackZip

/// A failure of each code of builds, archives, deltas, origins, buckets and installations.
enum CoreFailures {
    static let all =
        origin + install + build + argument + bucket + web + rewrite + delta + archive + compressor

    static let origin: [Failure] = [
        .originNotAnOrigin(path: "p"), .originNothingPublished(channel: "c", origin: "o"),
        .originNoSuchRelease(version: "v", origin: "o"), .originPruned(name: "n", origin: "o"),
        .originInvalidPointer(path: "p", problem: "q"), .originLogDiffers(path: "p"),
        .originLogMissing(path: "p"), .originURLElsewhere(url: "u", path: "p"),
        .originMissing(path: "p"), .originDiffers(path: "p", problem: "q"),
    ]

    static let install: [Failure] = [
        .installBusy(directory: "d"), .installNotAnInstallation(directory: "d"),
        .installOtherApp(installed: "i", offered: "o"),
        .installNotEmbedded(directory: "d", problem: "has no release"),
        .installReplayed(offered: 1, seen: 2), .installSplitView(sequence: 1),
        .installExpired(at: "t"), .installExpiredByRoot(at: "t", root: 1, createdAt: "c"),
        .installDisabled(channel: "c"), .installBypassed(channel: "c"),
        .installClosed(channel: "c", at: "t", open: ["d"]),
        .installNotOffered(channel: "c", reason: "r"),
        .installNotForEveryDevice(channel: "c", offers: ["o"]),
        .installTreeDiffers(version: "v"), .installDamagedState(path: "p", problem: "q"),
        .installOverLimit(version: "v", limit: 1),
        .installNoSpace(directory: "d", needed: 1, free: 0),
    ]

    static let build: [Failure] = [
        .buildEmpty(path: "p"), .buildAllExcluded(path: "p"), .buildChangedWhileRead(path: "p"),
        .buildContentBeyondSize(path: "p"),
        .buildFileTooLarge(path: "p", size: 2, limit: 1),
        .buildTooLarge(path: "p", size: 2, limit: 1),
        .buildNames(root: "r", names: [.init(name: "n", problem: .empty)]),
        .manifestNoLaunchPage("l"), .manifestInvalid(path: "p", problem: "q"),
        .manifestTooManyFiles(count: 2, limit: 1),
        .manifestTooLarge(what: "manifest", size: 2, limit: 1),
        .checkBaseline(path: "p", problem: "q"), .cacheForeign(path: "p"),
    ]

    static let argument: [Failure] = ["app name", "base URL", "channel"].map {
        .invalidArgument(kind: $0, word: "w", problem: "p", example: "e")
    }

    static let rewrite: [Failure] = [
        .rewriteNoHost(), .rewriteSecurePages(), .rewriteDualCustom(),
        .rewriteGrowsTooMuch(path: "p", size: 2, limit: 1), .rewriteOverlap(path: "p"),
        .rewriteNoRecord(path: "p"), .rewriteBadRecord(path: "p", problem: "q"),
        .rewriteChangedSince(path: "p"), .rewriteMissingFiles(path: "p", names: ["n"]),
    ]

    private static let kinds: [HTTPFailure.Kind] = [
        .unreachable, .proxy, .certificate, .tooSlow, .interrupted, .flood, .impossible,
    ]

    static let bucket: [Failure] =
        kinds.map { .s3Failed(path: "p", $0, reason: "r") } + [
            .s3NoConditions(origin: "o", problem: "q", isIgnored: true),
            .s3WrongRegion(bucket: "b", actual: "a", given: "g", request: nil),
            .s3Denied(credentials: "c", action: "PutObject", path: "p", request: nil),
            .s3CredentialsRefused(credentials: "c", code: "k", request: nil),
            .s3Clock(seconds: 1000, request: nil), .s3NoCredentials(looked: ["l"]),
            .s3NoProfile(profile: "p", looked: ["l"]),
            .s3CredentialProcess(profile: "p", problem: "q"),
            .s3NoBucket(bucket: "b", request: nil), .s3Unencrypted(endpoint: "e"),
            .s3RetriesExhausted(path: "p", retries: 2, reason: "r"),
            .s3Status(path: "p", status: 500, code: "c", message: "m", request: nil),
            .s3NotS3(path: "p", problem: "q"), .s3Full(path: "p", code: "c", request: nil),
            .s3Redirected(path: "p", target: "t", request: nil),
            .s3IncompleteCredentials(variable: "V", problem: "is not set"),
            .s3TooLarge(path: "p", limit: 1, request: nil),
            .s3UploadTooLarge(path: "p", size: 2, limit: 1), .s3DamagedUpload(path: "p"),
            .s3OutcomeUnknown(path: "p", reason: "r"),
        ]

    static let web: [Failure] =
        kinds.map { .httpFailed(path: "p", $0, reason: "r") } + [
            .httpRetriesExhausted(path: "p", retries: 2, reason: "r"),
            .httpStatus(path: "p", status: 404, request: nil),
            .httpPageForFile(path: "p", request: nil),
            .httpTransformed(path: "p", encoding: "br", request: nil),
            .httpTooLarge(path: "p", limit: 1, request: nil),
            .httpRedirected(path: "p", to: "t", problem: "q"),
        ]

    static let delta: [Failure] = [
        .deltaNotADelta(path: "p"), .deltaInvalidManifest(path: "p", problem: "q"),
        .deltaInvalidStream(path: "p", problem: .invalidContent),
        .deltaWrongBase(delta: "d", needs: "n", found: "f"),
        .deltaWrongResult(delta: "d", expected: "e", found: "f"),
        .deltaUnexpectedMember(delta: "d", name: "n"),
        .deltaTooMuchMemory(delta: "d", needs: 2, limit: 1),
        .deltaTooMuchOutput(delta: "d", bytes: 2, limit: 1), .deltaTooMuchWork(delta: "d"),
        .deltaOtherTree(
            delta: "d", makes: TreeSize(assets: 1, size: 1), expected: TreeSize(assets: 2, size: 1)),
        .deltaTargetExists(path: "p"), .deltaSameRelease(version: "v"),
        .deltaWrongInfo(delta: "d"), .deltaNoInfo(delta: "d"),
    ]

    static let compressor: [Failure] = [.compressorOutOfMemory(), .compressorStreamFailed(-2)]

    private static let rules: [ArchiveProblem] = [
        .tooShort, .noEndRecord, .ambiguousEndRecord, .multipleDisks, .countMismatch,
        .prefixedBytes, .gapOrOverlap, .centralDirectoryMismatch, .zip64Mismatch, .zip64NotNeeded,
        .truncatedRecord, .badSignature, .localHeaderDiffers, .dataDescriptor, .encrypted,
        .unsupportedMethod(9), .unsupportedFlags(1), .unsupportedVersion(63), .extraField(1),
        .malformedExtra, .entryComment, .storedSizeDiffers, .impossibleRatio, .notRegularFile,
        .directoryWithData, .nameNotFlaggedUTF8, .badName(.colon), .noFiles,
        .tooManyEntries(limit: 1), .tooLarge(limit: 1), .unreadable("r"), .checksumDiffers,
        .contentDiffers, .wrongSize, .unexpectedEntry, .missingEntry,
    ]
    static let archive: [Failure] = rules.map { .archive($0, archive: "a", entry: "e") }
}
