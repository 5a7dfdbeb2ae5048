import Foundation
import PackArchive
import PackGround
import PackZip
import TestSupport
import Testing

/// Test archives of other projects; see `oracles/README.md` of the shared folder.
struct ForeignArchiveTests {
    /// The rule that rejects an archive; `nil` if it is read as a release.
    private static func verdict(_ name: String, in folder: String) async throws -> String? {
        do {
            let directory = try Directory.open(folder)
            let release = try await PackageReader.release(of: name, in: directory, jobs: 1)
            // Read by zlib, and once more by libarchive.
            try await PackageReader(name, in: directory, expecting: release).prove(jobs: 1)
            return nil
        } catch let error as Failure where error.code.isOf("archive") {
            return String(error.code.name.dropFirst("archive.".count))
        }
    }

    /// Archives rejected by libzip and read by packtool, with reasons.
    private static let readThoughLibzipRefuses: [String: String] = [
        "libzip-incons-central-date.zip":
            "the headers differ in the time alone, which carries no meaning"
    ]

    @Test("what libzip finds inconsistent is refused")
    func libzip() async throws {
        let folder = try SharedFolder.require("oracles/zips")
        let table = try String(contentsOfFile: folder + "/libzip-expected.tsv", encoding: .utf8)
        var expected: [String: String] = [:]
        for line in table.split(separator: "\n") where !line.hasPrefix("#") {
            let columns = line.split(separator: "\t")
            expected[String(columns[0])] = String(columns[1])
        }
        #expect(expected.count >= 45)
        let present = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            .filter { $0.hasPrefix("libzip-") && $0.hasSuffix(".zip") }
        var refused = 0
        for name in present {
            let verdict = try await Self.verdict(name, in: folder)
            if verdict != nil { refused += 1 }
            // The three archives missing from libzip's table have names describing an
            // inconsistency.
            let libzip = expected[name] ?? "inconsistent by its name"
            if libzip != "accepted" {
                #expect(
                    (verdict == nil) == (Self.readThoughLibzipRefuses[name] != nil),
                    "\(name): libzip says '\(libzip)', this tool \(verdict ?? "reads it")")
            }
        }
        #expect(refused >= present.count - Self.readThoughLibzipRefuses.count - 1)
        // A table entry without its archive proves nothing.
        #expect(
            expected.keys.filter { $0 != "libzip-incons-ef-local-id.zip" }.count <= present.count)
    }

    /// The archives of zip-rs, each with the rule that rejects it (`nil`: it is read).
    private static let zipRs: [String: String?] = [
        "aes_archive": "encrypted",
        "chinese": "extra-field",
        "comment_garbage": "no-end-record",
        "data_descriptor": "data-descriptor",
        "deflate64_issue_25": "no-end-record",
        "extended_timestamp": nil,
        "extended_timestamp_bad": "malformed-extra",
        "files_and_dirs": nil,
        "ignore_encryption_flag": "encrypted",
        "implode": "unsupported-method",
        "invalid_cde_number_of_files_allocation_greater_offset": "count-mismatch",
        "invalid_cde_number_of_files_allocation_smaller_offset": "central-directory-mismatch",
        "invalid_offset": "central-directory-mismatch",
        "invalid_offset2": "count-mismatch",
        "linux-7z": nil,
        "mimetype": nil,
        "misaligned_comment": "no-end-record",
        "non_utf8": "name-not-flagged-utf8",
        "ntfs": nil,
        "ppmd": "unsupported-method",
        "raw_deflate64_index_out_of_bounds": "unsupported-method",
        "reduce": "unsupported-method",
        "shrink": "unsupported-method",
        "symlink": "not-regular-file",
        "windows-7zip": "extra-field",
        "xz": "unsupported-method",
        "zip64_demo": "zip64-mismatch",
        "zip64_magic_in_filename_1": "bad-name",
        "zip64_magic_in_filename_2": "bad-name",
        "zip64_magic_in_filename_3": "bad-name",
        "zip64_magic_in_filename_4": "bad-name",
        "zip64_magic_in_filename_5": "bad-name",
    ]

    @Test("the odd archives of zip-rs have the verdicts recorded here")
    func zipRs() async throws {
        let folder = try SharedFolder.require("oracles/zips")
        let present = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            .filter { $0.hasPrefix("zip-rs-") && $0.hasSuffix(".zip") }
        var found: [String: String?] = [:]
        for name in present {
            let short = String(name.dropFirst("zip-rs-".count).dropLast(".zip".count))
            found.updateValue(try await Self.verdict(name, in: folder), forKey: short)
        }
        #expect(present.count >= 30)
        for name in Set(found.keys).union(Self.zipRs.keys).sorted() {
            #expect(found[name] == Self.zipRs[name], "\(name)")
        }
    }
}
