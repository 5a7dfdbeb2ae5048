import PackArchive
import PackZip
import TestSupport

/// Edited zip archives in which all other fields match the edit.
enum MutatedZip {
    private static let contents = [
        "stored\n", "", String(repeating: "const a = 1;\n", count: 6),
        String(repeating: "x", count: 3000), String(repeating: "{\"k\": [1, 2]}", count: 40),
    ].map { Array($0.utf8) }
    private static let deflated = contents.map {
        HostileZip.deflate($0, level: .default)
    }
    private static let names = [
        "a.txt", "d/é.js", "empty", "d/", "index.html", "A.TXT", "a.txt/b", "../a", "/a", "a//b",
        "CON",
        "a\\b", "", "a\u{0}b", "e\u{301}", "é", String(repeating: "n", count: 255),
        String(repeating: "n", count: 300),
    ].map { Array($0.utf8) }

    private static func entry(_ name: [UInt8], _ content: Int, isDeflated: Bool) -> HostileZip.Entry
    {
        var entry = HostileZip.entry(name, contents[content])
        if isDeflated {
            entry.data = deflated[content]
            entry.both {
                $0.method = 8
                $0.compressedSize = UInt32(deflated[content].count)
            }
        }
        return entry
    }

    private static let seed = HostileZip(
        entry(names[0], 0, isDeflated: false), entry(names[1], 2, isDeflated: true),
        entry(names[2], 1, isDeflated: false), entry(names[4], 3, isDeflated: true))

    static func archive(_ bytes: [UInt8]) -> [UInt8] {
        var program = EditProgram(bytes)
        let form = program.byte()
        var zip = seed
        for _ in 0...Int(form & 7) where !program.isAtEnd { edit(&zip, &program) }
        var result = zip.bytes
        if form & 0xE0 == 0 { program.damage(&result) }
        return result
    }

    private static func edit(_ zip: inout HostileZip, _ program: inout EditProgram) {
        let count = zip.entries.count
        let index = program.below(count)
        switch program.below(16) {
        case 0: editEnd(&zip, &program)
        case 1: editZip64(&zip, &program)
        case 2 where count < 8:
            zip.entries.insert(
                entry(
                    program.pick(names), program.below(contents.count),
                    isDeflated: program.isSet()), at: program.below(count + 1))
        case 3 where count > 0: zip.entries.remove(at: index)
        case 4 where count > 0: zip.entries.swapAt(index, program.below(count))
        case 5 where count > 0 && count < 8:
            var copy = zip.entries[index]
            copy.hasBody = program.isSet()
            zip.entries.append(copy)
        case 6 where count > 0: editPlace(&zip.entries[index], &program)
        case 7, 8, 9:
            if count > 0 { editData(&zip.entries[index], &program) }
        case 10 where program.below(4) == 0: zip.beforeDirectory = program.raw(atMost: 8)
        case 11 where program.below(4) == 0: zip.beforeEnd = program.raw(atMost: 8)
        case 12 where program.below(4) == 0: zip.trailing = program.raw(atMost: 8)
        default:
            if count > 0 { editHeaders(&zip.entries[index], &program) }
        }
    }

    private static func editHeaders(
        _ entry: inout HostileZip.Entry, _ program: inout EditProgram
    ) {
        let choice = program.below(8)
        let before = program
        if choice != 1 { editHeader(&entry.local, &program) }
        if choice == 2 { return }
        // Apply the same edit to both headers, unless it affects only the central one.
        if choice != 1 { program = before }
        editHeader(&entry.central, &program)
    }

    private static func editHeader(
        _ header: inout HostileZip.Header, _ program: inout EditProgram
    ) {
        let field = program.below(20)
        let number = field < 16 ? program.number() : 0
        let short = UInt16(truncatingIfNeeded: number)
        let word = UInt32(truncatingIfNeeded: number)
        switch field {
        case 0: header.signature ^= word
        case 1: header.madeBy = short
        case 2: header.neededVersion = short
        case 3: header.flags = short
        case 4: header.method = short
        case 5: (header.time, header.date) = (short, short)
        case 6: header.checksum = word
        case 7: header.compressedSize = word
        case 8: header.size = word
        case 9: header.nameLength = short
        case 10: header.extraLength = short
        case 11: header.commentLength = short
        case 12: header.disk = short
        case 13: header.externalAttributes = word
        case 14: header.offset = word
        case 15: header.comment = Array(repeating: 0x20, count: Int(short & 31))
        case 16: header.extra += extra(&program)
        case 17: header.name = program.raw(atMost: 40)
        default:
            header.name = program.pick(names)
            header.flags |= 0x0800
        }
    }

    private static func extra(_ program: inout EditProgram) -> [UInt8] {
        let ids: [UInt16] = [0x0001, 0x5455, 0x7875, 0x000A, 0x7075, 0x9901, 0x0017]
        switch program.below(4) {
        case 0: return program.raw(atMost: 24)
        case 1:
            var content: [UInt8] = []
            for _ in 0..<program.below(5) { content.append(little: program.number()) }
            return HostileZip.extra(0x0001, content)
        case 2: return HostileZip.extra(program.pick(ids), program.raw(atMost: 16))
        default:
            let length = UInt16(truncatingIfNeeded: program.number())
            return HostileZip.extra(program.pick(ids), program.raw(atMost: 16), length: length)
        }
    }

    private static func editPlace(_ entry: inout HostileZip.Entry, _ program: inout EditProgram) {
        switch program.below(3) {
        case 0: entry.gap = program.raw(atMost: 8)
        case 1: entry.descriptor = program.raw(atMost: 24)
        default: entry.hasBody.toggle()
        }
    }

    /// Changes the content or its form.
    ///
    /// Sizes and checksum are updated, unless the program says otherwise.
    private static func editData(_ entry: inout HostileZip.Entry, _ program: inout EditProgram) {
        let kind = program.below(8)
        switch kind {
        case 0: program.damage(&entry.data)
        case 1: entry.data += [UInt8](repeating: program.byte(), count: program.below(4096))
        case 2: entry.data.removeLast(min(entry.data.count, program.below(4096)))
        case 3, 4:
            entry.content = program.raw(atMost: 60)
            entry.data =
                kind == 3 ? entry.content : HostileZip.deflate(entry.content, level: .default)
        case 5: entry.data = program.raw(atMost: 60)
        default:
            let choice = program.below(contents.count)
            entry.content = contents[choice]
            entry.data = kind == 6 ? deflated[choice] : contents[choice]
        }
        let honest = program.byte()
        let (data, content) = (entry.data, entry.content)
        entry.both {
            if kind == 3 || kind == 7 { $0.method = 0 }
            if kind == 4 || kind == 6 { $0.method = 8 }
            if honest & 7 != 7 { $0.compressedSize = UInt32(data.count) }
            if honest & 0x38 != 0x38 {
                $0.size = UInt32($0.method == 0 ? data.count : content.count)
            }
            if honest & 0xC0 != 0xC0 {
                $0.checksum = HostileZip.checksum($0.method == 0 ? data : content)
            }
        }
    }

    private static func editEnd(_ zip: inout HostileZip, _ program: inout EditProgram) {
        let number = program.number()
        let short = UInt16(truncatingIfNeeded: number)
        let word = UInt32(truncatingIfNeeded: number)
        switch program.below(9) {
        case 0: zip.end.signature ^= word
        case 1: zip.end.disk = short
        case 2: zip.end.directoryDisk = short
        case 3: zip.end.countHere = short
        case 4: zip.end.count = short
        case 5: zip.end.directorySize = word
        case 6: zip.end.directoryOffset = word
        case 7: zip.end.commentLength = short
        default: zip.end.comment = program.raw(atMost: 32)
        }
    }

    private static func editZip64(_ zip: inout HostileZip, _ program: inout EditProgram) {
        var zip64 = zip.zip64 ?? HostileZip.Zip64()
        defer { zip.zip64 = zip64 }
        switch program.below(4) {
        case 0: zip.end.count = 0xFFFF
        case 1: zip.end.directorySize = 0xFFFF_FFFF
        case 2: zip.end.directoryOffset = 0xFFFF_FFFF
        default: break
        }
        let number = program.number()
        switch program.below(16) {
        case 0: zip64.signature ^= UInt32(truncatingIfNeeded: number)
        case 1: zip64.recordSize = number
        case 2: zip64.disk = UInt32(truncatingIfNeeded: number)
        case 3: zip64.countHere = number
        case 4: zip64.count = number
        case 5: zip64.directorySize = number
        case 6: zip64.directoryOffset = number
        case 7: zip64.extensible = program.raw(atMost: 16)
        case 8: zip64.hasRecord.toggle()
        case 9: zip64.hasLocator.toggle()
        case 10: zip64.recordOffset = number
        case 11: zip64.disks = UInt32(truncatingIfNeeded: number)
        default: break
        }
    }

    // MARK: Earlier packages

    /// An earlier package in the form of our writer, with edits of the fields that this form does
    /// not fix.
    ///
    /// - Parameter seed: The entries of a valid package with their data.
    static func package(
        _ bytes: [UInt8], seed: [(entry: ZipEntry, data: [UInt8])]
    ) -> [UInt8] {
        var program = EditProgram(bytes)
        let form = program.byte()
        var parts = seed
        for _ in 0...Int(form & 3) where !program.isAtEnd { edit(&parts, seed, &program) }
        if form & 4 != 0 { parts.sort { $0.entry.name.lexicographicallyPrecedes($1.entry.name) } }
        var result: [UInt8] = []
        var entries: [ZipEntry] = []
        for (entry, data) in parts {
            var entry = entry
            entry.headerOffset = UInt64(result.count)
            // The method and sizes determine the form.
            if entry.method == ZipFormat.stored { entry.flags &= ~ZipFormat.flagLevelMask }
            result += ZipHeaders.localHeader(entry) + data
            entries.append(entry)
        }
        result += ZipHeaders.directory(entries, at: UInt64(result.count))
        if form & 0xE0 == 0 { program.damage(&result) }
        return result
    }

    private static func edit(
        _ parts: inout [(entry: ZipEntry, data: [UInt8])],
        _ seed: [(entry: ZipEntry, data: [UInt8])], _ program: inout EditProgram
    ) {
        guard !parts.isEmpty else { return }
        let index = program.below(parts.count)
        let other = seed[program.below(seed.count)]
        switch program.below(10) {
        // Different content with a checksum and size from the build.
        case 0:
            (parts[index].entry.checksum, parts[index].entry.size) = (
                other.entry.checksum, other.entry.size
            )
        case 1: parts[index].data = other.data
        case 2: program.damage(&parts[index].data)
        case 3:
            parts[index].data += [UInt8](repeating: program.byte(), count: program.below(16_384))
        case 4: parts[index].data.removeLast(min(parts[index].data.count, program.below(16_384)))
        case 5: parts[index].entry.method ^= 8
        case 6: parts[index].entry.size = program.number()
        case 7: parts.remove(at: index)
        case 8 where parts.count < 20:
            var copy = parts[index]
            copy.entry.name += Array("~\(program.below(10))".utf8)
            parts.append(copy)
        default:
            parts[index].entry.compressedSize = program.number()
            return
        }
        guard parts.indices.contains(index), !(program.below(8) == 7) else { return }
        parts[index].entry.compressedSize = UInt64(parts[index].data.count)
    }
}
