import PackGround
import PackKeys
import PackOrigin
import PackSettings
import PackSigning
import PackTrust

/// Reads and writes files of private keys.
enum KeyFile {
    /// Reads a key from a file, a variable (`env:NAME`) or standard input (`-`).
    ///
    /// - Throws: ``Failure``.
    static func read(
        _ source: String, outside inputs: [OutputInput], _ passphrase: inout Passphrase,
        _ environment: ProcessEnvironment
    ) throws -> SigningKey {
        CoreDumps.refuse()
        guard !source.contains("PRIVATE KEY-----") else {
            throw Failure.keyAsArgument(option: "--sign-key")
        }
        var pem: [UInt8]
        let path: String
        if source == "-" {
            path = "the key on standard input"
            pem = environment.streams.readSecret(limit: limit)
        } else if source.hasPrefix("env:") {
            let name = String(source.dropFirst(4))
            path = "the key in \(name)"
            guard let text = environment.takeSecret(name) else {
                throw Failure.keyNoVariable(name: name)
            }
            pem = text
        } else {
            path = "'\(source)'"
            for input in inputs where isInside(source, input.path) {
                throw Failure.keyInside(file: source, input)
            }
            pem = try readSecret(source, limit: limit)
        }
        defer { wipe(&pem) }
        guard try PrivateKeyFile.kind(pem, path: path) == .encrypted else {
            return try PrivateKeyFile.read(pem, passphrase: nil, path: path)
        }
        return try PrivateKeyFile.read(
            pem, passphrase: passphrase.bytes(for: path), path: path)
    }

    private static let limit = 16 << 10

    /// Reads a file that only its owner may read.
    static func readSecret(_ path: String, limit: Int) throws -> [UInt8] {
        let (directory, name) = try ReadableFile.locateExisting(path)
        if path.hasSuffix(".pub") { throw Failure.keyPublic(file: path) }
        if let status = try directory.status(name), status.kind == .file,
            !status.isPrivate
        {
            throw Failure.keyReadableByOthers(file: path)
        }
        return try ReadableFile.read(path, limit: limit)
    }

    /// Writes a new key pair, which must not exist: `path` with mode 0600, and `path.pub`.
    static func write(
        _ key: SigningKey, to path: String, _ settings: Settings, _ passphrase: inout Passphrase
    ) throws {
        try refuseServed(path, settings)
        let (directory, name) = try ReadableFile.locate(path)
        for file in [name, name + ".pub"] where try directory.status(file) != nil {
            throw Failure.keyExists(file: directory.display(file))
        }
        var text = try PrivateKeyFile.encode(
            key, passphrase: passphrase.bytes(for: "the new key '\(path)'", isNew: true),
            rounds: passphrase.environment.passphraseRounds, salt: randomBytes(16),
            initialization: randomBytes(16))
        defer { wipe(&text) }
        // Remove only files created by this run: another run may have created a key at the same
        // time.
        var made: [String] = []
        do {
            try write(text, name, isSecret: true, in: directory, &made)
            try write(key.publicKey.pem, name + ".pub", isSecret: false, in: directory, &made)
            try directory.sync()
        } catch {
            for file in made { try? directory.removeFile(file) }
            throw error
        }
    }

    /// Rejects a path inside an origin or the build, whose files are public.
    static func refuseServed(_ path: String, _ settings: Settings) throws {
        if let build = try? settings.build(), isInside(path, build) {
            throw Failure.keyInside(file: path, .build(build))
        }
        // Check the given path, then its resolved form.
        for given in [path, resolvedPath(path)] {
            var folder = given
            while let slash = folder.lastSlash, slash > folder.startIndex {
                folder = String(folder[..<slash])
                if try OriginRelease.findDirectory(folder) != nil {
                    throw Failure.keyInside(file: path, .origin(folder))
                }
            }
        }
    }

    /// Rejects replacing a trust root, because no command can restore its signatures.
    ///
    /// - Parameter isSigned: Whether to reject only signed roots.
    static func refuseRoot(at file: String, isSigned: Bool = false) throws(Failure) {
        guard let bytes = try? ReadableFile.read(file, limit: TrustRoot.sizeLimit),
            let root = try? RootProposal(bytes, path: file),
            !isSigned || !root.envelope.signatures.isEmpty
        else { return }
        throw .keySignedFile(file: file)
    }

    private static func write(
        _ bytes: [UInt8], _ name: String, isSecret: Bool, in directory: Directory,
        _ made: inout [String]
    ) throws(Failure) {
        let file = isSecret ? try directory.createPrivateFile(name) : try directory.createFile(name)
        made.append(name)
        try file.write(bytes)
        try file.sync()
        try file.close()
    }
}

extension Failure.Code {
    static let keyReadableByOthers = Self("key.readable-by-others")
    static func keyInside(_ kind: OutputInput.Kind) -> Self { Self("key.inside-\(kind.rawValue)") }
    static let keyNoVariable = Self("key.no-variable")
    static let keyExists = Self("key.exists")
    static let keySignedFile = Self("key.signed-file")
    static let keyAsArgument = Self("key.as-argument")
    static let keyPublic = Self("key.public")
}

/// An unusable key file.
extension Failure {
    private static let nothingSigned = "published files; nothing was signed"

    static func keyReadableByOthers(file: String) -> Failure {
        Failure(
            .keyReadableByOthers, "other users can read '\(file)'", unaffected: nothingSigned,
            details: ["file": file])
    }

    static func keyInside(file: String, _ input: OutputInput) -> Failure {
        Failure(
            .keyInside(input.kind),
            "the key '\(file)' is inside the \(input.kind) '\(input.path)', which is served publicly",
            unaffected: nothingSigned)
    }

    static func keyNoVariable(name: String) -> Failure {
        Failure(
            .keyNoVariable, "the variable \(name) is not set, or is empty",
            unaffected: nothingSigned)
    }

    static func keyExists(file: String) -> Failure {
        Failure(
            .keyExists, "'\(file)' already exists",
            unaffected: "existing files; nothing was written")
    }

    static func keySignedFile(file: String) -> Failure {
        Failure(
            .keySignedFile, "'\(file)' already exists and has signatures",
            unaffected: "existing files; nothing was written")
    }

    static func keyAsArgument(option: String) -> Failure {
        Failure(
            .keyAsArgument, "\(option) was given a key instead of its name",
            unaffected: nothingSigned)
    }

    static func keyPublic(file: String) -> Failure {
        Failure(
            .keyPublic, "'\(file)' is a public key, which cannot sign",
            unaffected: nothingSigned,
            details: file.hasSuffix(".pub") ? ["private": String(file.dropLast(4))] : [:])
    }
}
