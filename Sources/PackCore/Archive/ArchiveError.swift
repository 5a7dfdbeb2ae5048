/// Why an archive was refused.
///
/// Each case is one rule of the strict zip profile (`docs/formats.md`).
package struct ArchiveError: Remedied, Equatable {
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
        case tooManyEntries(limit: Int), tooLarge(limit: UInt64)
        // Content
        case unreadable(String), checksumDiffers, contentDiffers, wrongSize
        // Against the manifest
        case unexpectedEntry, missingEntry
    }

    package let problem: Problem
    /// The archive, as a person would type it.
    package let archive: String
    /// The entry's name, where one entry is to blame.
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

    package var failure: FailureKind { .verification }
    package var stillValid: String? { "nothing was unpacked from it" }

    package var remedy: String {
        switch problem {
        case .unexpectedEntry, .missingEntry, .contentDiffers, .wrongSize:
            "the archive is not the one its manifest describes: fetch or build it again"
        case .tooManyEntries, .tooLarge:
            "split the build, or raise the limit if you trust the archive"
        case .badName: "rename the file in the build and package it again"
        default:
            "make or fetch the file again ('packtool package', 'packtool delta'); do not use this one"
        }
    }

    private var text: String {
        switch problem {
        case .tooShort: "it is too short to be a zip archive"
        case .noEndRecord: "it has no end-of-archive record at its end (cut short, or bytes follow)"
        case .ambiguousEndRecord: "it has more than one end-of-archive record"
        case .multipleDisks: "it is one part of several"
        case .countMismatch: "the number of entries is not what its end record says"
        case .prefixedBytes: "bytes stand before the first entry"
        case .gapOrOverlap: "its entries leave gaps or overlap"
        case .centralDirectoryMismatch: "its central directory is not where its end record says"
        case .zip64Mismatch: "its zip64 fields contradict the plain ones"
        case .zip64NotNeeded: "it uses zip64 fields where none are needed"
        case .truncatedRecord: "a record is cut short"
        case .badSignature: "a record has a wrong signature"
        case .localHeaderDiffers: "its local header contradicts the central directory"
        case .dataDescriptor: "it has a data descriptor, so its header does not say its size"
        case .encrypted: "it is encrypted"
        case .unsupportedMethod(let method):
            "compression method \(method) is neither stored nor deflated"
        case .unsupportedFlags(let flags): "it has the flags 0x\(String(flags, radix: 16))"
        case .unsupportedVersion(let version): "it needs version \(version) of the format"
        case .extraField(let id): "it has the extra field 0x\(String(id, radix: 16))"
        case .malformedExtra: "its extra fields are malformed"
        case .entryComment: "it has a comment"
        case .storedSizeDiffers: "it is stored, yet its two sizes differ"
        case .impossibleRatio: "it claims to shrink more than deflate can"
        case .notRegularFile: "it is a link or a device"
        case .directoryWithData: "it is a directory with content"
        case .nameNotFlaggedUTF8: "its name is not marked as UTF-8"
        case .badName(let problem): problem.reason
        case .tooManyEntries(let limit): "it has more than \(grouped(limit)) entries"
        case .tooLarge(let limit): "it unpacks to more than \(readableSize(limit))"
        case .unreadable(let reason): "its content cannot be read: \(reason)"
        case .checksumDiffers: "its content is not what its header says (CRC-32 differs)"
        case .contentDiffers: "its content is not what the manifest says (SHA-256 differs)"
        case .wrongSize: "its size is not what the manifest says"
        case .unexpectedEntry: "the manifest does not list it"
        case .missingEntry: "the manifest lists it, but it is not there"
        }
    }
}
