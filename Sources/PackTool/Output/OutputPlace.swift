import PackDeltaFile
import PackGround
import PackRelease

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An input of a command, which must not contain any of its outputs.
struct OutputInput {
    let kind: String
    let path: String

    static func build(_ path: String) -> OutputInput { OutputInput(kind: "build", path: path) }
    static func origin(_ path: String) -> OutputInput { OutputInput(kind: "origin", path: path) }
    static func file(_ path: String) -> OutputInput { OutputInput(kind: "file", path: path) }
}

extension OutputInput {
    /// A release as named by users: a build, or one of an origin or installation; `nil` for a
    /// remote one.
    init?(release text: String) {
        if OriginOpener.isRemote(text) { return nil }
        let origin = try? OriginRelease.findDirectory(text)
        let isInstalled = (try? InstalledRelease.find(text)) != nil
        self =
            origin.map { .origin($0.path) }
            ?? OutputInput(kind: isInstalled ? "installation" : "build", path: text)
    }
}

/// Validates the location of an output file before the work starts.
enum OutputPlace {
    /// - Parameters:
    ///   - inputs: The inputs; an output may neither be inside a directory of them nor replace one.
    ///   - isDirectory: Whether the output is a directory, which must not exist yet.
    ///   - isOptional: Whether the output goes to standard output by default.
    ///   - mark: The kind of an existing file that may be replaced; `nil` for any.
    static func check(
        _ file: String, inputs: [OutputInput], isDirectory: Bool = false, isOptional: Bool = false,
        replacing mark: OutputMark? = nil
    ) throws -> (directory: Directory, name: String) {
        guard !file.isEmpty else {
            throw InvalidArgument(
                kind: "output file", word: file, problem: "has no name", example: "shop.zip")
        }
        let (directory, name) = try ReadableFile.locate(file)
        if isDirectory {
            guard try directory.status(name) == nil else {
                throw DeltaError.targetExists(path: file)
            }
        } else {
            try refuseSpecial(file, isOptional: isOptional)
        }
        // Later errors would show a temporary name unknown to the user.
        do throws(FileSystemError) {
            try directory.checkWritable()
        } catch {
            throw FileSystemError(operation: "write", path: file, number: error.number)
        }
        for input in inputs {
            try refuse(file, in: directory.path, inside: input)
            // A link of this name is replaced, not followed.
            if !isDirectory, try directory.status(name)?.kind == .file,
                resolvedPath(input.path)
                    == resolvedPath(
                        directory.path == "/" ? "/" + name : "\(directory.path)/\(name)")
            {
                throw OutputIsInput(file: file)
            }
        }
        if let origin = origin(around: directory.path) {
            throw OutputInsideInput(file: file, input: .origin(origin))
        }
        if let mark { try refuseForeign(file, directory, name, mark) }
        return (directory, name)
    }

    /// Rejects replacing a file not written by packtool.
    private static func refuseForeign(
        _ file: String, _ directory: Directory, _ name: String, _ mark: OutputMark
    ) throws {
        guard let status = try directory.status(name), status.kind == .file, status.size > 0 else {
            return
        }
        let head = try directory.openFile(name).bytes(at: 0, count: OutputMark.length)
        guard mark.matches(head) else { throw OutputForeign(file: file, mark: mark) }
    }

    /// The origin containing a directory, if any: only publishers may write there.
    private static func origin(around directory: String) -> String? {
        var path = resolvedPath(directory)
        while true {
            let workspace = (path == "/" ? "" : path) + "/\(OriginLayout.workspace)"
            if FileStatus.following(workspace)?.kind == .directory { return path }
            guard path != "/", let slash = path.lastSlash else { return nil }
            path = slash == path.startIndex ? "/" : String(path[..<slash])
        }
    }

    /// Rejects a directory, a pipe or a device, also behind a link.
    static func refuseSpecial(_ file: String, isOptional: Bool = false) throws {
        switch FileStatus.following(file)?.kind {
        case .directory: throw FileSystemError(operation: "write", path: file, number: EISDIR)
        case .other: throw OutputNotAFile(file: file, isOptional: isOptional)
        case .file, .symbolicLink, nil: break
        }
    }

    /// Rejects two outputs at the same path.
    static func refuseSame(
        _ outputs: [(file: String, place: (directory: Directory, name: String))]
    ) throws {
        for (number, one) in outputs.enumerated() {
            for other in outputs[..<number]
            where try one.place.name == other.place.name
                && one.place.directory.status(".")?.identity
                    == other.place.directory.status(".")?.identity
            {
                throw OutputTwice(file: one.file, other: other.file)
            }
        }
    }

    /// - Parameter place: The directory of the output; it need not exist.
    /// - Throws: ``OutputInsideInput``.
    static func refuse(
        _ output: String, in place: String, inside input: OutputInput
    ) throws(OutputInsideInput) {
        guard !isInside(place, input.path) else {
            throw OutputInsideInput(file: output, input: input)
        }
    }

    /// Renames a staged tree to its final name, and makes both durable.
    ///
    /// - Throws: ``DeltaError/targetExists(path:)`` if the name was taken since the check;
    ///   ``OutputNotDurable`` if the tree has its name but is not durable; ``FileSystemError``.
    static func place(
        _ tree: String, of staging: Directory, at output: String,
        _ place: (directory: Directory, name: String)
    ) throws {
        // The files must be durable before the name, so that it never leads to missing files after
        // a power failure.
        try staging.directory(tree).syncFileSystem()
        guard try place.directory.status(place.name) == nil else {
            throw DeltaError.targetExists(path: output)
        }
        try staging.rename(tree, to: place.directory, as: place.name)
        try settle(output, in: place.directory)
    }

    /// Renames a staged file to its final name, replacing an existing file, and makes both durable.
    ///
    /// - Throws: ``OutputNotDurable`` if the file has its name but is not durable;
    ///   ``FileSystemError``.
    static func place(
        file: String, of staging: Directory, at output: String,
        _ place: (directory: Directory, name: String)
    ) throws {
        try staging.openFile(file).sync()
        try staging.rename(file, to: place.directory, as: place.name)
        try settle(output, in: place.directory)
    }

    /// Writes a file at a validated location, replacing an existing file.
    ///
    /// - Throws: ``OutputNotDurable`` if the file has its name but is not durable;
    ///   ``FileSystemError``.
    static func write(
        _ bytes: [UInt8], to output: String, _ place: (directory: Directory, name: String),
        _ console: Console
    ) async throws {
        try await TemporaryDirectory.with(in: place.directory, console) { staging in
            let file = try staging.createFile("output")
            try file.write(bytes)
            try file.close()
            try self.place(file: "output", of: staging, at: output, place)
        }
    }

    /// Makes the name of an output durable.
    ///
    /// - Throws: ``OutputNotDurable``; the output has its name nevertheless.
    private static func settle(_ output: String, in directory: Directory) throws(OutputNotDurable) {
        do throws(FileSystemError) {
            try directory.sync()
        } catch {
            throw OutputNotDurable(output: output, cause: error)
        }
    }
}

/// The output is complete, but the disk did not confirm its name.
struct OutputNotDurable: Remedied {
    let output: String
    let cause: FileSystemError

    var code: String { "output.not-durable" }
    var description: String {
        "'\(output)' got its name, but it is not sure to outlive a power cut: \(cause.description)"
    }
    var unaffected: String? { "'\(output)', which is complete and can be used" }
    var remedy: String {
        "check the disk; then remove '\(output)' and run the same command again"
    }
}

/// The output would be inside the build or origin from which it is made, and change it.
struct OutputInsideInput: Remedied {
    let file: String
    let input: OutputInput

    var code: String { "output.inside-\(input.kind)" }
    var description: String {
        "'\(file)' is inside the \(input.kind) '\(input.path)' and would change it"
    }
    var unaffected: String? { "existing files; nothing was written" }
    var remedy: String { "choose a path outside '\(input.path)'" }
}

/// The output path is a pipe or a device, which must not be replaced by a file.
struct OutputNotAFile: Remedied {
    let file: String
    let isOptional: Bool

    var code: String { "output.not-a-file" }
    var description: String { "'\(file)' is a pipe or a device, and a file would replace it" }
    var unaffected: String? { "existing files; nothing was written" }
    var remedy: String {
        "name a file" + (isOptional ? ", or omit the option for standard output" : "")
    }
}

/// Two outputs of a command have the same path, or one is inside the other.
struct OutputTwice: Remedied {
    let file: String
    let other: String

    var code: String { "output.same-place" }
    var description: String {
        file == other
            ? "'\(file)' is named for two outputs"
            : "the outputs '\(other)' and '\(file)' cannot both be written there"
    }
    var unaffected: String? { "existing files; nothing was written" }
    var remedy: String { "choose another name for one of them" }
    var exitCode: ExitCode { .usage }
}

/// The output file is also an input.
struct OutputIsInput: Remedied {
    let file: String

    var code: String { "output.is-input" }
    var description: String { "'\(file)' is read and would be overwritten" }
    var unaffected: String? { "existing files; nothing was written" }
    var remedy: String { "choose another name for the output" }
}
