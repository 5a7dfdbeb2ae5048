import PackKeys
import TestSupport
import Testing

/// A fixed set of mutants for the fuzz targets (`Tests/Rigs/Fuzz/formats` and `trust`); `make soak`
/// has ten times as many.
struct MutantTests {
    private static let count = Soak.isLong ? 5_000 : 500

    /// A program of edits as long as a fuzzer's.
    private static func program(_ noise: inout Noise) -> [UInt8] {
        noise.bytes(4 + Int(noise.next() % 60))
    }

    @Test("Edited manifests are refused or come back as they were")
    func manifests() {
        var noise = Noise(seed: 31)
        var read = 0
        for number in 0..<Self.count {
            var isRead = false
            let problem = DocumentProperty.manifest(
                MutatedDocument.manifest(Self.program(&noise)), isRead: &isRead)
            #expect(problem == nil, "mutant \(number)")
            read += isRead ? 1 : 0
        }
        // Edits are useful only if some mutants are accepted and some rejected.
        #expect(read > Self.count / 20 && read < Self.count / 2, "\(read) were read")
    }

    @Test("Edited pointers are refused or come back as they were")
    func pointers() {
        var noise = Noise(seed: 32)
        var read = 0
        for number in 0..<Self.count {
            let program = Self.program(&noise)
            var isRead = false
            let problem =
                number % 2 == 0
                ? DocumentProperty.pointer(MutatedDocument.pointer(program), isRead: &isRead)
                : DocumentProperty.envelope(MutatedDocument.envelope(program), isRead: &isRead)
            #expect(problem == nil, "mutant \(number)")
            read += isRead ? 1 : 0
        }
        #expect(read > Self.count / 20 && read < Self.count / 2, "\(read) were read")
    }

    @Test("Edited archives are refused or read within their bounds")
    func archives() async throws {
        try await TemporaryFolder.with { folder in
            var noise = Noise(seed: 33)
            let property = try ArchiveProperty(in: folder.directory())
            var read = 0
            for number in 0..<Self.count {
                let (problem, isRead) = try await property.check(
                    MutatedZip.archive(Self.program(&noise)), isUnpacked: number % 16 == 0)
                #expect(problem == nil, "mutant \(number)")
                read += isRead ? 1 : 0
            }
            #expect(read > Self.count / 20 && read < Self.count / 2, "\(read) were read")
        }
    }

    @Test("Edited earlier packages change no byte and no content of a package")
    func reuse() async throws {
        try await TemporaryFolder.with { folder in
            var noise = Noise(seed: 34)
            let property = try await ReuseProperty(in: folder.directory())
            var used = 0
            for number in 0..<Self.count {
                let program = Self.program(&noise)
                let archive =
                    number % 8 == 0
                    ? MutatedZip.archive(program)
                    : MutatedZip.package(program, seed: property.seed)
                let (problem, isUsed) = try await property.check(
                    archive, isPublished: number % 2 == 0)
                #expect(problem == nil, "mutant \(number)")
                used += isUsed ? 1 : 0
            }
            #expect(used > Self.count / 17 && used < Self.count * 49 / 50, "\(used) were used")
        }
    }

    /// Uses swift-crypto, which the fuzz targets replace.
    private static func trust() throws -> TrustProperty {
        try TrustProperty { key, signature, message in key.isValid(signature, over: message) }
    }

    @Test("Edited roots are refused or follow by enough signatures")
    func roots() throws {
        var noise = Noise(seed: 35)
        let property = try Self.trust()
        var read = 0
        for number in 0..<Self.count {
            var program = EditProgram(Self.program(&noise))
            var isRead = false
            let problem = property.root(try MutatedTrust.root(&program), isRead: &isRead)
            #expect(problem == nil, "mutant \(number)")
            read += isRead ? 1 : 0
        }
        #expect(read > Self.count / 100 && read < Self.count / 2, "\(read) were read")
    }

    @Test("Edited signed pointers are refused or accepted by enough signatures")
    func signedPointers() throws {
        var noise = Noise(seed: 36)
        let property = try Self.trust()
        var read = 0
        for number in 0..<Self.count {
            var program = EditProgram(Self.program(&noise))
            var isRead = false
            let pointer = try MutatedTrust.pointer(&program)
            let roots = program.isSet() ? [try MutatedTrust.root(&program)] : []
            let problem = property.pointer(pointer, roots: roots, &program, isRead: &isRead)
            #expect(problem == nil, "mutant \(number)")
            read += isRead ? 1 : 0
        }
        #expect(read > Self.count / 100 && read < Self.count / 2, "\(read) were read")
    }

    @Test("Edited key files are refused or read as they are written")
    func keyFiles() throws {
        var noise = Noise(seed: 37)
        let property = try Self.trust()
        var read = 0
        for number in 0..<Self.count {
            var program = EditProgram(Self.program(&noise))
            var isRead = false
            // Encrypting takes 0.2 s and is left to the fuzz targets.
            let file = try MutatedKeyFile(&program, isEncrypted: false).text
            let problem = property.keyFile(file, isEncrypted: false, isRead: &isRead)
            #expect(problem == nil, "mutant \(number)")
            read += isRead ? 1 : 0
        }
        #expect(read > Self.count / 20 && read < Self.count / 2, "\(read) were read")
    }

    @Test("Edited answers are refused or have good signatures")
    func answers() throws {
        var noise = Noise(seed: 38)
        let property = try Self.trust()
        var read = 0
        for number in 0..<Self.count {
            var program = EditProgram(Self.program(&noise))
            var isRead = false
            let problem = property.answer(try property.answer(&program), isRead: &isRead)
            #expect(problem == nil, "mutant \(number)")
            read += isRead ? 1 : 0
        }
        #expect(read > Self.count / 20 && read < Self.count * 3 / 4, "\(read) were read")
    }
}
