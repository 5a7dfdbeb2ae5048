import PackGround
import PackKeys
import PackOrigin
import PackSettings
import PackTrust

/// Reads and writes files of private keys.
enum KeyFile {
    /// Reads a key from a file, a variable (`env:NAME`) or standard input (`-`).
    ///
    /// - Throws: ``KeyFileError``, ``KeyError``, ``FileSystemError``.
    static func read(
        _ source: String, outside inputs: [OutputInput], _ passphrase: inout Passphrase,
        _ environment: ProcessEnvironment
    ) throws -> SigningKey {
        CoreDumps.refuse()
        guard !source.contains("PRIVATE KEY-----") else {
            throw KeyFileError.isKey(option: "--sign-key")
        }
        var pem: [UInt8]
        let place: String
        if source == "-" {
            place = "the key on standard input"
            pem = environment.streams.readSecret(limit: limit)
        } else if source.hasPrefix("env:") {
            let name = String(source.dropFirst(4))
            place = "the key in \(name)"
            guard let text = environment.takeSecret(name) else {
                throw KeyFileError.noVariable(name: name)
            }
            pem = text
        } else {
            place = "'\(source)'"
            for input in inputs where isInside(source, input.path) {
                throw KeyFileError.inside(file: source, kind: input.kind, path: input.path)
            }
            pem = try readSecret(source, limit: limit)
        }
        defer { wipe(&pem) }
        guard try PrivateKeyFile.kind(pem, place: place) == .encrypted else {
            return try PrivateKeyFile.read(pem, passphrase: nil, place: place)
        }
        return try PrivateKeyFile.read(
            pem, passphrase: passphrase.bytes(for: place), place: place)
    }

    private static let limit = 16 << 10

    /// Reads a file that only its owner may read.
    static func readSecret(_ path: String, limit: Int) throws -> [UInt8] {
        let (directory, name) = try ReadableFile.locateExisting(path)
        if path.hasSuffix(".pub") { throw KeyFileError.isPublic(file: path) }
        if let status = try directory.status(name), status.kind == .file,
            !status.isPrivate
        {
            throw KeyFileError.readableByOthers(file: path)
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
            throw KeyFileError.exists(file: directory.display(file))
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
            throw KeyFileError.inside(file: path, kind: "build", path: build)
        }
        // Check the given path, then its resolved form.
        for given in [path, resolvedPath(path)] {
            var folder = given
            while let slash = folder.lastSlash, slash > folder.startIndex {
                folder = String(folder[..<slash])
                if try OriginRelease.findDirectory(folder) != nil {
                    throw KeyFileError.inside(file: path, kind: "origin", path: folder)
                }
            }
        }
    }

    private static func write(
        _ bytes: [UInt8], _ name: String, isSecret: Bool, in directory: Directory,
        _ made: inout [String]
    ) throws(FileSystemError) {
        let file = isSecret ? try directory.createPrivateFile(name) : try directory.createFile(name)
        made.append(name)
        try file.write(bytes)
        try file.sync()
        try file.close()
    }
}

/// An unusable key file.
enum KeyFileError: Remedied, Equatable {
    case readableByOthers(file: String)
    case inside(file: String, kind: String, path: String)
    case noVariable(name: String)
    case exists(file: String)
    case signed(file: String)
    case isKey(option: String)
    case isPublic(file: String)

    /// Rejects replacing a trust root, because no command can restore its signatures.
    ///
    /// - Parameter isSigned: Whether to reject only signed roots.
    static func refuseRoot(at file: String, isSigned: Bool = false) throws(KeyFileError) {
        guard let bytes = try? ReadableFile.read(file, limit: TrustRoot.sizeLimit),
            let root = try? RootProposal(bytes, place: file),
            !isSigned || !root.envelope.signatures.isEmpty
        else { return }
        throw .signed(file: file)
    }

    var code: String {
        switch self {
        case .readableByOthers: "key.readable-by-others"
        case .inside(_, let kind, _): "key.inside-\(kind)"
        case .noVariable: "key.no-variable"
        case .exists: "key.exists"
        case .signed: "key.signed-file"
        case .isKey: "key.as-argument"
        case .isPublic: "key.public"
        }
    }

    var description: String {
        switch self {
        case .readableByOthers(let file): "other users can read '\(file)'"
        case .inside(let file, let kind, let path):
            "the key '\(file)' is inside the \(kind) '\(path)', which is served to everybody"
        case .noVariable(let name): "the variable \(name) is not set, or is empty"
        case .exists(let file): "'\(file)' exists already"
        case .signed(let file): "'\(file)' is there already, and has signatures"
        case .isPublic(let file): "'\(file)' is a public key, which signs nothing"
        case .isKey(let option): "\(option) was given a key instead of its name"
        }
    }

    var unaffected: String? {
        switch self {
        case .exists, .signed: "existing files; nothing was written"
        default: "what is published; nothing was signed"
        }
    }

    var remedy: String {
        switch self {
        case .readableByOthers(let file):
            "run 'chmod 600 \(shellWord(file))'; if others may have read it, create a new key"
        case .inside: "move it elsewhere; if it was ever served, make a new key and a new root"
        case .noVariable: "set it to the text of the key file"
        case .exists: "choose another name; packtool never overwrites a key"
        case .signed: "choose another name, or remove it first"
        case .isPublic(let file):
            file.hasSuffix(".pub") ? "name '\(file.dropLast(4))'" : "name the private key"
        case .isKey:
            "give a file, env:NAME or -; others can read arguments, so replace this key by a new one"
        }
    }
}
