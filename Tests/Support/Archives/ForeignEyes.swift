import Foundation
import PackGround
package import PackRelease
package import Testing

/// Reads packages with third-party programs.
///
/// Each returns the release's listing, which is compared byte for byte.
package enum ForeignEyes {
    /// Expects every available reader to accept the package and find exactly the release in it.
    package static func agree(
        on name: String, in folder: TemporaryFolder, holds release: Release,
        extracting: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let package = folder.file(name)
        for (tool, arguments) in [
            ("unzip", ["-tqq", package]), ("7z", ["t", "-bd", package]),
        ] {
            let output = try await ForeignTool(tool).run(arguments)
            #expect(output.status == 0, "\(tool): \(output.all)", sourceLocation: sourceLocation)
        }
        let python = try await ForeignTool.python(pythonListing, [package])
        #expect(python.status == 0, "python: \(python.all)", sourceLocation: sourceLocation)
        #expect(
            python.bytes == release.listing, "python reads other content",
            sourceLocation: sourceLocation)

        let names = try await ForeignTool("bsdtar").run(["-tf", package])
        #expect(names.status == 0, "bsdtar: \(names.all)", sourceLocation: sourceLocation)
        #expect(
            names.bytes == release.assets.flatMap { $0.path.bytes + [0x0A] },
            "bsdtar lists other names",
            sourceLocation: sourceLocation)
        guard extracting else { return }
        let target = try folder.makeFolder("bsdtar-" + uniqueName())
        let extracted = try await ForeignTool("bsdtar").run(["-xf", package, "-C", target.path])
        #expect(extracted.status == 0, "bsdtar: \(extracted.all)", sourceLocation: sourceLocation)
        #expect(
            try await coreutilsListing(of: target.path) == release.listing,
            "bsdtar extracts other content",
            sourceLocation: sourceLocation)
    }

    /// The listing of contract section 2, made with its commands.
    ///
    /// Adds `--`, because names may start with a hyphen.
    package static func coreutilsListing(of path: String) async throws -> [UInt8] {
        let command =
            "find . -type f -printf '%P\\0' | LC_ALL=C sort -z | xargs -0 -r sha256sum --"
        let output = try await ForeignTool("sh").run(["-c", command], in: path)
        #expect(output.status == 0, "\(output.all)")
        return output.bytes
    }

    /// Hashes the files read by Python; `testzip` checks every CRC-32.
    private static let pythonListing = """
        import hashlib, sys, zipfile
        with zipfile.ZipFile(sys.argv[1]) as archive:
            assert archive.testzip() is None
            for entry in archive.infolist():
                assert entry.date_time == (1980, 1, 1, 0, 0, 0), entry
                digest = hashlib.sha256()
                with archive.open(entry) as file:
                    while piece := file.read(1 << 20): digest.update(piece)
                line = f"{digest.hexdigest()}  {entry.filename}\\n"
                sys.stdout.buffer.write(line.encode())
        """

    /// The zip64 fields used in a package, read by a separate parser.
    package struct Zip64Use: Equatable {
        package let endRecords: Bool
        package let centralEntries: Int
        package let localEntries: Int

        package init(endRecords: Bool, centralEntries: Int, localEntries: Int) {
            self.endRecords = endRecords
            self.centralEntries = centralEntries
            self.localEntries = localEntries
        }
    }

    package static func zip64Use(of package: String) async throws -> Zip64Use {
        let output = try await ForeignTool.python(
            """
            import struct, sys
            file = open(sys.argv[1], 'rb')
            file.seek(-22, 2)
            end = file.tell()
            fields = struct.unpack('<4s4H2IH', file.read(22))
            assert fields[0] == b'PK\\5\\6' and fields[7] == 0
            count, size, offset = fields[4], fields[5], fields[6]
            file.seek(max(0, end - 20))
            locator = file.read(20)
            large = locator[:4] == b'PK\\6\\7'
            if large:
                file.seek(struct.unpack('<Q', locator[8:16])[0])
                record = struct.unpack('<4sQ2H2I4Q', file.read(56))
                assert record[0] == b'PK\\6\\6' and record[1] == 44
                assert file.tell() == end - 20
                for plain, full, real in ((count, 0xFFFF, record[7]), (size, 0xFFFFFFFF, record[8]),
                                          (offset, 0xFFFFFFFF, record[9])):
                    assert plain == (real if real < full else full), (plain, real)
                count, size, offset = record[7:10]
            central = local = 0
            file.seek(offset)
            directory = file.read(size)
            assert len(directory) == size
            position = 0
            for _ in range(count):
                header = struct.unpack_from('<4s6H3I5H2I', directory, position)
                assert header[0] == b'PK\\1\\2'
                name, extra, comment = header[10:13]
                central += extra > 0
                start = header[16]
                if start == 0xFFFFFFFF:
                    start = struct.unpack_from('<Q', directory, position + 46 + name + extra - 8)[0]
                file.seek(start)
                head = struct.unpack('<4s5H3I2H', file.read(30))
                assert head[0] == b'PK\\3\\4'
                local += head[10] > 0
                position += 46 + name + extra + comment
            assert position == size
            print(int(large), central, local)
            """, [package])
        #expect(output.status == 0, "\(output.all)")
        let numbers = output.output.split(separator: /\s/).compactMap { Int($0) }
        try #require(numbers.count == 3, "\(output.all)")
        return Zip64Use(
            endRecords: numbers[0] == 1, centralEntries: numbers[1], localEntries: numbers[2])
    }
}
