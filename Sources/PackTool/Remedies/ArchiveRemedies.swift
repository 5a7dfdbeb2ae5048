import PackArchive
import PackDeltaFile
import PackGround
import PackZip

extension Remedies {
    static let archive: Table = [
        .archiveUnexpectedEntry: otherArchive,
        .archiveMissingEntry: otherArchive,
        .archiveContentDiffers: otherArchive,
        .archiveWrongSize: otherArchive,
        .archiveTooManyEntries: archiveTooLarge,
        .archiveTooLarge: archiveTooLarge,
        .archiveNoFiles: "package a build output that contains at least one file",
        .archiveBadName: "rename the file in the build and package it again",
        .compressorOutOfMemory: "free some memory, then run the same command again",
        .compressorStreamFailed: Remedy { _ in bug },
        .systemNoLibrary: Remedy { "install the package \($0["package"])" },
        .systemOutOfMemory: "free some memory, then run the same command again",
    ]

    /// For the other rules of the zip profile.
    static let damagedArchive: Remedy =
        "create or fetch the file again ('packtool package', 'packtool delta'); do not use this one"

    private static let otherArchive: Remedy =
        "fetch or build the archive again: it does not match its manifest"
    private static let archiveTooLarge: Remedy = """
        leave files out of the build with 'exclude:', or split it into several apps, and package \
        it again
        """

    static let delta: Table = [
        .deltaInvalidManifest: damagedDelta,
        .deltaInvalidStream: damagedDelta,
        .deltaWrongResult: damagedDelta,
        .deltaUnexpectedMember: damagedDelta,
        .deltaTooMuchOutput: damagedDelta,
        .deltaOtherTree: damagedDelta,
        .deltaTooMuchWork: damagedDelta,
        .deltaNotADelta:
            "name a file that 'packtool delta' wrote; any zip tool unpacks a package",
        .deltaWrongBase: "use the release that the delta starts from, or install the package",
        .deltaTooMuchMemory: "install the package instead",
        .deltaTargetExists: "name a directory that does not exist yet",
        .deltaSameRelease: "name two different releases",
        .deltaWrongInfo: "use the info.json of the origin",
        .deltaNoInfo:
            "use the info.json of the origin, or create the delta with --info info.json",
    ]

    private static let damagedDelta: Remedy =
        "create or fetch the delta again, or use the package of the new release"
}
