package import PackGround

/// A broken rule of the strict zip profile (`docs/formats.md`).
package struct ArchiveProblem: Equatable, Sendable {
    package let code: Failure.Code
    /// The end of a sentence about an archive or one of its entries.
    package let text: String

    /// Creates a rule from the part of its code after `archive.`.
    package init(_ name: String, _ text: String) {
        code = Failure.Code("archive.\(name)")
        self.text = text
    }

    // Structure
    package static let tooShort = Self("too-short", "it is too short to be a zip archive")
    package static let noEndRecord = Self(
        "no-end-record",
        "it has no end-of-archive record at its end (truncated, or followed by other bytes)")
    package static let ambiguousEndRecord = Self(
        "ambiguous-end-record", "it has more than one end-of-archive record")
    package static let multipleDisks = Self(
        "multiple-disks", "it is one part of a multi-part archive")
    package static let countMismatch = Self(
        "count-mismatch", "the number of entries differs from its end record")
    package static let prefixedBytes = Self(
        "prefixed-bytes", "there are bytes before the first entry")
    package static let gapOrOverlap = Self("gap-or-overlap", "its entries overlap or leave gaps")
    package static let centralDirectoryMismatch = Self(
        "central-directory-mismatch",
        "its central directory is not at the offset in its end record")
    package static let zip64Mismatch = Self(
        "zip64-mismatch", "its zip64 fields contradict the plain ones")
    package static let zip64NotNeeded = Self(
        "zip64-not-needed", "it uses zip64 fields (for archives above 4 GiB) without need")
    package static let truncatedRecord = Self("truncated-record", "a record is truncated")
    package static let badSignature = Self("bad-signature", "a record has a wrong signature")

    // One entry
    package static let localHeaderDiffers = Self(
        "local-header-differs", "its local header contradicts the central directory")
    package static let dataDescriptor = Self(
        "data-descriptor", "it has a data descriptor, so its header does not contain its size")
    package static let encrypted = Self("encrypted", "it is encrypted")
    package static func unsupportedMethod(_ method: UInt16) -> Self {
        Self("unsupported-method", "compression method \(method) is neither stored nor deflated")
    }
    package static func unsupportedFlags(_ flags: UInt16) -> Self {
        Self("unsupported-flags", "it has the flags 0x\(String(flags, radix: 16))")
    }
    package static func unsupportedVersion(_ version: UInt16) -> Self {
        Self("unsupported-version", "it needs version \(version) of the zip format")
    }
    package static func extraField(_ id: UInt16) -> Self {
        Self("extra-field", "it has the extra field 0x\(String(id, radix: 16))")
    }
    package static let malformedExtra = Self("malformed-extra", "its extra fields are malformed")
    package static let entryComment = Self("entry-comment", "it has a comment")
    package static let storedSizeDiffers = Self(
        "stored-size-differs", "it is stored, but its two sizes differ")
    package static let impossibleRatio = Self(
        "impossible-ratio", "its compression ratio is higher than deflate allows")
    package static let notRegularFile = Self("not-regular-file", "it is a link or a device")
    package static let directoryWithData = Self(
        "directory-with-data", "it is a directory with content")
    package static let nameNotFlaggedUTF8 = Self(
        "name-not-flagged-utf8", "its name is not marked as UTF-8")
    package static func badName(_ problem: NameProblem) -> Self { Self("bad-name", problem.reason) }

    // Limits
    package static let noFiles = Self("no-files", "it contains no files")
    package static func tooManyEntries(limit: Int) -> Self {
        Self("too-many-entries", "it has more than \(grouped(limit)) entries")
    }
    package static func tooLarge(limit: UInt64) -> Self {
        Self("too-large", "it unpacks to more than \(readableSize(limit))")
    }

    // Content
    package static func unreadable(_ reason: String) -> Self {
        Self("unreadable", "its content cannot be read: \(reason)")
    }
    package static let checksumDiffers = Self(
        "checksum-differs", "its content does not match its header (CRC-32 differs)")
    package static let contentDiffers = Self(
        "content-differs", "its content does not match the manifest (SHA-256 differs)")
    package static let wrongSize = Self("wrong-size", "its size does not match the manifest")

    // Comparison with the manifest
    package static let unexpectedEntry = Self("unexpected-entry", "the manifest does not list it")
    package static let missingEntry = Self(
        "missing-entry", "the manifest lists it, but it is missing")
}

extension Failure.Code {
    package static let archiveBadName = Self("archive.bad-name")
    package static let archiveNoEndRecord = ArchiveProblem.noEndRecord.code
    package static let archiveTooShort = ArchiveProblem.tooShort.code
    package static let archiveNoFiles = ArchiveProblem.noFiles.code
    package static let archiveTooManyEntries = Self("archive.too-many-entries")
    package static let archiveTooLarge = Self("archive.too-large")
    package static let archiveContentDiffers = ArchiveProblem.contentDiffers.code
    package static let archiveWrongSize = ArchiveProblem.wrongSize.code
    package static let archiveUnexpectedEntry = ArchiveProblem.unexpectedEntry.code
    package static let archiveMissingEntry = ArchiveProblem.missingEntry.code
}

extension Failure {
    /// An archive that is rejected.
    ///
    /// - Parameters:
    ///   - archive: The archive's name, for messages.
    ///   - entry: The name of the offending entry, if any.
    package static func archive(
        _ problem: ArchiveProblem, archive: String, entry: String? = nil
    ) -> Failure {
        Failure(
            problem.code,
            (entry.map { "'\($0)' in '\(archive)'" } ?? "'\(archive)'") + ": \(problem.text)",
            unaffected: "existing files; nothing was unpacked", exitCode: .verification)
    }
}
