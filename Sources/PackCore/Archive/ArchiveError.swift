package import PackGround

/// The reason why an archive is rejected.
///
/// Each case is one rule of the strict zip profile (`docs/formats.md`).
package struct ArchiveError: Remedied, Equatable {
    /// The broken rules.
    package enum Problem: Equatable, Sendable {
        // Structure
        case tooShort, noEndRecord, ambiguousEndRecord, multipleDisks, countMismatch
        case prefixedBytes, gapOrOverlap, centralDirectoryMismatch, zip64Mismatch, zip64NotNeeded
        case truncatedRecord, badSignature
        // One entry
        case localHeaderDiffers, dataDescriptor, encrypted, unsupportedMethod(UInt16)
        case unsupportedFlags(UInt16), unsupportedVersion(UInt16), extraField(UInt16),
            malformedExtra
        case entryComment, storedSizeDiffers, impossibleRatio, notRegularFile, directoryWithData
        case nameNotFlaggedUTF8, badName(NameProblem)
        // Limits
        case noFiles, tooManyEntries(limit: Int), tooLarge(limit: UInt64)
        // Content
        case unreadable(String), checksumDiffers, contentDiffers, wrongSize
        // Comparison with the manifest
        case unexpectedEntry, missingEntry
    }

    package let problem: Problem
    /// The archive's name, for messages.
    package let archive: String
    /// The name of the offending entry, if any.
    package let entry: String?

    package init(_ problem: Problem, archive: String, entry: String? = nil) {
        self.problem = problem
        self.archive = archive
        self.entry = entry
    }

    package var code: String {
        let name = "\(problem)".prefix { $0 != "(" }.replacing("UTF8", with: "Utf8")
        return "archive."
            + name.map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined()
    }

    package var description: String {
        let place = entry.map { "'\($0)' in '\(archive)'" } ?? "'\(archive)'"
        return "\(place): \(text)"
    }

    package var exitCode: ExitCode { .verification }
    package var unaffected: String? { "existing files; nothing was unpacked" }

    package var remedy: String {
        switch problem {
        case .unexpectedEntry, .missingEntry, .contentDiffers, .wrongSize:
            "fetch or build the archive again; it is not the one that its manifest describes"
        case .tooManyEntries, .tooLarge:
            "leave files out of the build with 'exclude:', or split it into several apps, and package it again"
        case .noFiles: "package a build output that contains at least one file"
        case .badName: "rename the file in the build and package it again"
        default:
            """
            create or fetch the file again ('packtool package', 'packtool delta'); do not use \
            this one
            """
        }
    }

    private var text: String {
        switch problem {
        case .tooShort: "it is too short to be a zip archive"
        case .noEndRecord:
            """
            it has no end-of-archive record at its end (truncated, or followed by other bytes)
            """
        case .ambiguousEndRecord: "it has more than one end-of-archive record"
        case .multipleDisks: "it is one part of a multi-part archive"
        case .countMismatch: "the number of entries differs from its end record"
        case .prefixedBytes: "there are bytes before the first entry"
        case .gapOrOverlap: "its entries overlap or leave gaps"
        case .centralDirectoryMismatch:
            "its central directory is not at the offset in its end record"
        case .zip64Mismatch: "its zip64 fields contradict the plain ones"
        case .zip64NotNeeded: "it uses zip64 fields (for archives above 4 GiB) without need"
        case .truncatedRecord: "a record is truncated"
        case .badSignature: "a record has a wrong signature"
        case .localHeaderDiffers: "its local header contradicts the central directory"
        case .dataDescriptor: "it has a data descriptor, so its header does not contain its size"
        case .encrypted: "it is encrypted"
        case .unsupportedMethod(let method):
            "compression method \(method) is neither stored nor deflated"
        case .unsupportedFlags(let flags): "it has the flags 0x\(String(flags, radix: 16))"
        case .unsupportedVersion(let version): "it needs version \(version) of the zip format"
        case .extraField(let id): "it has the extra field 0x\(String(id, radix: 16))"
        case .malformedExtra: "its extra fields are malformed"
        case .entryComment: "it has a comment"
        case .storedSizeDiffers: "it is stored, but its two sizes differ"
        case .impossibleRatio: "its compression ratio is higher than deflate allows"
        case .notRegularFile: "it is a link or a device"
        case .directoryWithData: "it is a directory with content"
        case .nameNotFlaggedUTF8: "its name is not marked as UTF-8"
        case .badName(let problem): problem.reason
        case .noFiles: "it contains no files"
        case .tooManyEntries(let limit): "it has more than \(grouped(limit)) entries"
        case .tooLarge(let limit): "it unpacks to more than \(readableSize(limit))"
        case .unreadable(let reason): "its content cannot be read: \(reason)"
        case .checksumDiffers: "its content does not match its header (CRC-32 differs)"
        case .contentDiffers: "its content does not match the manifest (SHA-256 differs)"
        case .wrongSize: "its size does not match the manifest"
        case .unexpectedEntry: "the manifest does not list it"
        case .missingEntry: "the manifest lists it, but it is missing"
        }
    }
}
